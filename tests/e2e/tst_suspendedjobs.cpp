#include "run/record/runstate.h"
#include "support/ownmachine.h"
#include "support/slurmcluster.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

namespace tst_suspendedjobs
{

using namespace rankdeck;

/// Slurm suspends a run's job, as for one that counts more, for longer than a node may be silent.
class SuspendedJobsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSuspendedJobGoesOn();
};

void SuspendedJobsTest::aSuspendedJobGoesOn()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    const QTemporaryDir directory;
    SlurmCluster cluster(directory.filePath(u"slurm"_s));
    QVERIFY(cluster.start());
    const RemoteRun remote;
    SteadyRun run(remote);
    QProcess launch;
    launch.start(buildPath("bin/rankdeckctl"),
                 run.arguments({u"--slurm"_s, u"--node-program"_s, remote.program(), u"--quiet"_s,
                                u"--nodes"_s, u"node1,node2"_s}));
    QVERIFY(run.isUp());
    QProcess squeue;
    squeue.start(u"squeue"_s, {u"--noheader"_s, u"--format=%i"_s});
    const QString job = QString::fromUtf8(outcomeOf(squeue).out.trimmed());
    QCOMPARE(QProcess::execute(u"scontrol"_s, {u"suspend"_s, job}), 0);
    // Said once the nodes are silent for the limit, after which they would be lost.
    const QString suspended = u"The Slurm job %1 is suspended."_s.arg(job);
    QTRY_VERIFY_WITH_TIMEOUT(run.state().notes.contains(suspended) || run.hasEnded(), programLimitMs);
    QCOMPARE(run.state().phase, RunPhase::Running);
    const int before = run.lines(3);
    QCOMPARE(QProcess::execute(u"scontrol"_s, {u"resume"_s, job}), 0);
    QTRY_VERIFY_WITH_TIMEOUT(run.lines(3) > before + 5 || run.hasEnded(), programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(run.state().notes.contains(u"The Slurm job %1 goes on."_s.arg(job)),
                             programLimitMs);
    run.finish();
    QCOMPARE(outcomeOf(launch).code, 0);
    QCOMPARE(run.state().phase, RunPhase::Succeeded);
    for (int rank = 0; rank < SteadyRun::ranks; ++rank)
        QCOMPARE(run.lines(rank), run.counted(rank));
    QTRY_VERIFY_WITH_TIMEOUT(run.isGone(), SteadyRun::goneMs);
}

} // namespace tst_suspendedjobs

RANKDECK_TEST_ON_OWN_MACHINE(tst_suspendedjobs, SuspendedJobsTest)
#include "tst_suspendedjobs.moc"
