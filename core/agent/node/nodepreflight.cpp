#include "agent/node/nodepreflight.h"

#include "agent/node/nodepreparation.h"
#include "base/language.h"
#include "base/program.h"

namespace rankdeck
{

void NodePreflight::check(const orders::CheckNode &order)
{
    if (m_check)
        return;
    takeOverEnvironment(order.environment);
    // An agent that checks writes no record: the user alone reads what it says.
    if (translationLanguages().contains(order.language))
        installTranslations(order.language);
    m_check =
        std::make_unique<NodeCheck>(NodeCheckTask{order.plan, order.imports, order.tableIps, order.seconds});
    connect(m_check.get(), &NodeCheck::checked, &m_head, [this](const PreflightCheck &check) {
        m_head.send(NodeAnswer{check, {}}.toLine());
    });
    connect(m_check.get(), &NodeCheck::done, &m_head, [this](const NodeCheckEnd &end) {
        m_head.send(NodeAnswer{{}, end}.toLine());
    });
    m_check->start();
}

void NodePreflight::startSelfTest(const orders::StartSelfTest &order)
{
    if (!m_selfTest) {
        m_selfTest = std::make_unique<SelfTestRanks>();
        connect(m_selfTest.get(), &SelfTestRanks::said, &m_head, [this](int rank, const QByteArray &line) {
            m_head.send(RankLine{rank, line}.toLine());
        });
        connect(m_selfTest.get(), &SelfTestRanks::rankEnded, &m_head, [this](int rank, const QString &how) {
            m_head.send(RankLine{rank, {}, true, how}.toLine());
        });
    }
    m_selfTest->start(programPath(), order.ranks, order.worldSize, order.arguments);
}

void NodePreflight::tellRank(const orders::TellRank &order)
{
    if (m_selfTest)
        m_selfTest->tell(order.rank, order.line);
}

} // namespace rankdeck
