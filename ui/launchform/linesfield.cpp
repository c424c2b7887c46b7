#include "launchform/linesfield.h"

#include <QAction>
#include <QFontDatabase>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>

namespace rankdeck
{

LinesField::LinesField(const OptionWords &words, TextForm form, const QString &placeholder,
                       const QList<LinePreset> &presets)
    : LinesField(words, std::move(form), new QPlainTextEdit,
                 presets.isEmpty() ? nullptr : new QPushButton(tr("Add")))
{
    m_edit->setPlaceholderText(placeholder);
    auto *button = qobject_cast<QPushButton *>(focusOrder().constLast());
    if (!button)
        return;
    button->setObjectName(m_edit->objectName() + QStringLiteral("AddButton"));
    auto *menu = new QMenu(button);
    for (const LinePreset &preset : presets) {
        const QAction *action = menu->addAction(QStringLiteral("%1: %2").arg(preset.line, preset.words));
        connect(action, &QAction::triggered, this, [this, line = preset.line] { add(line); });
    }
    button->setMenu(menu);
}

LinesField::LinesField(const OptionWords &words, TextForm form, QPlainTextEdit *edit, QPushButton *button)
    : OptionField(words, "Edit", edit, button, words.label)
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

void LinesField::add(const QString &line)
{
    const QString text = m_edit->toPlainText().trimmed();
    m_edit->setPlainText(text.isEmpty() ? line : text + QLatin1Char('\n') + line);
    m_edit->moveCursor(QTextCursor::End);
    m_edit->setFocus();
}

std::optional<Error> LinesField::read(LaunchSpec &spec) const
{
    return m_form.read(spec, m_edit->toPlainText());
}

} // namespace rankdeck
