#include "run/control/runclient.h"
#include "support/liverun.h"
#include "support/testmain.h"

#include <QFileInfo>

namespace tst_faults
{

using namespace rankdeck;

/// Processes of a live run are killed with SIGKILL. Within five seconds the run goes on whole, or nothing of
/// it is alive and its directory says why.
class FaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_run.reset(); }
    void killingRankdeckctlChangesNothing();
    void killingTheSupervisorTearsTheRunDown();
    void whoWatchesIsToldThatTheSupervisorDied();
    void killingTheAgentTearsTheRunDown();
    void killingSupervisorAndAgentTearsTheRunDown();
    void killingTheGuardianChangesNothing();
    void killingTheKeeperChangesNothing();
    void nothingIsLeftOfWhatIsKilledAtOnce_data();
    void nothingIsLeftOfWhatIsKilledAtOnce();
    void nothingIsLeftOfWhatIsKilledByName_data();
    void nothingIsLeftOfWhatIsKilledByName();
    void killingARankFailsTheRun();
    void killingARanksChildIsTheRanksAffair();
    void killingTheSupervisorDuringATearDown();
    void aRunCanBeStoppedAfterItsSocketWasLost();

private:
    static constexpr int goneMs = 5000;

    bool isTornDown() const
    {
        return QTest::qWaitFor([this] { return m_run->alive().isEmpty(); }, LiveRun::limitMs);
    }
    /// Journal, record and list all say that the supervisor died.
    void verifyLost(const QString &status);

    std::unique_ptr<LiveRun> m_run;
};

void FaultsTest::init()
{
    m_run = std::make_unique<LiveRun>();
    m_run->start();
    QVERIFY(m_run->isUp());
}

void FaultsTest::verifyLost(const QString &status)
{
    const RunState state = m_run->state();
    QCOMPARE(state.phase, RunPhase::Lost);
    QCOMPARE(state.count(RankPhase::Running), 0);
    QVERIFY(m_run->journal().last().is<events::Finished>());
    const RunRecord record = m_run->record();
    QCOMPARE(record.phase, RunPhase::Lost);
    QVERIFY(record.ended.isValid());
    QVERIFY(record.failure);
    QCOMPARE(record.failure->reason, u"%1 (%2)"_s.arg(lossText(record.ended, true), status));
    QVERIFY(m_run->journalSays(record.failure->reason));
    const Outcome list = ctl({u"list"_s});
    QVERIFY2(list.out.contains(lossText(record.ended, true).text().toUtf8()), list.out);
    // rankdeckctl noticed by itself: it is gone from /proc already, QProcess may hear of it a moment later.
    QTRY_COMPARE_WITH_TIMEOUT(m_run->ctlProcess().state(), QProcess::NotRunning, LiveRun::limitMs);
    QCOMPARE(m_run->ctlProcess().exitCode(), 1);
}

void FaultsTest::killingRankdeckctlChangesNothing()
{
    m_run->ctlProcess().kill();
    QVERIFY(m_run->ctlProcess().waitForFinished());
    QVERIFY(m_run->goesOnWhole());
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QVERIFY(isTornDown());
}

void FaultsTest::killingTheSupervisorTearsTheRunDown()
{
    QCOMPARE(::kill(m_run->supervisor(), SIGKILL), 0);
    QVERIFY(isTornDown());
    verifyLost(u"SIGKILL"_s);
}

void FaultsTest::whoWatchesIsToldThatTheSupervisorDied()
{
    // What a window has of a run.
    RunClient client(m_run->directory());
    RunState seen;
    connect(&client, &RunClient::stateChanged, this, [&](const RunState &state) { seen = state; });
    client.open();
    QTRY_COMPARE(seen.count(RankPhase::Running), LiveRun::ranks);
    QCOMPARE(::kill(m_run->supervisor(), SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(seen.phase, RunPhase::Lost, LiveRun::limitMs);
    QCOMPARE(seen.count(RankPhase::Running), 0);
    QVERIFY(seen.failure);
    QVERIFY(seen.failure->reason.text().contains("(SIGKILL)"_L1));
}

void FaultsTest::killingTheAgentTearsTheRunDown()
{
    QCOMPARE(::kill(m_run->agent(), SIGKILL), 0);
    QVERIFY(isTornDown());
    const RunState state = m_run->state();
    QCOMPARE(state.phase, RunPhase::Failed);
    QCOMPARE(state.failure->rank, Failure::noRank);
    QVERIFY2(state.failure->reason.text().contains("Lost the agent"_L1), qPrintable(state.failure->reason));
    for (const RankState &rank : state.ranks)
        QVERIFY(rank.status.has_value());
}

void FaultsTest::killingSupervisorAndAgentTearsTheRunDown()
{
    const pid_t agent = m_run->agent();
    const pid_t supervisor = m_run->supervisor();
    QCOMPARE(::kill(supervisor, SIGKILL), 0);
    // On a busy machine the agent may have ended for that already.
    QVERIFY(::kill(agent, SIGKILL) == 0 || errno == ESRCH);
    QVERIFY(isTornDown());
    verifyLost(u"SIGKILL"_s);
}

void FaultsTest::killingTheGuardianChangesNothing()
{
    QCOMPARE(::kill(m_run->guardian(), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->journalSays(u"lost its guardian"_s), LiveRun::limitMs);
    QVERIFY(m_run->goesOnWhole());
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QVERIFY(isTornDown());
    QCOMPARE(m_run->state().phase, RunPhase::Stopped);
}

void FaultsTest::killingTheKeeperChangesNothing()
{
    QCOMPARE(::kill(m_run->keeper(), SIGKILL), 0);
    QVERIFY(m_run->goesOnWhole());
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QVERIFY(isTornDown());
    QCOMPARE(m_run->state().phase, RunPhase::Stopped);
}

void FaultsTest::nothingIsLeftOfWhatIsKilledAtOnce_data()
{
    QTest::addColumn<bool>("guardian");
    QTest::addColumn<bool>("supervisor");
    QTest::addColumn<bool>("agent");
    for (int subset = 1; subset < 8; ++subset) {
        const bool isGuardian = (subset & 1) != 0;
        const bool isSupervisor = (subset & 2) != 0;
        const bool isAgent = (subset & 4) != 0;
        QTest::addRow("%s%s%s", isGuardian ? "guardian " : "", isSupervisor ? "supervisor " : "",
                      isAgent ? "agent" : "")
            << isGuardian << isSupervisor << isAgent;
    }
}

void FaultsTest::nothingIsLeftOfWhatIsKilledAtOnce()
{
    QFETCH(bool, guardian);
    QFETCH(bool, supervisor);
    QFETCH(bool, agent);
    QList<pid_t> victims;
    if (guardian)
        victims << m_run->guardian();
    if (supervisor)
        victims << m_run->supervisor();
    if (agent)
        victims << m_run->agent();
    for (const pid_t pid : victims)
        QCOMPARE(::kill(pid, SIGKILL), 0);
    if (guardian && !supervisor && !agent) {
        QVERIFY(m_run->goesOnWhole());
        QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), goneMs);
        return;
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), goneMs);
    if (supervisor)
        verifyLost(u"SIGKILL"_s);
    else
        QCOMPARE(m_run->state().phase, RunPhase::Failed);
}

void FaultsTest::nothingIsLeftOfWhatIsKilledByName_data()
{
    QTest::addColumn<bool>("byCommandLine");
    QTest::newRow("pkill -9 rankdeckctl") << false;
    QTest::newRow("pkill -9 -f rankdeckctl") << true;
}

void FaultsTest::nothingIsLeftOfWhatIsKilledByName()
{
    QFETCH(bool, byCommandLine);
    int killed = 0;
    for (const qint64 pid : m_run->alive()) { // Others' runs have that name as well.
        const QByteArray text =
            fileText(u"/proc/%1/%2"_s.arg(pid).arg(QLatin1String(byCommandLine ? "cmdline" : "comm")));
        if (text.contains("rankdeckctl"))
            killed += ::kill(static_cast<pid_t>(pid), SIGKILL) == 0 ? 1 : 0;
    }
    QVERIFY(killed >= (byCommandLine ? 4 : 3)); // The launch, the guardian, the supervisor and the agent.
    QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), goneMs);
    QCOMPARE(m_run->record().phase, RunPhase::Lost);
}

void FaultsTest::killingARankFailsTheRun()
{
    QCOMPARE(::kill(m_run->rank(6), SIGKILL), 0);
    QVERIFY(isTornDown());
    const RunState state = m_run->state();
    QCOMPARE(state.phase, RunPhase::Failed);
    QCOMPARE(state.failure->rank, Rank(6));
    QCOMPARE(state.exitCode, 128 + SIGKILL);
    QVERIFY(!state.failure->logTail.isEmpty());
}

void FaultsTest::killingARanksChildIsTheRanksAffair()
{
    const pid_t child = m_run->childOf(3);
    QCOMPARE(::kill(child, SIGKILL), 0);
    QTRY_VERIFY(!readProcess(child) || readProcess(child)->state == 'Z');
    const RunState state = m_run->state();
    QCOMPARE(state.phase, RunPhase::Running);
    QCOMPARE(state.count(RankPhase::Running), LiveRun::ranks);
    const QString log = state.plan->processes[3].logFile;
    const qint64 size = QFile(log).size();
    QTRY_VERIFY_WITH_TIMEOUT(QFile(log).size() > size, LiveRun::limitMs);
}

void FaultsTest::killingTheSupervisorDuringATearDown()
{
    // A rank that was stopped would have the grace, were it not continued.
    QCOMPARE(::kill(m_run->rank(2), SIGSTOP), 0);
    QCOMPARE(::kill(m_run->rank(5), SIGKILL), 0);
    const pid_t supervisor = m_run->supervisor();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->record().failure, LiveRun::limitMs);
    ::kill(supervisor, SIGKILL); // It may have ended by now.
    QVERIFY(isTornDown());
    const RunState state = m_run->state();
    QVERIFY(state.phase == RunPhase::Lost || state.phase == RunPhase::Failed);
    QCOMPARE(state.failure->rank, Rank(5));
    QCOMPARE(state.exitCode, 128 + SIGKILL);
}

void FaultsTest::aRunCanBeStoppedAfterItsSocketWasLost()
{
    // As when the user's last session ends: XDG_RUNTIME_DIR goes with all that is in it.
    const QString socket = m_run->record().socketPath;
    QVERIFY(QDir(QFileInfo(socket).path()).removeRecursively());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(socket), LiveRun::limitMs);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QVERIFY(isTornDown());
    QCOMPARE(m_run->state().phase, RunPhase::Stopped);
}

} // namespace tst_faults

RANKDECK_TEST(tst_faults, FaultsTest)
#include "tst_faults.moc"
