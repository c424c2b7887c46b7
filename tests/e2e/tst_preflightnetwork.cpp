#include "base/json.h"
#include "support/cablednodes.h"
#include "support/freeport.h"
#include "support/remoterun.h"
#include "support/testmain.h"

namespace tst_preflightnetwork
{

using namespace rankdeck;

/// A preflight of two nodes, each in a network of its own, that are both reached from here.
class PreflightNetworkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void nodesThatReachEachOtherPass();
    void everyPairBetweenPartedNodesIsNamed();

private:
    Outcome preflight() const
    {
        return ctl(QStringList{u"preflight"_s, u"--json"_s, u"processes"_s} + m_remote->nodeOptions() +
                   QStringList{u"--nproc"_s, u"2"_s, u"--master-port"_s, QString::number(freePort()), u"--"_s,
                               u"true"_s});
    }

    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<CabledNodes> m_nodes;
};

void PreflightNetworkTest::init()
{
    if (!CabledNodes::canBe())
        QSKIP("network namespaces take root, ip and an OpenSSH server");
    m_remote = std::make_unique<RemoteRun>();
    m_nodes = std::make_unique<CabledNodes>(m_remote->home().path("nodes"));
    QVERIFY(m_nodes->start());
    m_remote->setConfiguration(m_nodes->configuration());
}

void PreflightNetworkTest::cleanup()
{
    m_nodes.reset();
    m_remote.reset();
}

void PreflightNetworkTest::nodesThatReachEachOtherPass()
{
    const Outcome outcome = preflight();
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    QCOMPARE((*parseJson(outcome.out))["pairs"].size(), std::size_t(6));
    QTRY_VERIFY(m_nodes->areIdle());
}

void PreflightNetworkTest::everyPairBetweenPartedNodesIsNamed()
{
    QVERIFY(CabledNodes::part());
    const Outcome outcome = preflight();
    QVERIFY2(outcome.code == 1, outcome.out + outcome.err);
    const nlohmann::json json = *parseJson(outcome.out);
    QStringList failed;
    for (const nlohmann::json &check : json["checks"]) {
        if (check["part"] == "pairs" && check["status"] == "fail")
            failed << check["subject"].get<QString>();
    }
    QCOMPARE(failed,
             (QStringList{u"rank 0 on alpha and rank 2 on beta"_s, u"rank 0 on alpha and rank 3 on beta"_s,
                          u"rank 1 on alpha and rank 2 on beta"_s, u"rank 1 on alpha and rank 3 on beta"_s}));
    for (const nlohmann::json &pair : json["pairs"]) {
        const bool isWithin = pair["to"] == 1 || pair["from"] == 2;
        QCOMPARE(pair["problem"].get<std::string>().empty(), isWithin);
        QCOMPARE(pair["latency_us"].get<double>() > 0, isWithin);
    }
    QVERIFY(json["seconds"].get<double>() < 30);
    QTRY_VERIFY(m_nodes->areIdle());
}

} // namespace tst_preflightnetwork

RANKDECK_TEST_ON_OWN_MACHINE(tst_preflightnetwork, PreflightNetworkTest)
#include "tst_preflightnetwork.moc"
