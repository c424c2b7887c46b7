#include "run/record/journal.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/slurmcluster.h"
#include "support/testmain.h"
#include "support/toldevents.h"

#include <QRegularExpression>

#include <memory>

namespace tst_allocation
{

using namespace rankdeck;

/// Launches that ask a real Slurm for their nodes themselves.
class AllocationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();
    void aLaunchAsksForItsNodesAndGivesThemBack();
    void namedNodesAreAskedForInTheirOrder();
    void theWaitIsShownAndCanBeEnded();
    void whatIsNotGivenIsSaid_data();
    void whatIsNotGivenIsSaid();
    void nothingIsHeldWhenSomethingIsKilled_data();
    void nothingIsHeldWhenSomethingIsKilled();
    void aNodeThatDoesNotSeeThisProgramGetsACopy();

private:
    QStringList launch(const QStringList &options, const char *script) const
    {
        return QStringList{
                   u"processes"_s, u"--slurm"_s, u"--master-port"_s,   QString::number(freePort()),
                   u"--grace"_s,   u"2"_s,       u"--slurm-options"_s, u"--comment='of this test'"_s} +
               options + QStringList{u"sh"_s, u"-c"_s, QString::fromLatin1(script)};
    }
    static QStringList words(const char *text)
    {
        return QString::fromLatin1(text).split(' '_L1, Qt::SkipEmptyParts);
    }
    /// Jobs that Slurm knows of, with their state; none: an empty text.
    static QByteArray jobs()
    {
        QProcess squeue;
        squeue.start(u"squeue"_s, {u"--noheader"_s, u"--states=PENDING,CONFIGURING,RUNNING,COMPLETING"_s,
                                   u"--format=%i %T"_s});
        return outcomeOf(squeue).out;
    }
    static QByteArray slurmSays(const char *program)
    {
        QProcess process;
        process.start(QLatin1String(program), {u"--long"_s});
        return outcomeOf(process).out;
    }
    QList<qint64> alive() const { return processesOf(m_home->path("mark")); }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<SlurmCluster> m_cluster;
};

void AllocationTest::initTestCase()
{
    m_home = std::make_unique<TestHome>();
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    qunsetenv("SLURM_JOB_ID");
    m_cluster = std::make_unique<SlurmCluster>(m_home->path("slurm"));
    QVERIFY(m_cluster->start());
    qputenv("ALLOCATION_MARK", m_home->path("mark").toLocal8Bit());
}

void AllocationTest::cleanupTestCase()
{
    for (const qint64 pid : alive()) {
        if (pid != getpid())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    m_cluster.reset();
}

void AllocationTest::cleanup()
{
    if (m_cluster)
        QTRY_COMPARE_WITH_TIMEOUT(jobs(), QByteArray(), programLimitMs);
}

void AllocationTest::aLaunchAsksForItsNodesAndGivesThemBack()
{
    const Outcome outcome =
        ctl(launch(words("--nnodes 2 --nproc 2"), "echo $RANK of $WORLD_SIZE on $SLURMD_NODENAME"));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("Requesting 2 nodes from Slurm."), outcome.err);
    QVERIFY2(outcome.err.contains("Slurm allocated node[1-2] to this run: job "), outcome.err);
    QVERIFY2(outcome.out.contains(":0 of 4 on node1\n"), outcome.out);
    QVERIFY2(outcome.out.contains(":3 of 4 on node2\n"), outcome.out);
    // A run has not ended before it has given back what it held.
    QVERIFY2(!jobs().contains("RUNNING"), jobs());
    const RunState run = RunReader(*findRun(u"last"_s)).open().value();
    QCOMPARE(run.plan->processes.back().node, u"node2"_s);
}

void AllocationTest::namedNodesAreAskedForInTheirOrder()
{
    const Outcome outcome = ctl(launch(words("--nodes node3,node1"), "echo $RANK on $SLURMD_NODENAME"));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.out.contains("0 on node3\n") && outcome.out.contains("1 on node1\n"), outcome.out);
}

void AllocationTest::theWaitIsShownAndCanBeEnded()
{
    QProcess other;
    other.start(u"salloc"_s, words("--nodes=3 --exclusive sh -c echo;cat"));
    QTRY_VERIFY_WITH_TIMEOUT(jobs().contains("RUNNING"), programLimitMs);
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), launch({}, "echo rank"));
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains(" is pending ("),
                             programLimitMs);
    QVERIFY2(QString::fromUtf8(said).contains(
                 QRegularExpression(u"Waiting for Slurm: job \\d+ is pending \\([A-Za-z]+\\)\\."_s)),
             said);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.code == 130, outcome.err);
    QVERIFY(!outcome.out.contains("rank"));
    QVERIFY2(!jobs().contains("PENDING"), jobs());
    other.closeWriteChannel();
    QVERIFY(other.waitForFinished(programLimitMs));
}

void AllocationTest::whatIsNotGivenIsSaid_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("refused") << words("--slurm-options=--partition=nowhere")
                             << QByteArray("Slurm allocates no nodes: salloc: error:");
    QTest::newRow("too late") << words("--slurm-wait 1 --slurm-options=--begin=now+1hour")
                              << QByteArray("Slurm did not allocate the nodes within 1 s");
    QTest::newRow("no such node") << words("--nodes node9")
                                  << QByteArray("Slurm allocates no nodes: salloc: error:");
}

void AllocationTest::whatIsNotGivenIsSaid()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, said);
    const Outcome outcome = ctl(launch(options, "echo rank"));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(said), outcome.err);
    QVERIFY(!outcome.out.contains("rank"));
}

void AllocationTest::nothingIsHeldWhenSomethingIsKilled_data()
{
    QTest::addColumn<bool>("killsSupervisor");
    QTest::addColumn<bool>("killsSalloc");
    QTest::newRow("supervisor") << true << false;
    QTest::newRow("salloc") << false << true;
    QTest::newRow("both") << true << true;
}

void AllocationTest::nothingIsHeldWhenSomethingIsKilled()
{
    QFETCH(bool, killsSupervisor);
    QFETCH(bool, killsSalloc);
    const Outcome launched = ctl(launch(words("--nnodes 2 --detach"), "echo up; exec sleep 1000"));
    QVERIFY2(launched.code == 0, launched.err);
    const QString directory = runsDirectory() + '/'_L1 + QString::fromUtf8(launched.out.trimmed());
    const auto state = [&] {
        return RunReader(directory).open().value();
    };
    QVERIFY2(QTest::qWaitFor([&] { return state().count(RankPhase::Running) == 2; }, programLimitMs),
             fileText(journalPath(directory)) + slurmSays("squeue") + slurmSays("sinfo"));
    const pid_t salloc = pidTold<events::Allocation>(journalOf(directory));
    QVERIFY(salloc > 0);
    const auto supervisor = static_cast<pid_t>(readRunRecord(directory)->supervisor->pid);
    if (killsSalloc)
        ::kill(salloc, SIGKILL);
    if (killsSupervisor)
        ::kill(supervisor, SIGKILL);
    if (!killsSupervisor) {
        QTRY_VERIFY_WITH_TIMEOUT(fileText(journalPath(directory)).contains("salloc was killed"),
                                 programLimitMs);
        QCOMPARE(state().phase, RunPhase::Running);
        QCOMPARE(ctl({u"stop"_s, QFileInfo(directory).fileName()}).code, 0);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(jobs(), QByteArray(), programLimitMs);
    QCOMPARE(state().phase, killsSupervisor ? RunPhase::Lost : RunPhase::Stopped);
}

void AllocationTest::aNodeThatDoesNotSeeThisProgramGetsACopy()
{
    // A place that only this process and those below it see: the nodes' daemons are others'.
    const QString place = m_home->path("place");
    QDir().mkpath(place);
    qputenv("HOME", m_home->path("home").toLocal8Bit());
    QProcess process;
    process.start(u"unshare"_s, QStringList{u"--mount"_s, u"sh"_s, u"-c"_s,
                                            u"mount -t tmpfs none \"$0\" || exit 77; "
                                            "strip -o \"$0/rankdeckctl\" \"$1\"; shift; "
                                            "RANKDECK_CTL=$0/rankdeckctl exec \"$0/rankdeckctl\" \"$@\""_s,
                                            place, buildPath("bin/rankdeckctl")} +
                                    launch({}, "echo up on $SLURMD_NODENAME"));
    const Outcome outcome = outcomeOf(process);
    if (outcome.code == 77)
        QSKIP("no mounts in this container");
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("Copying rankdeckctl to node1 ("), outcome.err);
    QVERIFY2(outcome.out.contains("up on node1"), outcome.out);
}

} // namespace tst_allocation

RANKDECK_TEST(tst_allocation, AllocationTest)
#include "tst_allocation.moc"
