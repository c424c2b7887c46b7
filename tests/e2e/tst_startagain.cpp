#include "launch/plan/launchplan.h"
#include "run/replay/runreplay.h"
#include "support/launchedrun.h"
#include "support/remoterun.h"
#include "support/testmain.h"

#include <csignal>

namespace tst_startagain
{

using namespace rankdeck;

/// Ranks of a live run that are started again while the others go on, with real processes.
class StartAgainTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void aFailedRankThatSucceedsIsNoFailure();
    void theFailureThatIsLeftIsTheRuns();
    void aRankThatRunsIsEndedFirst();
    void aStoppedRankThatSucceedsMakesTheRunSucceed();
    void aRankThatFailsAgainFailsTheRun();
    void whatAnEndedRankLeftBehindIsEndedFirst();
    void theErrorOfAnEarlierLifeIsPutAside();
    void aRankThatHasYetToStartIsAwaited();
    void aRankOfAnotherNodeIsStartedByItsAgent();
    void whatCannotBeStartedIsSaid_data();
    void whatCannotBeStartedIsSaid();
    void ranksOfAWrappedCommandAreRefused();
    void aPastRunIsRefused();

private:
    static constexpr int demoRanks = 8; ///< Of the demo's rank table.

    /// Ranks of davincirun, which go on when one fails.
    void launchTolerant(const QString &script)
    {
        const Outcome launched = ctl({u"davincirun"_s, u"--rank-table"_s, demoTable(), u"--log-dir"_s,
                                      m_home->path("log"), u"--no-destroy"_s, u"--grace"_s, u"1"_s,
                                      u"--detach"_s, u"--"_s, u"sh"_s, u"-c"_s, inHome(script)});
        QVERIFY2(launched.code == 0, launched.err.constData());
        m_directory = *findRun(u"last"_s);
    }
    QString inHome(const QString &script) const { return u"cd '%1'; %2"_s.arg(m_home->path(""), script); }
    static QString waiting() { return u"while [ ! -e end ]; do sleep 0.02; done; "_s; }
    QStringList waiter(const QString &script = {}) const
    {
        return {u"sh"_s, u"-c"_s, inHome(script + waiting())};
    }
    void touch(const char *name) const
    {
        QFile file(m_home->path(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    Outcome startAgain(const char *chosen) const
    {
        return ctl({u"restart"_s, m_directory, u"--rank"_s, QLatin1String(chosen)});
    }
    RankPhase phaseOf(int index) const { return state().ranks.at(std::size_t(index)).phase; }
    int wait() const { return ctl({u"wait"_s, m_directory}).code; }
};

void StartAgainTest::aFailedRankThatSucceedsIsNoFailure()
{
    launchTolerant(u"if [ $RANK_ID = 3 ] && [ ! -e mended ]; then "
                   "echo 'RuntimeError: first life'; touch failed; exit 4; fi; "
                   "echo life of $RANK_ID; "_s +
                   waiting());
    QTRY_VERIFY_WITH_TIMEOUT(state().failure.has_value(), programLimitMs);
    QCOMPARE(state().failure->rank.value, 3);
    QCOMPARE(phaseOf(3), RankPhase::Failed);
    const qint64 pid = rank(3);
    touch("mended");
    const Outcome again = startAgain("3");
    QVERIFY2(again.code == 0, again.err.constData());
    QVERIFY2(
        again.err.contains("proc-rank-3-device-3 (pid: " + QByteArray::number(rank(3)) + "): started again"),
        again.err.constData());
    QVERIFY2(again.err.contains("does not take a rank back"), again.err.constData());
    QVERIFY(rank(3) != pid);
    QCOMPARE(phaseOf(3), RankPhase::Running);
    QTRY_COMPARE_WITH_TIMEOUT(logOf(3), QByteArray("RuntimeError: first life\nlife of 3\n"), programLimitMs);
    QVERIFY(!state().failure);
    QVERIFY(state().notes.contains(u"Rank 3 is started again on request."_s));
    touch("end");
    QCOMPARE(wait(), 0);
    const RunState ended = state();
    QCOMPARE(ended.phase, RunPhase::Succeeded);
    QCOMPARE(ended.count(RankPhase::Exited), demoRanks);

    // The replay has both lives.
    const auto replay = RunReplay::of(ended);
    QVERIFY(replay);
    QList<RankPhase> phases;
    for (QDateTime time = replay->begin(); time <= replay->end(); time = time.addMSecs(5)) {
        const RankPhase phase = replay->stateAt(time).ranks[3].phase;
        if (phases.isEmpty() || phases.last() != phase)
            phases << phase;
    }
    phases.removeOne(RankPhase::Waiting);
    QVERIFY2(phases.contains(RankPhase::Failed) &&
                 phases.indexOf(RankPhase::Failed) < phases.lastIndexOf(RankPhase::Running),
             qPrintable(QString::number(phases.size())));
    QCOMPARE(phases.last(), RankPhase::Exited);
}

void StartAgainTest::theFailureThatIsLeftIsTheRuns()
{
    // Rank 3 fails first, and says more about it.
    launchTolerant(u"if [ $RANK_ID = 3 ] && [ ! -e mended ]; then echo 'EI0002: notify wait timeout'; "
                   "touch failed; exit 4; fi; if [ $RANK_ID = 5 ]; then while [ ! -e failed ]; do "
                   "sleep 0.02; done; sleep 0.2; echo 'ValueError: of rank 5'; exit 6; fi; "_s +
                   waiting());
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Failed), 2, programLimitMs);
    QCOMPARE(state().failure->rank.value, 3);
    touch("mended");
    QCOMPARE(startAgain("3").code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(state().failure && state().failure->rank.value == 5, programLimitMs);
    touch("end");
    QCOMPARE(wait(), 6);
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Rank 5 failed first"), report.out.constData());
    QVERIFY2(!report.out.contains("EI0002"), report.out.constData());
}

void StartAgainTest::aRankThatRunsIsEndedFirst()
{
    launch({}, waiter(u"(setsid sleep 1000 &); echo up; "_s));
    QTRY_VERIFY_WITH_TIMEOUT(logOf(1).contains("up"), programLimitMs);
    const qint64 pid = rank(1);
    const Outcome again = startAgain("1");
    QVERIFY2(again.code == 0, again.err.constData());
    QVERIFY(!readProcess(static_cast<pid_t>(pid)));
    QTRY_COMPARE_WITH_TIMEOUT(logOf(1), QByteArray("up\nup\n"), programLimitMs);
    QVERIFY(!events<events::Swept>().isEmpty()); // Its child in a session of its own.
    QCOMPARE(state().count(RankPhase::Running), ranks);
    QCOMPARE(state().phase, RunPhase::Running);
    touch("end");
    QCOMPARE(wait(), 0);
    QCOMPARE(state().phase, RunPhase::Succeeded);
}

void StartAgainTest::aStoppedRankThatSucceedsMakesTheRunSucceed()
{
    launch({}, waiter());
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--rank"_s, u"1,2"_s}).code, 0);
    QCOMPARE(phaseOf(1), RankPhase::Stopped);
    QCOMPARE(startAgain("1,2").code, 0);
    QVERIFY(state().notes.contains(u"Ranks 1-2 are started again on request."_s));
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--rank"_s, u"2"_s}).code, 0);
    QCOMPARE(phaseOf(2), RankPhase::Stopped); // It can be stopped in its second life too.
    QCOMPARE(startAgain("2").code, 0);
    touch("end");
    QCOMPARE(wait(), 0);
    QCOMPARE(state().phase, RunPhase::Succeeded);
}

void StartAgainTest::aRankThatFailsAgainFailsTheRun()
{
    launch({}, waiter(u"[ -e second ] && exit 7; "_s));
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--rank"_s, u"2"_s}).code, 0);
    touch("second");
    QCOMPARE(startAgain("2").code, 0);
    QCOMPARE(wait(), 7);
    const RunState ended = state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QCOMPARE(ended.failure->rank.value, 2);
    QCOMPARE(ended.ranks[2].phase, RankPhase::Failed);
}

void StartAgainTest::whatAnEndedRankLeftBehindIsEndedFirst()
{
    launchTolerant(u"if [ $RANK_ID = 2 ] && [ ! -e child ]; then setsid sleep 1000 & "
                   "echo $! > child.new; mv child.new child; exit 4; fi; "_s +
                   waiting());
    QTRY_VERIFY_WITH_TIMEOUT(phaseOf(2) == RankPhase::Failed, programLimitMs);
    const auto child = static_cast<pid_t>(fileText(m_home->path("child")).trimmed().toInt());
    QVERIFY(readProcess(child));
    QCOMPARE(startAgain("2").code, 0);
    const auto left = readProcess(child);
    QVERIFY(!left || left->state == 'Z');
    touch("end");
    QCOMPARE(wait(), 0);
}

void StartAgainTest::theErrorOfAnEarlierLifeIsPutAside()
{
    launch({}, waiter(u"[ $RANK = 1 ] && [ ! -e told ] && touch told && echo '{\"message\": "
                      "\"first life\"}' > $TORCHELASTIC_ERROR_FILE; "_s));
    const QString errorFile = state().plan->processes[1].setVariables.value(u"TORCHELASTIC_ERROR_FILE"_s);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(errorFile), programLimitMs);
    QCOMPARE(startAgain("1").code, 0);
    QVERIFY(!QFile::exists(errorFile));
    QVERIFY(fileText(errorFile + u".1"_s).contains("first life"));
    touch("end");
    QCOMPARE(wait(), 0);
}

void StartAgainTest::aRankThatHasYetToStartIsAwaited()
{
    const Outcome launched = ctl(QStringList{u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                                             QString::number(freePort()), u"--detach"_s, u"--"_s} +
                                 waiter());
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_directory = *findRun(u"last"_s);
    const Outcome again = startAgain("1");
    QVERIFY2(again.code == 0, again.err.constData());
    touch("end");
    QCOMPARE(wait(), 0);
}

void StartAgainTest::aRankOfAnotherNodeIsStartedByItsAgent()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    RemoteRun remote;
    QVERIFY(remote.startSsh());
    const Outcome launched = ctl(QStringList{u"processes"_s} + remote.nodeOptions() +
                                 QStringList{u"--work-dir"_s, QFileInfo(remote.program()).path(),
                                             u"--grace"_s, u"1"_s, u"--nproc"_s, u"2"_s, u"--detach"_s,
                                             u"--master-port"_s, QString::number(freePort())} +
                                 waiter(u"echo up; "_s));
    m_directory = runsDirectory() + '/'_L1 + QString::fromUtf8(launched.out.trimmed());
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), 4, programLimitMs);
    const qint64 pid = rank(3);
    const Outcome again = startAgain("3");
    QVERIFY2(again.code == 0, again.err.constData());
    QVERIFY(rank(3) != pid);
    QTRY_COMPARE_WITH_TIMEOUT(logOf(3), QByteArray("up\nup\n"), programLimitMs);
    QCOMPARE(events<events::ProcessStarted>().last().node, u"beta"_s);
    // Once no rank of a node is left, its agent has ended.
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--node"_s, u"beta"_s}).code, 0);
    const Outcome refused = startAgain("3");
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("no process of the run is left on beta"), refused.err.constData());
    touch("end");
    QCOMPARE(wait(), 128 + SIGTERM);
}

void StartAgainTest::whatCannotBeStartedIsSaid_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no ranks") << QStringList() << QByteArray("--rank");
    QTest::newRow("an unknown rank") << QStringList{u"--rank"_s, u"9"_s} << QByteArray("9");
}

void StartAgainTest::whatCannotBeStartedIsSaid()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, words);
    launch({}, waiter());
    verifyOneSentence(ctl(QStringList{u"restart"_s, m_directory} + options), words);
}

void StartAgainTest::ranksOfAWrappedCommandAreRefused()
{
    const QString rank = inHome(waiting());
    const Outcome launched =
        ctl({u"wrap"_s, u"--detach"_s, u"--"_s, u"sh"_s, u"-c"_s,
             u"for r in 0 1; do RANK=$r LOCAL_RANK=$r WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 "
             "MASTER_PORT=1 sh -c \"%1\" & done; wait"_s.arg(rank)});
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_directory = *findRun(u"last"_s);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.size() == 3, programLimitMs);
    const Outcome refused = startAgain("1");
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("its own launcher started it, not Rankdeck"), refused.err.constData());
    touch("end");
    QCOMPARE(wait(), 0);
}

void StartAgainTest::aPastRunIsRefused()
{
    launch({}, waiter());
    touch("end");
    QCOMPARE(wait(), 0);
    verifyOneSentence(startAgain("1"), "Only ranks of a live run can be started again.");
}

} // namespace tst_startagain

RANKDECK_TEST(tst_startagain, StartAgainTest)
#include "tst_startagain.moc"
