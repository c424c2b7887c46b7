#include "launchform/fields/optionfield.h"

#include "widgets/widgetparts.h"

#include <QAbstractSpinBox>
#include <QGridLayout>
#include <QStyle>

namespace rankdeck
{

static QWidget *namedByOption(QWidget *editor, const OptionWords &words, const char *kind)
{
    editor->setObjectName(objectNameOf(QLatin1String(words.names.first())) + QLatin1String(kind));
    return editor;
}

Field::Field(const QString &label, QWidget *editor, const QString &help, QWidget *button, QWidget *parent)
    : QWidget(parent)
    , m_name(new QLabel(label))
    , m_editor(editor)
    , m_button(button)
    , m_note(new NoteLabel(editor->objectName() + QStringLiteral("Note")))
{
    auto *layout = withoutMargins(new QGridLayout(this));
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(1, 1);
    const Qt::Alignment alignment =
        qobject_cast<QAbstractSpinBox *>(editor) ? Qt::AlignLeft : Qt::Alignment();
    if (button)
        layout->addWidget(button, 0, 2);
    layout->addWidget(editor, 0, 1, 1, button ? 1 : 2, alignment);
    // Beside the first line of an editor of several.
    const int inset = qMax(0, (QLineEdit().sizeHint().height() - m_name->sizeHint().height()) / 2);
    m_name->setContentsMargins(0, inset, 0, 0);
    layout->addWidget(m_name, 0, 0, Qt::AlignTop);
    if (!label.isEmpty()) {
        m_name->setBuddy(editor);
        editor->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    }

    auto *noteRow = new QHBoxLayout;
    // The note of a check box belongs to its text, not to its box.
    const int indent = qobject_cast<QCheckBox *>(editor)
                           ? style()->pixelMetric(QStyle::PM_IndicatorWidth) +
                                 style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing)
                           : 0;
    noteRow->setContentsMargins(indent, 0, 0, 0);
    noteRow->addWidget(m_note);
    layout->addLayout(noteRow, 1, 1, 1, 2);
    setHelp(help);
}

void Field::setHelp(const QString &help)
{
    m_note->setHelp(help);
    describe();
}

void Field::setProblem(const QString &problem)
{
    m_note->setProblem(problem);
    describe();
}

void Field::addBelow(QWidget *widget)
{
    auto *grid = static_cast<QGridLayout *>(layout());
    grid->addWidget(widget, grid->rowCount(), 1, 1, 2);
}

OptionField::OptionField(const OptionWords &words, const char *kind, QWidget *editor, QWidget *button,
                         const QString &label, FieldValue value)
    : Field(label, namedByOption(editor, words, kind), words.help, button)
    , m_value(std::move(value))
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
    if (const QString shown = m_value.shown(); !shown.isEmpty())
        setHelp(tr("%1 Default: %2.").arg(m_help, shown));
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
