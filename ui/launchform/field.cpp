#include "launchform/field.h"

#include <QHBoxLayout>
#include <QStyle>
#include <QVBoxLayout>

namespace rankdeck
{

Field::Field(const QString &label, QWidget *editor, const QString &help, QWidget *button, QWidget *parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_note(new NoteLabel(editor->objectName() + QStringLiteral("Note")))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    if (!label.isEmpty()) {
        auto *name = new QLabel(label);
        name->setBuddy(editor);
        layout->addWidget(name);
        QString spoken = label;
        editor->setAccessibleName(spoken.remove(QLatin1Char('&')));
    }
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(editor, 1);
    if (button)
        row->addWidget(button);
    layout->addLayout(row);

    auto *noteRow = new QHBoxLayout;
    // The note of a check box belongs to its text, not to its box.
    const int indent = label.isEmpty() ? style()->pixelMetric(QStyle::PM_IndicatorWidth) +
                                             style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing)
                                       : 0;
    noteRow->setContentsMargins(indent, 0, 0, 0);
    noteRow->addWidget(m_note);
    layout->addLayout(noteRow);
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

void Field::describe()
{
    m_editor->setAccessibleDescription(m_note->text());
}

} // namespace rankdeck
