#include "launchform/linesfield.h"

#include <QFontDatabase>
#include <QPlainTextEdit>

namespace rankdeck
{

LinesField::LinesField(const OptionWords &words, TextForm form, const QString &placeholder)
    : LinesField(words, std::move(form), new QPlainTextEdit)
{
    m_edit->setPlaceholderText(placeholder);
}

LinesField::LinesField(const OptionWords &words, TextForm form, QPlainTextEdit *edit)
    : OptionField(words, "Edit", edit, nullptr, words.label)
    , m_form(std::move(form))
    , m_edit(edit)
{
    edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * 3 + 14);
    connect(edit, &QPlainTextEdit::textChanged, this, &OptionField::edited);
}

void LinesField::fill(const LaunchSpec &spec)
{
    m_edit->setPlainText(m_form.write(spec));
}

std::optional<Error> LinesField::read(LaunchSpec &spec) const
{
    return m_form.read(spec, m_edit->toPlainText());
}

} // namespace rankdeck
