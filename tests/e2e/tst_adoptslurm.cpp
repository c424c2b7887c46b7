#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/slurmcluster.h"
#include "support/testmain.h"

namespace tst_adoptslurm
{

using namespace rankdeck;

/// Runs that follow a job of a real Slurm.
class AdoptSlurmTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init()
    {
        if (!m_cluster)
            QSKIP("no Slurm on this machine, or not root");
    }
    void cleanup();
    void cleanupTestCase();
    void aJobIsFollowedToItsEnd();
    void theExitCodeIsWhatSlurmTells();
    void theRanksOfTorchrunInABatchScriptAreFound();
    void stoppingLeavesTheJobAlone();
    void killCancelsTheJob();
    void aJobThatCannotBeFollowedIsToldInASentence();

private:
    QString path(const char *name) const { return m_home->path(name); }
    static QByteArray slurmSays(const QString &program, const QStringList &arguments)
    {
        QProcess process;
        process.start(program, arguments);
        return outcomeOf(process).out.trimmed();
    }
    static QByteArray stateOf(const QString &job)
    {
        return slurmSays(u"squeue"_s,
                         {u"--noheader"_s, u"--format=%T"_s, u"--states=all"_s, u"--jobs="_s + job});
    }
    /// Submits a batch script with these lines; returns the id of the job.
    QString submit(const QByteArray &lines, const QStringList &options = {})
    {
        QFile script(path("job.sh"));
        if (!script.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return {};
        script.write("#!/bin/bash\n" + lines + "\n");
        script.close();
        return QString::fromUtf8(slurmSays(
            u"sbatch"_s, QStringList{u"--parsable"_s, u"--chdir="_s + path(""), u"--job-name=train"_s,
                                     u"--nodes=1"_s, u"--ntasks=2"_s, u"--output=out-%j.log"_s} +
                             options + QStringList{path("job.sh")}));
    }
    void follow(const QString &job)
    {
        const Outcome outcome = ctl({u"adopt"_s, u"slurm:"_s + job, u"--detach"_s});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        m_directory = *findRun(QString::fromUtf8(outcome.out.trimmed()));
    }
    int indexOf(int rank) const
    {
        const RunState now = state();
        for (std::size_t at = 0; at < now.plan->processes.size(); ++at) {
            if (now.plan->processes[at].role == Role::Worker && now.plan->processes[at].rank.value == rank)
                return int(at);
        }
        return -1;
    }
    int found() const
    {
        const RunState now = state();
        int count = 0;
        for (std::size_t at = 1; at < now.ranks.size(); ++at)
            count += now.ranks[at].phase == RankPhase::Running && now.ranks[at].pid > 0;
        return count;
    }
    void letGo()
    {
        QFile go(path("go"));
        QVERIFY(go.open(QIODevice::WriteOnly));
    }

    std::unique_ptr<SlurmCluster> m_cluster;
};

constexpr char waiting[] = "while [ ! -e go ]; do sleep 0.1; done; ";

void AdoptSlurmTest::initTestCase()
{
    makeHome();
    if (!SlurmCluster::canRun())
        return;
    qunsetenv("SLURM_JOB_ID");
    m_cluster = std::make_unique<SlurmCluster>(m_home->path("slurm"));
    QVERIFY(m_cluster->start());
}

void AdoptSlurmTest::cleanup()
{
    QFile::remove(path("go"));
    if (!m_cluster)
        return;
    slurmSays(u"scancel"_s, {u"--user=root"_s});
    if (!m_directory.isEmpty())
        ctl({u"stop"_s, m_directory});
    m_directory.clear();
    QTRY_COMPARE_WITH_TIMEOUT(slurmSays(u"squeue"_s, {u"--noheader"_s}), QByteArray(), programLimitMs);
}

void AdoptSlurmTest::cleanupTestCase()
{
    m_cluster.reset();
    killProcessesOf(*m_home);
}

void AdoptSlurmTest::aJobIsFollowedToItsEnd()
{
    const QString job = submit(QByteArray("srun --label bash -c 'echo step $SLURM_PROCID; ") + waiting + "'");
    follow(job);
    // The tasks of srun are found although they are not below the batch script.
    QTRY_COMPARE_WITH_TIMEOUT(found(), 2, programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(logOf(indexOf(1)), QByteArray("step 1\n"), programLimitMs);
    const RunState now = state();
    QCOMPARE(now.plan->processes.size(), 3U);
    QCOMPARE(now.plan->name, u"train"_s);
    QVERIFY(now.plan->processes.front().logFile.endsWith(u"/out-%1.log"_s.arg(job)));
    letGo();
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Succeeded, programLimitMs);
    QCOMPARE(state().exitCode, 0);
}

void AdoptSlurmTest::theExitCodeIsWhatSlurmTells()
{
    const QString job = submit(QByteArray("echo '[rank0]: step 1'; echo '[rank1]: step 1'; ") + waiting +
                               "echo '[rank1]: Traceback (most recent call last):'\n"
                               "echo '[rank1]:   File \"train.py\", line 7, in <module>'\n"
                               "echo '[rank1]: ValueError: bad batch'\n"
                               "exit 3");
    follow(job);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Running, programLimitMs);
    letGo();
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    QCOMPARE(state().exitCode, 3);
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Rank 1 failed first: ValueError: bad batch"), report.out.constData());
}

void AdoptSlurmTest::theRanksOfTorchrunInABatchScriptAreFound()
{
    follow(submit("for i in 0 1; do RANK=$i LOCAL_RANK=$i sleep 1000 & done; wait"));
    QTRY_COMPARE_WITH_TIMEOUT(found(), 2, programLimitMs);
    // The number of the batch script's own task makes it no rank.
    QCOMPARE(state().plan->processes.size(), 3U);
    QCOMPARE(state().plan->processes[std::size_t(indexOf(1))].argv.first(), u"sleep"_s);
}

void AdoptSlurmTest::stoppingLeavesTheJobAlone()
{
    const QString job = submit("sleep 1000");
    follow(job);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Running, programLimitMs);
    const Outcome stopped = ctl({u"stop"_s, m_directory});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QCOMPARE(state().phase, RunPhase::Stopped);
    QCOMPARE(stateOf(job), QByteArray("RUNNING"));
}

void AdoptSlurmTest::killCancelsTheJob()
{
    const QString job = submit("sleep 1000");
    follow(job);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Running, programLimitMs);
    const Outcome killed = ctl({u"stop"_s, m_directory, u"--kill"_s, u"--yes"_s});
    QVERIFY2(killed.code == 0, killed.err.constData());
    QCOMPARE(stateOf(job), QByteArray("CANCELLED"));
    QCOMPARE(state().phase, RunPhase::Stopped);
}

void AdoptSlurmTest::aJobThatCannotBeFollowedIsToldInASentence()
{
    const auto refusal = [](const QString &job) {
        const Outcome outcome = ctl({u"adopt"_s, u"slurm:"_s + job, u"--detach"_s});
        return outcome.code == 2 ? outcome.err : "not refused: " + outcome.err;
    };
    QVERIFY2(refusal(u"99999"_s).contains("Slurm does not know this job"), refusal(u"99999"_s).constData());
    QVERIFY(refusal(u"train"_s).contains("is not the id of a Slurm job"));
    const QString job = submit("exit 0");
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(job), QByteArray("COMPLETED"), programLimitMs);
    QVERIFY2(refusal(job).contains("the job has ended already: completed"), refusal(job).constData());
    const QString array = submit("sleep 1000", {u"--array=1-2"_s});
    QVERIFY2(refusal(array).contains("this is an array of jobs"), refusal(array).constData());
}

} // namespace tst_adoptslurm

RANKDECK_TEST(tst_adoptslurm, AdoptSlurmTest)
#include "tst_adoptslurm.moc"
