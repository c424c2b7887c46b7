#include "launchform/textfield.h"

#include "launchform/pathedit.h"

#include <QPushButton>

namespace rankdeck
{

TextField::TextField(const OptionWords &words, TextForm form, const QString &placeholder)
    : TextField(words, std::move(form), new QLineEdit, nullptr)
{
    setPlaceholder(placeholder);
}

TextField::TextField(const OptionWords &words, TextForm form, const QString &placeholder, PathEdit *edit)
    : TextField(words, std::move(form), edit, edit->browseButton())
{
    setPlaceholder(placeholder);
}

TextField::TextField(const OptionWords &words, TextForm form, QLineEdit *edit, QWidget *button)
    : OptionField(words, "Edit", edit, button, words.label)
    , m_form(std::move(form))
    , m_edit(edit)
{
    connect(edit, &QLineEdit::textChanged, this, &OptionField::edited);
}

void TextField::fill(const LaunchSpec &spec)
{
    m_edit->setText(m_form.write(spec));
    m_edit->setCursorPosition(0);
}

std::optional<Error> TextField::read(LaunchSpec &spec) const
{
    return m_form.read(spec, m_edit->text());
}

void TextField::setPlaceholder(const QString &placeholder)
{
    m_edit->setPlaceholderText(placeholder);
}

QString TextField::shownValue() const
{
    return m_edit->text();
}

} // namespace rankdeck
