#include "failure/explanationbox.h"

#include <QFontDatabase>
#include <QLabel>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

/// A label that is there only while it has a text; the text is data, never rich text.
QLabel *addLabel(QVBoxLayout *layout, const char *name)
{
    auto *label = new QLabel(layout->parentWidget());
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(label);
    return label;
}

void setText(QLabel *label, const QString &text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace

ExplanationBox::ExplanationBox(QWidget *parent)
    : QFrame(parent)
{
    setObjectName(QStringLiteral("explanationBox"));
    setFrameShape(QFrame::StyledPanel);
    auto *layout = new QVBoxLayout(this);
    m_title = addLabel(layout, "explanationTitle");
    m_meaning = addLabel(layout, "explanationMeaning");
    m_mend = addLabel(layout, "explanationMend");
    m_commands = addLabel(layout, "explanationCommands");
    m_problem = addLabel(layout, "explanationProblem");
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_commands->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_commands->setAccessibleName(tr("Commands that may help"));
    hide();
}

void ExplanationBox::setExplanation(const FailureExplanation &explanation)
{
    setText(m_title, explanation.isKnown()
                         ? tr("%1 (%2)", "error, its id").arg(explanation.title, explanation.id)
                         : QString());
    setText(m_meaning, explanation.meaning);
    setText(m_mend, explanation.mend);
    setText(m_commands, explanation.commands.join(QLatin1Char('\n')));
    setText(m_problem, explanation.catalogueProblem);
    setVisible(explanation.isKnown() || !explanation.catalogueProblem.isEmpty());
}

} // namespace rankdeck
