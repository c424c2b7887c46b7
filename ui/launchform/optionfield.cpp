#include "launchform/optionfield.h"

namespace rankdeck
{

namespace
{

QWidget *named(QWidget *editor, const QString &objectName)
{
    editor->setObjectName(objectName);
    return editor;
}

} // namespace

OptionField::OptionField(const OptionWords &words, const char *kind, QWidget *editor, QWidget *button,
                         const QString &label)
    : Field(label, named(editor, objectNameOf(QLatin1String(words.names.first())) + QLatin1String(kind)),
            words.help, button)
    , m_help(words.help)
    , m_focusOrder{editor}
{
    for (const char *name : words.names)
        m_names += QLatin1String(name);
    if (button)
        m_focusOrder += button;
}

void OptionField::sayDefault(const LaunchSpec &defaults)
{
    fill(defaults);
    if (!shownValue().isEmpty())
        setHelp(tr("%1 Default: %2.").arg(m_help, shownValue()));
}

void OptionField::showContext(const PreviewResult &result) const
{
    if (m_showContext)
        m_showContext(result);
}

void OptionField::addLine(QWidget *line, QWidget *focus)
{
    addBelow(line);
    m_focusOrder += focus;
}

QString objectNameOf(const QString &option)
{
    QString name;
    bool startsWord = false;
    for (const QChar letter : option) {
        if (letter.isLetterOrNumber())
            name += startsWord && !name.isEmpty() ? letter.toUpper() : letter;
        startsWord = !letter.isLetterOrNumber();
    }
    return name;
}

} // namespace rankdeck
