#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/slurmcluster.h"
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
    void theLogThatARankOpensIsItsOwn();
    void ranksThatOutliveTheirCommandGoOn();
    void aRankThatOutlivesItsCommandMayFailTheRun();
    void noRankWithAnExitCodeIsWithoutAnError();
    void whatIsNoRankDoesNotOutliveItsCommand();
    void ranksOfMpirunAreFound();
    void ranksOfTorchrunAreFound();
    void ranksOfSrunAreFound();

private:
    /// Runs a shell script as a wrapped command to its end.
    Outcome wrap(const QString &script, const QStringList &options = {})
    {
        const Outcome outcome = ctl(wrapCommand(script, options));
        find();
        return outcome;
    }
    /// Starts it, and returns once so many ranks run.
    void start(const QString &script, int running, const QString &graceSeconds = u"1"_s)
    {
        const Outcome outcome = ctl(wrapCommand(script, {u"--detach"_s, u"--grace"_s, graceSeconds}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        find();
        QTRY_COMPARE_WITH_TIMEOUT(runningRanks(), running, programLimitMs);
    }
    static QStringList wrapCommand(const QString &script, const QStringList &options)
    {
        return QStringList{u"wrap"_s} + options + QStringList{u"--"_s, u"bash"_s, u"-c"_s, script};
    }
    void find()
    {
        const auto found = findRun(u"last"_s);
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
    QTest::newRow("torch") << u"echo start; for i in 0 1; do echo \"[rank$i]: step $i\"; done"_s;
    QTest::newRow("torchrun --tee") << u"echo start; for i in 0 1; do echo \"[default$i]:step $i\"; done"_s;
    QTest::newRow("mpirun --tag-output")
        << u"echo start; for i in 0 1; do echo \"[1,$i]<stdout>:step $i\"; done"_s;
    QTest::newRow("srun --label") << u"for i in 0 1; do echo \"$i: step $i\"; done"_s;
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
    const Outcome logs = ctl({u"logs"_s, m_directory, u"--rank"_s, u"1"_s});
    QCOMPARE(logs.out, QByteArray("step 1\n"));
    QVERIFY(ctl({u"list"_s, u"--json"_s}).out.contains("\"world_size\": 2"));
}

void WrappedRanksTest::theVerdictNamesTheRank()
{
    const Outcome outcome = wrap(u"for i in 0 1 2; do echo \"[rank$i]: step 1\"; done\n"
                                 "echo '[rank1]: Traceback (most recent call last):'\n"
                                 "echo '[rank1]:   File \"train.py\", line 7, in <module>'\n"
                                 "echo '[rank1]: ValueError: bad batch'\n"
                                 "exit 3"_s);
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("Rank 1 failed first: ValueError: bad batch"), outcome.err.constData());
    QCOMPARE(state().exitCode, 3);
}

void WrappedRanksTest::theErrorOfRanksWithoutLogsIsFound()
{
    start(u"for i in 0 1; do RANK=$i bash -c 'until [ -e %1 ]; do sleep 0.05; done' & done; wait; "
          "echo 'RuntimeError: CUDA out of memory'; exit 4"_s.arg(m_home->path("found")),
          2);
    QVERIFY(QFile(m_home->path("found")).open(QIODevice::WriteOnly));
    const Outcome outcome = ctl({u"wait"_s, m_directory});
    QCOMPARE(outcome.code, 4);
    QCOMPARE(state().plan->processes.size(), 3U);
    QVERIFY2(outcome.err.contains("RuntimeError"), outcome.err.constData());
}

void WrappedRanksTest::ranksAreFoundByTheirEnvironment()
{
    start(u"for i in 0 1; do RANK=$i LOCAL_RANK=$i bash -c 'exec -a rank sleep 1000' & done; wait"_s, 2);
    const RunState now = state();
    for (int rank = 0; rank < 2; ++rank) {
        const auto index = std::size_t(indexOf(now, rank));
        QVERIFY(fileText(u"/proc/%1/environ"_s.arg(now.ranks[index].pid))
                    .contains("RANK=" + QByteArray::number(rank)));
        QCOMPARE(now.plan->processes[index].setVariables.value(u"LOCAL_RANK"_s), QString::number(rank));
    }
    // Its end is seen, but not its exit code: its launcher has waited for it.
    QVERIFY(::kill(pid_t(now.ranks[std::size_t(indexOf(now, 1))].pid), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(now, 1))].status, programLimitMs);
    QCOMPARE(state().phase, RunPhase::Running);
    QCOMPARE(state().ranks[std::size_t(indexOf(now, 0))].phase, RankPhase::Running);
    // Signals and stacks go to the rank's process.
    const Outcome sent = ctl({u"signal"_s, m_directory, u"USR1"_s, u"--rank"_s, u"0"_s});
    QVERIFY2(sent.code == 0, sent.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(now, 0))].status, programLimitMs);
}

void WrappedRanksTest::aRankIsStoppedAlone()
{
    start(u"for i in 0 1; do RANK=$i sleep 1000 & done; wait"_s, 2);
    const Outcome stopped = ctl({u"stop"_s, m_directory, u"--rank"_s, u"1"_s});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    const RunState now = state();
    QTRY_COMPARE_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(now, 1))].phase, RankPhase::Stopped,
                              programLimitMs);
    QCOMPARE(state().ranks[std::size_t(indexOf(now, 0))].phase, RankPhase::Running);
}

void WrappedRanksTest::aRedirectedRankHasItsOwnLog()
{
    const QString folder = m_home->path("");
    start(u"for i in 0 1; do RANK=$i bash -c 'echo step 1; sleep 1000' > %1/own$i.log & done; wait"_s.arg(
              folder),
          2);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(1), QByteArray("step 1\n"), programLimitMs);
    const RunState now = state();
    QVERIFY(now.plan->processes[std::size_t(indexOf(now, 1))].logFile.endsWith("own1.log"_L1));
}

void WrappedRanksTest::theLogThatARankOpensIsItsOwn()
{
    const QString folder = m_home->path("logs");
    QDir().mkpath(folder);
    start(u"for i in 0 1; do RANK=$i bash -c 'echo \"[rank$RANK]: printed\"; exec "
          "7>%1/own$RANK.log; echo step $RANK >&7; exec sleep 1000' & done; wait"_s.arg(folder),
          2);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(1), QByteArray("step 1\n"), programLimitMs);
    // What it prints is not lost.
    const RunState now = state();
    const ProcessPlan &plan = now.plan->processes[std::size_t(indexOf(now, 1))];
    QTRY_COMPARE_WITH_TIMEOUT(fileText(plan.stderrFile), QByteArray("printed\n"), programLimitMs);
}

void WrappedRanksTest::ranksOfTorchrunAreFound()
{
    QProcess help;
    help.start(u"torchrun"_s, {u"--help"_s});
    if (!help.waitForFinished(programLimitMs) || help.exitCode() != 0)
        QSKIP("no torchrun that works is installed");
    QFile script(m_home->path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os, sys, time\n"
                 "rank = os.environ['RANK']\n"
                 "print('step', rank, flush=True)\n"
                 "while not os.path.exists('go'):\n"
                 "    time.sleep(0.05)\n"
                 "if rank == '1':\n"
                 "    raise ValueError('bad batch')\n"
                 "time.sleep(1000)\n");
    script.close();
    // torch 1.13 knows neither 0 nor 3 for these with Python 3.11.
    start(u"cd %1; exec torchrun --standalone --nproc_per_node 2 --redirects 1 --tee 2 train.py"_s.arg(
              m_home->path("")),
          2);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(1).count("step 1"), 1, programLimitMs);
    QFile go(m_home->path("go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    // torchrun says how it ended.
    const RunState ended = state();
    const auto status = ended.ranks[std::size_t(indexOf(ended, 1))].status;
    QVERIFY(status);
    QCOMPARE(status->text(), u"exit code 1"_s);
    ctl({u"report"_s, u"last"_s}); // On a busy machine the run may have ended without its verdict.
    const Outcome list = ctl({u"list"_s, u"--json"_s});
    QVERIFY2(list.out.contains("Rank 1 failed first: ValueError: bad batch"), list.out.constData());
}

void WrappedRanksTest::ranksOfSrunAreFound()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    qunsetenv("SLURM_JOB_ID");
    SlurmCluster cluster(m_home->path("slurm"));
    QVERIFY(cluster.start());
    start(u"exec srun --label --ntasks=2 bash -c 'echo step $SLURM_PROCID; if [ $SLURM_PROCID = 1 "
          "]; then while [ ! -e %1 ]; do sleep 0.1; done; exit 3; fi; exec sleep 1000'"_s.arg(
              m_home->path("go")),
          2);
    // Slurm's daemon has started the tasks, not srun.
    for (const int rank : {0, 1})
        QVERIFY(readProcess(pid_t(state().ranks[std::size_t(indexOf(state(), rank))].pid)));
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(0), QByteArray("step 0\n"), programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(logOfRank(1), QByteArray("step 1\n"), programLimitMs);
    QFile go(m_home->path("go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(
        fileText(state().plan->processes.front().logFile).contains("Exited with exit code 3"),
        programLimitMs);
    endRun();
}

/// Two ranks, left to themselves by their launcher once both have begun, which end when there is a file
/// "over". Rank 1 ends with this exit code.
static QString leavingScript(const QString &folder, int code)
{
    return u"for i in 0 1; do RANK=$i LOCAL_RANK=$i WORLD_SIZE=2 python3 -u -c '\n"
           "import os, sys, time\n"
           "open(\"%1/up\" + os.environ[\"RANK\"], \"w\")\n"
           "while not os.path.exists(\"%1/over\"): time.sleep(0.05)\n"
           "sys.exit(%2 if os.environ[\"RANK\"] == \"1\" else 0)' "
           ">%1/$i.log 2>&1 & done; "
           "until [ -e %1/up0 ] && [ -e %1/up1 ]; do sleep 0.05; done"_s.arg(folder)
               .arg(code);
}

void WrappedRanksTest::ranksThatOutliveTheirCommandGoOn()
{
    start(leavingScript(m_home->path(""), 0), 2);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.front().status, programLimitMs);
    QCOMPARE(runningRanks(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(state().notes.join(QString()).contains(u"go on"_s), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Running);
    QVERIFY(QFile(m_home->path("over")).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Succeeded, programLimitMs);
    const RunState ended = state();
    for (const int rank : {0, 1}) {
        // They were this supervisor's to reap, so how they ended is known.
        const RankState &its = ended.ranks.at(std::size_t(indexOf(ended, rank)));
        QVERIFY(its.status && its.status->isSuccess());
    }
}

void WrappedRanksTest::aRankThatOutlivesItsCommandMayFailTheRun()
{
    start(leavingScript(m_home->path(""), 3), 2);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.front().status, programLimitMs);
    QVERIFY(QFile(m_home->path("over")).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    QVERIFY(state().failure);
    QCOMPARE(state().failure->rank, Rank(1));
    QCOMPARE(state().exitCode, 3);
}

/// Each rank exits with another code: one by itself, the others when they are ended for it.
void WrappedRanksTest::noRankWithAnExitCodeIsWithoutAnError()
{
    const QString folder = m_home->path("");
    start(u"for i in 0 1 2; do (RANK=$i LOCAL_RANK=$i WORLD_SIZE=3 setsid bash -c '"
          "trap \"exit $((RANK + 1))\" TERM; touch %1/up$RANK; until [ -e %1/over ]; do sleep 0.05; done; "
          "[ $RANK = 2 ] && exit 3; while :; do sleep 0.05; done' &); done; "
          "until [ -e %1/up0 ] && [ -e %1/up1 ] && [ -e %1/up2 ]; do sleep 0.05; done"_s.arg(folder),
          3, u"60"_s);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.front().status, programLimitMs);
    QVERIFY(QFile(m_home->path("over")).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    const RunState ended = state();
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->rank, Rank(2));
    for (int rank = 0; rank < 3; ++rank) {
        const RankState &its = ended.ranks.at(std::size_t(indexOf(ended, rank)));
        QVERIFY(its.status);
        QCOMPARE(its.status->text(), u"exit code %1"_s.arg(rank + 1));
    }
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Rank 2 failed first"), report.out.constData());
    QVERIFY2(!report.out.contains("no error"), report.out.constData());
}

void WrappedRanksTest::whatIsNoRankDoesNotOutliveItsCommand()
{
    const Outcome outcome =
        wrap(u"sleep 1000 & echo $! >%1"_s.arg(m_home->path("pid")), {u"--grace"_s, u"1"_s});
    QCOMPARE(outcome.code, 0);
    QFile file(m_home->path("pid"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto pid = pid_t(file.readAll().trimmed().toInt());
    QVERIFY(pid > 0 && !readProcess(pid));
}

void WrappedRanksTest::ranksOfMpirunAreFound()
{
    if (QStandardPaths::findExecutable(u"mpirun"_s).isEmpty())
        QSKIP("mpirun is not installed");
    start(u"OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 exec mpirun --oversubscribe "
          "--tag-output -n 2 bash -c 'echo step $OMPI_COMM_WORLD_RANK; sleep 1000'"_s,
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
    QCOMPARE(status->text(), u"SIGKILL"_s);
    const Outcome report = ctl({u"list"_s, u"--json"_s});
    QVERIFY2(report.out.contains("Rank 1 failed first"), report.out.constData());
}

} // namespace tst_wrappedranks

RANKDECK_TEST(tst_wrappedranks, WrappedRanksTest)
#include "tst_wrappedranks.moc"
