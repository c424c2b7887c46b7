#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QStandardPaths>

namespace tst_wrappedranks
{

using namespace rankdeck;

/// The ranks that a wrapped launcher starts.
class WrappedRanksTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void theLinesOfEachRankAreItsLog_data();
    void theLinesOfEachRankAreItsLog();
    void theVerdictNamesTheRank();
    void theErrorOfRanksWithoutLogsIsFound();
    void ranksAreFoundByTheirEnvironment();
    void aRankIsStoppedAlone();
    void aRedirectedRankHasItsOwnLog();
    void ranksOfMpirunAreFound();

private:
    /// Runs a shell script as a wrapped command to its end.
    Outcome wrap(const QString &script, const QStringList &options = {})
    {
        const Outcome outcome = ctl(wrapCommand(script, options));
        find();
        return outcome;
    }
    /// Starts it, and returns once so many ranks run.
    void start(const QString &script, int running)
    {
        const Outcome outcome = ctl(wrapCommand(
            script, {QStringLiteral("--detach"), QStringLiteral("--grace"), QStringLiteral("1")}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        find();
        QTRY_COMPARE_WITH_TIMEOUT(runningRanks(), running, programLimitMs);
    }
    static QStringList wrapCommand(const QString &script, const QStringList &options)
    {
        return QStringList{QStringLiteral("wrap")} + options +
               QStringList{QStringLiteral("--"), QStringLiteral("bash"), QStringLiteral("-c"), script};
    }
    void find()
    {
        const auto found = findRun(QStringLiteral("last"));
        m_directory = found ? *found : QString();
    }
    int runningRanks() const
    {
        const RunState now = state();
        int count = 0;
        for (std::size_t at = 0; at < now.ranks.size(); ++at)
            count += now.plan->processes[at].isFound && now.ranks[at].phase == RankPhase::Running &&
                     now.ranks[at].pid > 0;
        return count;
    }
    static int indexOf(const RunState &state, int rank)
    {
        for (std::size_t at = 0; at < state.plan->processes.size(); ++at) {
            if (state.plan->processes[at].isFound && state.plan->processes[at].rank.value == rank)
                return int(at);
        }
        return -1;
    }
    QByteArray logOfRank(int rank) const
    {
        const RunState now = state();
        const int index = indexOf(now, rank);
        return index < 0 ? QByteArray("no such rank")
                         : fileText(now.plan->processes[std::size_t(index)].logFile);
    }
};

void WrappedRanksTest::theLinesOfEachRankAreItsLog_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("torch") << QStringLiteral("echo start; for i in 0 1; do echo \"[rank$i]: step $i\"; done");
    QTest::newRow("torchrun --tee") << QStringLiteral(
        "echo start; for i in 0 1; do echo \"[default$i]:step $i\"; done");
    QTest::newRow("mpirun --tag-output")
        << QStringLiteral("echo start; for i in 0 1; do echo \"[1,$i]<stdout>:step $i\"; done");
    QTest::newRow("srun --label") << QStringLiteral("for i in 0 1; do echo \"$i: step $i\"; done");
}

void WrappedRanksTest::theLinesOfEachRankAreItsLog()
{
    QFETCH(QString, script);
    const Outcome outcome = wrap(script);
    QCOMPARE(outcome.code, 0);
    const RunState ended = state();
    QCOMPARE(ended.phase, RunPhase::Succeeded);
    QCOMPARE(ended.plan->processes.size(), 3U);
    QCOMPARE(logOfRank(0), QByteArray("step 0\n"));
    QCOMPARE(logOfRank(1), QByteArray("step 1\n"));
    // Nobody saw how they ended.
    QCOMPARE(ended.count(RankPhase::Unknown), 2);
    QCOMPARE(ended.count(RankPhase::Exited), 1);
    const Outcome logs =
        ctl({QStringLiteral("logs"), m_directory, QStringLiteral("--rank"), QStringLiteral("1")});
    QCOMPARE(logs.out, QByteArray("step 1\n"));
    QVERIFY(ctl({QStringLiteral("list"), QStringLiteral("--json")}).out.contains("\"world_size\": 2"));
}

void WrappedRanksTest::theVerdictNamesTheRank()
{
    const Outcome outcome = wrap(QStringLiteral("for i in 0 1 2; do echo \"[rank$i]: step 1\"; done\n"
                                                "echo '[rank1]: Traceback (most recent call last):'\n"
                                                "echo '[rank1]:   File \"train.py\", line 7, in <module>'\n"
                                                "echo '[rank1]: ValueError: bad batch'\n"
                                                "exit 3"));
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("Rank 1 failed first: ValueError: bad batch"), outcome.err.constData());
    QCOMPARE(state().exitCode, 3);
}

void WrappedRanksTest::theErrorOfRanksWithoutLogsIsFound()
{
    const Outcome outcome = wrap(QStringLiteral(
        "RANK=0 sleep 5 & RANK=1 sleep 5 & wait; echo 'RuntimeError: CUDA out of memory'; exit 4"));
    QCOMPARE(outcome.code, 4);
    QCOMPARE(state().plan->processes.size(), 3U);
    QVERIFY2(outcome.err.contains("RuntimeError"), outcome.err.constData());
}

void WrappedRanksTest::ranksAreFoundByTheirEnvironment()
{
    start(QStringLiteral(
              "for i in 0 1; do RANK=$i LOCAL_RANK=$i bash -c 'exec -a rank sleep 1000' & done; wait"),
          2);
    const RunState now = state();
    for (int rank = 0; rank < 2; ++rank) {
        const auto index = std::size_t(indexOf(now, rank));
        QVERIFY(fileText(QStringLiteral("/proc/%1/environ").arg(now.ranks[index].pid))
                    .contains("RANK=" + QByteArray::number(rank)));
        QCOMPARE(now.plan->processes[index].setVariables.value(QStringLiteral("LOCAL_RANK")),
                 QString::number(rank));
    }
    // Its end is seen, but not its exit code: its launcher has waited for it.
    QVERIFY(::kill(pid_t(now.ranks[std::size_t(indexOf(now, 1))].pid), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(now, 1))].status, programLimitMs);
    QCOMPARE(state().phase, RunPhase::Running);
    QCOMPARE(state().ranks[std::size_t(indexOf(now, 0))].phase, RankPhase::Running);
    // Signals and stacks go to the rank's process.
    const Outcome sent = ctl({QStringLiteral("signal"), m_directory, QStringLiteral("USR1"),
                              QStringLiteral("--rank"), QStringLiteral("0")});
    QVERIFY2(sent.code == 0, sent.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(now, 0))].status, programLimitMs);
}

void WrappedRanksTest::aRankIsStoppedAlone()
{
    start(QStringLiteral("for i in 0 1; do RANK=$i sleep 1000 & done; wait"), 2);
    const Outcome stopped =
        ctl({QStringLiteral("stop"), m_directory, QStringLiteral("--rank"), QStringLiteral("1")});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    const RunState now = state();
    QTRY_COMPARE_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(now, 1))].phase, RankPhase::Stopped,
                              programLimitMs);
    QCOMPARE(state().ranks[std::size_t(indexOf(now, 0))].phase, RankPhase::Running);
}

void WrappedRanksTest::aRedirectedRankHasItsOwnLog()
{
    const QString folder = m_home->path("");
    start(QStringLiteral(
              "for i in 0 1; do RANK=$i bash -c 'echo step 1; sleep 1000' > %1/own$i.log & done; wait")
              .arg(folder),
          2);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(1), QByteArray("step 1\n"), programLimitMs);
    const RunState now = state();
    QVERIFY(now.plan->processes[std::size_t(indexOf(now, 1))].logFile.endsWith(QLatin1String("own1.log")));
}

void WrappedRanksTest::ranksOfMpirunAreFound()
{
    if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
        QSKIP("mpirun is not installed");
    start(QStringLiteral(
              "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 exec mpirun --oversubscribe "
              "--tag-output -n 2 bash -c 'echo step $OMPI_COMM_WORLD_RANK; sleep 1000'"),
          2);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(0), QByteArray("step 0\n"), programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(1), QByteArray("step 1\n"), programLimitMs);
    const RunState now = state();
    QCOMPARE(now.plan->processes.size(), 3U);
    QVERIFY(::kill(pid_t(now.ranks[std::size_t(indexOf(now, 1))].pid), SIGKILL) == 0);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    // mpirun says how it ended.
    const auto status = state().ranks[std::size_t(indexOf(now, 1))].status;
    QVERIFY(status);
    QCOMPARE(status->text(), QStringLiteral("SIGKILL"));
    const Outcome report = ctl({QStringLiteral("list"), QStringLiteral("--json")});
    QVERIFY2(report.out.contains("Rank 1 failed first"), report.out.constData());
}

} // namespace tst_wrappedranks

RANKDECK_TEST(tst_wrappedranks, WrappedRanksTest)
#include "tst_wrappedranks.moc"
