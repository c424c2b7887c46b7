#include "launchform/nodepanel.h"

#include "launchform/noderow.h"
#include "state/notelabel.h"

#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

NodePanel::NodePanel(QWidget *parent)
    : QWidget(parent)
    , m_tests(new NodeTests(this))
    , m_testAll(new QPushButton(tr("&Test all nodes")))
    , m_note(new NoteLabel(QStringLiteral("nodesNote")))
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("nodePanel"));
    m_testAll->setObjectName(QStringLiteral("testAllNodesButton"));
    m_testAll->setAutoDefault(false);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->addWidget(m_testAll, 0, Qt::AlignLeft);
    m_layout->addWidget(m_note);
    connect(m_testAll, &QPushButton::clicked, m_tests, &NodeTests::testAll);
    connect(m_tests, &NodeTests::nodesChanged, this, &NodePanel::showNodes);
    connect(m_tests, &NodeTests::nodeChanged, this, &NodePanel::showNode);
    connect(m_tests, &NodeTests::keyShown, this, &NodePanel::askAboutKey);
    connect(m_tests, &NodeTests::failed, m_note, &NoteLabel::setProblem);
    showNodes();
}

QList<QWidget *> NodePanel::focusOrder() const
{
    QList<QWidget *> order{m_testAll};
    for (const NodeRow *row : m_rows)
        order += row->button();
    return order;
}

void NodePanel::showNodes()
{
    const int count = int(m_tests->nodes().size());
    while (m_rows.size() > count)
        delete m_rows.takeLast();
    while (m_rows.size() < count) {
        auto *row = new NodeRow;
        const int index = int(m_rows.size());
        connect(row, &NodeRow::testWanted, m_tests, [this, index] { m_tests->test(index); });
        connect(row, &NodeRow::keyWanted, m_tests, [this, index] { m_tests->fetchKey(index); });
        m_layout->addWidget(row);
        setTabOrder(m_rows.isEmpty() ? m_testAll : m_rows.constLast()->button(), row->button());
        m_rows += row;
    }
    for (int index = 0; index < count; ++index)
        showNode(index);
    m_testAll->setEnabled(!m_tests->areGivenAtLaunch());
    if (m_tests->areGivenAtLaunch())
        m_note->setHelp(
            tr("The launch asks Slurm for its nodes. They can be tested in an allocation, from salloc."));
    else
        m_note->setHelp(count > 0
                            ? tr("Starts an agent there, as the launch would, and asks it what its node is.")
                            : tr("Slurm is asked which nodes these are."));
}

void NodePanel::showNode(int index)
{
    m_rows.at(index)->setNode(m_tests->nodes().at(index));
}

void NodePanel::askAboutKey(const QString &node, const HostKey &key)
{
    auto *question =
        new QMessageBox(QMessageBox::Question, tr("Trust this key?"), {}, QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("keyQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setText(
        tr("The host key of %1 is\n%2\n\nTrust this key? Compare it with what the node's owner tells "
           "you. It is kept for Rankdeck alone, in %3.")
            .arg(node, key.fingerprint, knownHostsPath()));
    QPushButton *yes = question->addButton(tr("&Trust it"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("trustKeyButton"));
    question->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QPushButton::clicked, m_tests, [this, node, key] { m_tests->trust(node, key); });
    question->open();
}

} // namespace rankdeck
