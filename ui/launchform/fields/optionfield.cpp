#include "launchform/field.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QStyle>

namespace rankdeck
{

Field::Field(const QString &label, QWidget *editor, const QString &help, QWidget *button, QWidget *parent)
    : QWidget(parent)
    , m_name(new QLabel(label))
    , m_editor(editor)
    , m_button(button)
    , m_note(new NoteLabel(editor->objectName() + QStringLiteral("Note")))
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
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

void Field::setNameWidth(int width)
{
    m_name->setFixedWidth(width);
}

int Field::nameWidth() const
{
    return m_name->sizeHint().width();
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

void Field::describe()
{
    m_editor->setAccessibleDescription(m_note->text());
}

} // namespace rankdeck
