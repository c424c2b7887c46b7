#include "launchform/noderow.h"

#include "state/notelabel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

QString nodeFacts(const NodeTestResult &result)
{
    if (!result.description)
        return NodeRow::tr("Usable: %1").arg(wantedCopyText(result));
    const NodeDescription &node = *result.description;
    const QString offset =
        QStringLiteral("%1%2").arg(result.clockOffsetMs < 0 ? QString() : QStringLiteral("+"),
                                   QString::number(result.clockOffsetMs, 'f', 1));
    return NodeRow::tr("Usable: Rankdeck %1 (%8) on %2, %3 NPUs, clock %4 ms (within %5 ms), %6 free in %7.")
        .arg(node.version, node.architecture, QString::number(node.npuCount), offset,
             QString::number(result.roundTripMs / 2, 'f', 1), QLocale().formattedDataSize(node.freeBytes),
             node.directory, node.program);
}

NodeRow::NodeRow(QWidget *parent)
    : QWidget(parent)
    , m_name(new QLabel)
    , m_found(new NoteLabel(QStringLiteral("nodeResult")))
    , m_button(new QPushButton)
{
    m_name->setTextFormat(Qt::PlainText);
    m_name->setObjectName(QStringLiteral("nodeName"));
    m_button->setObjectName(QStringLiteral("testNodeButton"));
    m_button->setAutoDefault(false);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_isKeyUnknown)
            Q_EMIT keyWanted();
        else
            Q_EMIT testWanted();
    });
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_name);
    words->addWidget(m_found);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(words, 1);
    row->addWidget(m_button, 0, Qt::AlignTop);
}

QWidget *NodeRow::button() const
{
    return m_button;
}

void NodeRow::setNode(const TestedNode &node)
{
    const bool isTested = node.state == TestedNode::State::Tested;
    m_isKeyUnknown = isTested && node.result.isKeyUnknown;
    m_name->setText(node.name);
    m_button->setText(m_isKeyUnknown ? tr("Host key…") : tr("Test"));
    m_button->setAccessibleName(m_isKeyUnknown ? tr("Show the host key of %1").arg(node.name)
                                               : tr("Test %1").arg(node.name));
    m_button->setEnabled(node.state != TestedNode::State::Testing);
    QStringList found;
    if (isTested && node.result.isUsable())
        found << nodeFacts(node.result);
    if (isTested && m_isKeyUnknown)
        found << tr("Its host key is not known here. See it, and say whether you trust it.");
    else if (isTested && !node.result.problem.isEmpty())
        found << node.result.problem;
    const bool isProblem = isTested && (!node.result.isUsable() || !node.result.problem.isEmpty());
    m_found->setProblem(isProblem ? found.join(QLatin1Char(' ')) : QString());
    if (node.state == TestedNode::State::Testing)
        m_found->setHelp(tr("Being tested…"));
    else
        m_found->setHelp(isTested ? found.join(QLatin1Char(' ')) : tr("Not tested."));
}

} // namespace rankdeck
