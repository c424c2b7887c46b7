#include "run/control/runclient.h"
#include "support/cablednodes.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

namespace tst_cutcables
{

using namespace rankdeck;

/// Runs on two nodes, each in a network of its own, whose cable to this one is cut: what breaks there breaks
/// without a word to the other side.
class CutCablesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aCutThatIsMendedInTimeCostsNothing();
    void aNodeWhoseCableIsCutIsLost();
    void aNodeWhoseAgentLivesIsFoundAgain();
    void whatEndedBehindACutCableIsToldLater();
    void whatCarriesAStreamMayBeKilled_data();
    void whatCarriesAStreamMayBeKilled();
    void ranksEndAtOnceWhenTheirSupervisorWasKilled_data();
    void ranksEndAtOnceWhenTheirSupervisorWasKilled();
    void ranksBehindACutCableEndWhenTheirSupervisorWasKilled();
    void aCutCostsNothingOrIsTold_data();
    void aCutCostsNothingOrIsTold();

private:
    bool startRun();
    /// Ssh to beta dies behind a cut cable.
    void loseTheStreamToBeta() const;
    void verifyLost(const QString &how) const;

    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<CabledNodes> m_nodes;
    std::unique_ptr<SteadyRun> m_run;
};

void CutCablesTest::init()
{
    if (!CabledNodes::canBe())
        QSKIP("network namespaces take root, ip and an OpenSSH server");
    m_remote = std::make_unique<RemoteRun>();
    m_nodes = std::make_unique<CabledNodes>(m_remote->home().path("nodes"));
    QVERIFY(m_nodes->start());
    m_remote->setConfiguration(m_nodes->configuration());
    m_run = std::make_unique<SteadyRun>(*m_remote);
}

void CutCablesTest::cleanup()
{
    m_run.reset();
    m_nodes.reset();
    m_remote.reset();
}

bool CutCablesTest::startRun()
{
    return ctl(m_run->arguments(m_remote->nodeOptions() << u"--detach"_s)).code == 0 && m_run->isUp();
}

/// As the run's first failure, on all sides.
void CutCablesTest::verifyLost(const QString &how) const
{
    const RunState ended = m_run->state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->node, u"beta"_s);
    QVERIFY2(ended.failure->reason.text().startsWith("Lost node beta since "_L1) &&
                 ended.failure->reason.text().contains(how),
             qPrintable(ended.failure->reason));
}

void CutCablesTest::aCutThatIsMendedInTimeCostsNothing()
{
    // What TCP sends again comes later each time.
    m_run = std::make_unique<SteadyRun>(*m_remote, 40);
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    const int before = m_run->lines(3);
    // More than two seconds: who lives says something within them.
    QTRY_VERIFY_WITH_TIMEOUT(m_run->lines(3) > before + 20, programLimitMs);
    QVERIFY(CabledNodes::mend("beta"));
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    const RunState ended = m_run->state();
    QCOMPARE(ended.phase, RunPhase::Succeeded);
    for (int rank = 0; rank < SteadyRun::ranks; ++rank) {
        QVERIFY(ended.ranks[std::size_t(rank)].status->isSuccess());
        QCOMPARE(m_run->lines(rank), m_run->counted(rank));
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneMs);
}

void CutCablesTest::aNodeWhoseCableIsCutIsLost()
{
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), SteadyRun::goneSilentlyMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), SteadyRun::goneMs);
    verifyLost(u"no answer for 6 s"_s);
    // Nobody has heard how those on beta ended.
    QCOMPARE(m_run->state().ranks[3].phase, RankPhase::Unknown);
    QCOMPARE(m_run->state().ranks[0].phase, RankPhase::Ended);
}

void CutCablesTest::loseTheStreamToBeta() const
{
    QVERIFY(CabledNodes::cut("beta"));
    // More than two seconds: what the head says meanwhile arrives when the cable is mended, right before the
    // end of the stream.
    const int before = m_run->lines(0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->lines(0) > before + 20, programLimitMs);
    QVERIFY(::kill(m_run->client("beta"), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasHappened<events::LinkLost>("beta"), programLimitMs);
}

void CutCablesTest::aNodeWhoseAgentLivesIsFoundAgain()
{
    m_run = std::make_unique<SteadyRun>(*m_remote, 40);
    QVERIFY(startRun());
    const QList<qint64> pids = m_run->pids();
    RunClient client(m_run->state().directory);
    NodeSample beta;
    connect(&client, &RunClient::sampled, this, [&](const NodeSample &sample) {
        if (sample.node == "beta"_L1)
            beta = sample;
    });
    client.sample({true, -1});
    client.open();
    QTRY_COMPARE_WITH_TIMEOUT(beta.loads.keys(), (QList<int>{2, 3}), programLimitMs);
    loseTheStreamToBeta();
    beta = {};
    QVERIFY2(
        m_run->state().unreached.value(u"beta"_s).startsWith("beta: connection lost, trying again since "_L1),
        qPrintable(m_run->state().unreached.value(u"beta"_s)));
    QVERIFY(CabledNodes::mend("beta"));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasHappened<events::LinkBack>("beta"), programLimitMs);
    QVERIFY(m_run->state().unreached.isEmpty());
    QCOMPARE(m_run->state().count(RankPhase::Running), SteadyRun::ranks);
    QCOMPARE(m_run->pids(), pids); // The same processes: none was started anew.
    QTRY_COMPARE_WITH_TIMEOUT(beta.loads.keys(), (QList<int>{2, 3}), programLimitMs);
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    QCOMPARE(m_run->state().count(RankPhase::Exited), SteadyRun::ranks);
    for (int rank = 0; rank < SteadyRun::ranks; ++rank)
        QCOMPARE(m_run->lines(rank), m_run->counted(rank));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), SteadyRun::goneMs);
}

void CutCablesTest::whatEndedBehindACutCableIsToldLater()
{
    m_run = std::make_unique<SteadyRun>(*m_remote, 40);
    QVERIFY(m_remote->standApart()); // What the ranks print has to come along too.
    QVERIFY(startRun());
    loseTheStreamToBeta();
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({2, 3}), programLimitMs);
    QVERIFY(!m_run->hasEnded());
    QVERIFY(m_run->lines(3) < m_run->counted(3));
    QVERIFY(CabledNodes::mend("beta"));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    QCOMPARE(m_run->state().count(RankPhase::Exited), SteadyRun::ranks);
    for (int rank = 0; rank < SteadyRun::ranks; ++rank)
        QCOMPARE(m_run->lines(rank), m_run->counted(rank));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), SteadyRun::goneMs);
}

void CutCablesTest::whatCarriesAStreamMayBeKilled_data()
{
    QTest::addColumn<bool>("isHere");
    QTest::newRow("ssh on this machine") << true;
    QTest::newRow("the session of sshd on the node") << false;
}

/// As the kernel does where memory is short, or logind: neither supervisor nor agent has died.
void CutCablesTest::whatCarriesAStreamMayBeKilled()
{
    QFETCH(bool, isHere);
    m_run = std::make_unique<SteadyRun>(*m_remote, 40);
    QVERIFY(startRun());
    const QList<qint64> pids = m_run->pids();
    const pid_t carrier = isHere ? m_run->client("beta") : SteadyRun::above(m_run->rank(3), "sshd");
    QVERIFY(carrier > 0 && ::kill(carrier, SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasHappened<events::LinkBack>("beta"), programLimitMs);
    QCOMPARE(m_run->pids(), pids);
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    for (int rank = 0; rank < SteadyRun::ranks; ++rank)
        QCOMPARE(m_run->lines(rank), m_run->counted(rank));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), SteadyRun::goneMs);
}

void CutCablesTest::ranksEndAtOnceWhenTheirSupervisorWasKilled_data()
{
    QTest::addColumn<bool>("withGuardian");
    QTest::newRow("the guardian says goodbye") << false;
    QTest::newRow("the keeper says goodbye") << true;
}

void CutCablesTest::ranksEndAtOnceWhenTheirSupervisorWasKilled()
{
    QFETCH(bool, withGuardian);
    m_run = std::make_unique<SteadyRun>(*m_remote, 600); // No silence ends them.
    QVERIFY(startRun());
    const pid_t supervisor = m_run->supervisor();
    if (const auto process = readProcess(supervisor); withGuardian)
        QVERIFY(process && ::kill(process->parent, SIGKILL) == 0);
    QVERIFY(::kill(supervisor, SIGKILL) == 0);
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), programLimitMs);
    qInfo("The ranks of both nodes were gone after %lld ms; 5,000 is the goal.", timer.elapsed());
    QCOMPARE(m_run->state().phase, RunPhase::Lost);
}

void CutCablesTest::ranksBehindACutCableEndWhenTheirSupervisorWasKilled()
{
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    QVERIFY(::kill(m_run->supervisor(), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({0, 1}), SteadyRun::goneMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({2, 3}) && m_nodes->areIdle(), SteadyRun::goneSilentlyMs);
    // Here, the guardian gives the agent behind the cable the time that it may need.
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Lost);
}

void CutCablesTest::aCutCostsNothingOrIsTold_data()
{
    QTest::addColumn<int>("seconds");
    QTest::newRow("5 s") << 5;
    QTest::newRow("25 s") << 25;
    QTest::newRow("60 s") << 60;
}

/// With the usual --node-timeout. Takes minutes, so it is run where RANKDECK_LONG_CUTS is set.
void CutCablesTest::aCutCostsNothingOrIsTold()
{
    if (!qEnvironmentVariableIsSet("RANKDECK_LONG_CUTS"))
        QSKIP("takes two minutes: set RANKDECK_LONG_CUTS=1");
    QFETCH(int, seconds);
    m_run = std::make_unique<SteadyRun>(*m_remote, NodeOptions().silenceSeconds);
    QVERIFY(startRun());
    QVERIFY(CabledNodes::cut("beta"));
    QElapsedTimer cut;
    cut.start();
    QTRY_VERIFY_WITH_TIMEOUT(cut.hasExpired(seconds * 1000), (seconds + 1) * 1000);
    QVERIFY(CabledNodes::mend("beta"));
    const int before = m_run->lines(3);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded() || m_run->lines(3) > before + 100, programLimitMs);
    if (m_run->hasEnded()) {
        QVERIFY(seconds > 25);
        verifyLost(u"no answer for 30 s"_s);
    } else {
        QVERIFY(seconds < 60);
        m_run->finish();
        QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
        QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    }
    qInfo("%d s: %s", seconds, qPrintable(phaseWord(m_run->state().phase)));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone() && m_nodes->areIdle(), SteadyRun::goneMs);
}

} // namespace tst_cutcables

RANKDECK_TEST_ON_OWN_MACHINE(tst_cutcables, CutCablesTest)
#include "tst_cutcables.moc"
