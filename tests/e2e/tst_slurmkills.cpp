#include "run/record/runstate.h"
#include "support/ownmachine.h"
#include "support/slurmcluster.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

namespace tst_slurmkills
{

using namespace rankdeck;

/// Slurm itself ends what it has given to a run: the job is cancelled, or a node is set down. The run says
/// so, and blames no rank.
class SlurmKillsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void aCancelledJobIsNoFailureOfARank_data();
    void aCancelledJobIsNoFailureOfARank();
    void aNodeThatIsSetDownIsLost();
    void aCancelledStepIsALostNode();

private:
    void start(bool isOwnJob);
    static QByteArray slurmSays(const QString &program, const QStringList &arguments)
    {
        QProcess process;
        process.start(program, arguments);
        return outcomeOf(process).out.trimmed();
    }
    static QString job()
    {
        return QString::fromUtf8(slurmSays(u"squeue"_s, {u"--noheader"_s, u"--format=%i"_s}));
    }
    bool isTold(const QString &words) const { return m_run->state().notes.contains(words); }
    void verifyNothingIsLeft() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
        QTRY_COMPARE_WITH_TIMEOUT(job(), QString(), programLimitMs);
    }

    QTemporaryDir m_directory;
    std::unique_ptr<SlurmCluster> m_cluster;
    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<SteadyRun> m_run;
    QProcess m_launch;
};

void SlurmKillsTest::initTestCase()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    m_cluster = std::make_unique<SlurmCluster>(m_directory.filePath(u"slurm"_s));
    QVERIFY(m_cluster->start());
}

void SlurmKillsTest::cleanup()
{
    m_launch.terminate();
    m_launch.waitForFinished();
    m_run.reset();
    m_remote.reset();
}

/// In an allocation that the run has asked for itself, or in one of salloc's.
void SlurmKillsTest::start(bool isOwnJob)
{
    m_remote = std::make_unique<RemoteRun>();
    m_run = std::make_unique<SteadyRun>(*m_remote);
    QStringList options{u"--slurm"_s, u"--node-program"_s, m_remote->program(), u"--quiet"_s};
    if (isOwnJob)
        options << u"--nodes"_s << u"node1,node2"_s;
    const QStringList words = m_run->arguments(options);
    if (isOwnJob)
        m_launch.start(buildPath("bin/rankdeckctl"), words);
    else
        m_launch.start(u"salloc"_s, QStringList{u"--quiet"_s, u"--nodelist=node1,node2"_s,
                                                u"--immediate=30"_s, buildPath("bin/rankdeckctl")} +
                                        words);
    QVERIFY(m_run->isUp());
}

void SlurmKillsTest::aCancelledJobIsNoFailureOfARank_data()
{
    QTest::addColumn<bool>("isOwnJob");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("of the run") << true << QStringList();
    QTest::newRow("of salloc") << false << QStringList();
    QTest::newRow("by SIGKILL") << false << QStringList{u"--signal=KILL"_s};
    QTest::newRow("by SIGKILL, all steps") << true << QStringList{u"--full"_s, u"--signal=KILL"_s};
}

void SlurmKillsTest::aCancelledJobIsNoFailureOfARank()
{
    QFETCH(bool, isOwnJob);
    QFETCH(QStringList, options);
    start(isOwnJob);
    const QString cancelled = job();
    slurmSays(u"scancel"_s, options + QStringList{cancelled});
    verifyNothingIsLeft();
    const RunState ended = m_run->state();
    QVERIFY2(!ended.failure, ended.failure ? qPrintable(ended.failure->reason) : "");
    QCOMPARE(ended.phase, RunPhase::Stopped);
    QVERIFY2(isTold(u"The Slurm job %1 is cancelled."_s.arg(cancelled)),
             qPrintable(ended.notes.join('\n'_L1)));
    QVERIFY(outcomeOf(m_launch).code != 0);
    const Outcome report = ctl({u"report"_s, u"last"_s});
    QVERIFY2(!report.out.contains("failed first"), report.out.constData());
}

void SlurmKillsTest::aNodeThatIsSetDownIsLost()
{
    start(false);
    slurmSays(u"scontrol"_s, {u"update"_s, u"nodename=node2"_s, u"state=down"_s, u"reason=maintenance"_s});
    verifyNothingIsLeft();
    slurmSays(u"scontrol"_s, {u"update"_s, u"nodename=node2"_s, u"state=resume"_s});
    const RunState ended = m_run->state();
    // Slurm sends every agent SIGTERM and says that the node has failed; what comes first is the run's end.
    if (ended.phase == RunPhase::Stopped) {
        QVERIFY(!ended.failure);
        QVERIFY2(isTold(u"The agent of node1 was asked to end (SIGTERM)."_s) ||
                     isTold(u"The agent of node2 was asked to end (SIGTERM)."_s),
                 qPrintable(ended.notes.join('\n'_L1)));
        return;
    }
    QCOMPARE(ended.phase, RunPhase::Failed);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->rank, Failure::noRank);
    QCOMPARE(ended.failure->node, u"node2"_s);
    QVERIFY2(ended.failure->reason.text().contains("Node failure on node2"_L1),
             qPrintable(ended.failure->reason));
}

void SlurmKillsTest::aCancelledStepIsALostNode()
{
    start(false);
    QByteArray step;
    for (const QByteArray &line :
         slurmSays(u"squeue"_s, {u"--steps"_s, u"--noheader"_s, u"--format=%i %N"_s}).split('\n')) {
        if (line.endsWith(" node2") && !line.contains("extern") && !line.contains("interactive"))
            step = line.left(line.indexOf(' '));
    }
    QVERIFY(!step.isEmpty());
    slurmSays(u"scancel"_s, {QString::fromUtf8(step)});
    verifyNothingIsLeft();
    const RunState ended = m_run->state();
    QVERIFY2(ended.phase == RunPhase::Failed || ended.phase == RunPhase::Stopped, qPrintable(ended.name));
    if (ended.failure) {
        QVERIFY2(ended.failure->rank == Failure::noRank, qPrintable(ended.notes.join('\n'_L1)));
        QCOMPARE(ended.failure->node, u"node2"_s);
    }
}

} // namespace tst_slurmkills

RANKDECK_TEST_ON_OWN_MACHINE(tst_slurmkills, SlurmKillsTest)
#include "tst_slurmkills.moc"
