#include "run/record/runstate.h"
#include "support/ownmachine.h"
#include "support/slurmcluster.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

namespace tst_killednodes
{

using namespace rankdeck;

/// What carries a run to nodes of a real Slurm is killed, part by part, and a host key is not the one that is
/// known.
class KilledNodesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void nothingIsLeftInAnAllocation_data();
    void nothingIsLeftInAnAllocation();
    void aRunNeedsNoShepherdOfSrun();
    void aWrongHostKeyStartsNothing();

private:
    enum class Victim { Srun, Shepherd, SrunAndShepherd, StepDaemon, Agent, AgentAndGuardian };

    void startInAllocation();
    QList<pid_t> pidsOf(Victim victim) const;

    QTemporaryDir m_directory;
    std::unique_ptr<SlurmCluster> m_cluster;
    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<SteadyRun> m_run;
    QProcess m_allocation;
};

void KilledNodesTest::initTestCase()
{
    if (!SlurmCluster::canRun())
        return;
    m_cluster = std::make_unique<SlurmCluster>(m_directory.filePath(u"slurm"_s));
    QVERIFY(m_cluster->start());
}

void KilledNodesTest::cleanup()
{
    m_allocation.terminate();
    m_allocation.waitForFinished();
    m_run.reset();
    m_remote.reset();
}

void KilledNodesTest::startInAllocation()
{
    m_remote = std::make_unique<RemoteRun>();
    m_run = std::make_unique<SteadyRun>(*m_remote);
    const QStringList options{u"--slurm"_s, u"--node-program"_s, m_remote->program(), u"--quiet"_s};
    m_allocation.start(u"salloc"_s, QStringList{u"--quiet"_s, u"--nodelist=node1,node2"_s,
                                                u"--immediate=30"_s, buildPath("bin/rankdeckctl")} +
                                        m_run->arguments(options));
}

/// Of node2.
QList<pid_t> KilledNodesTest::pidsOf(Victim victim) const
{
    const pid_t srun = m_run->client("node2");
    const pid_t agent = readProcess(m_run->rank(3))->parent;
    QList<pid_t> shepherds;
    for (const ProcessInfo &process : descendants(srun)) {
        if (process.name == "srun"_L1)
            shepherds << process.pid;
    }
    switch (victim) {
    case Victim::Srun:
        return {srun};
    case Victim::Shepherd:
        return shepherds;
    case Victim::SrunAndShepherd:
        return shepherds + QList{srun};
    case Victim::StepDaemon:
        return {SteadyRun::above(agent, "slurmstepd")};
    case Victim::Agent:
        return {agent};
    case Victim::AgentAndGuardian:
        return {readProcess(agent)->parent, agent};
    }
    return {};
}

void KilledNodesTest::nothingIsLeftInAnAllocation_data()
{
    QTest::addColumn<Victim>("victim");
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("nodeLimitMs");
    QTest::addColumn<int>("limitMs");
    const int soon = SteadyRun::goneMs;
    const int late = SteadyRun::goneSilentlyMs;
    QTest::newRow("srun is killed") << Victim::Srun << SIGKILL << soon << soon;
    QTest::newRow("srun is terminated") << Victim::Srun << SIGTERM << soon << soon;
    // The node hears nothing.
    QTest::newRow("srun and its shepherd are killed") << Victim::SrunAndShepherd << SIGKILL << late << late;
    // Srun hears nothing.
    QTest::newRow("slurmstepd is killed") << Victim::StepDaemon << SIGKILL << soon << late;
    QTest::newRow("the agent is killed") << Victim::Agent << SIGKILL << soon << soon;
    QTest::newRow("the agent and its guardian are killed")
        << Victim::AgentAndGuardian << SIGKILL << soon << soon;
}

void KilledNodesTest::nothingIsLeftInAnAllocation()
{
    if (!m_cluster)
        QSKIP("no Slurm on this machine, or not root");
    QFETCH(Victim, victim);
    QFETCH(int, signal);
    QFETCH(int, nodeLimitMs);
    QFETCH(int, limitMs);
    startInAllocation();
    QVERIFY(m_run->isUp());
    const QList<pid_t> pids = pidsOf(victim);
    QVERIFY(!pids.isEmpty() && !pids.contains(0));
    for (const pid_t pid : pids)
        QVERIFY(::kill(pid, signal) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({2, 3}), nodeLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), limitMs);
    const RunState ended = m_run->state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QCOMPARE(ended.failure->node, u"node2"_s);
    // Slurm kills what srun started one after the other: the end of a rank may be told before its agent goes.
    if (victim == Victim::Srun && ended.failure->rank != Failure::noRank)
        QCOMPARE(ended.failure->status.kind, ExitStatus::Kind::Signalled);
    else
        QVERIFY2(ended.failure->reason.text().startsWith("Lost node node2 since "_L1),
                 qPrintable(ended.failure->reason));
    QVERIFY(outcomeOf(m_allocation).code != 0);
}

void KilledNodesTest::aRunNeedsNoShepherdOfSrun()
{
    if (!m_cluster)
        QSKIP("no Slurm on this machine, or not root");
    startInAllocation();
    QVERIFY(m_run->isUp());
    const QList<pid_t> pids = pidsOf(Victim::Shepherd);
    QCOMPARE(pids.size(), 1);
    QVERIFY(::kill(pids.first(), SIGKILL) == 0);
    const int before = m_run->lines(3);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->lines(3) > before + 10, programLimitMs);
    m_run->finish();
    QCOMPARE(outcomeOf(m_allocation).code, 0);
    QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneMs);
}

void KilledNodesTest::aWrongHostKeyStartsNothing()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    m_remote = std::make_unique<RemoteRun>();
    m_run = std::make_unique<SteadyRun>(*m_remote);
    SshServer known(m_remote->home().path("known"), "alpha");
    SshServer changed(m_remote->home().path("changed"), "beta");
    QVERIFY(known.start() && changed.start());
    const QByteArray before = changed.read("known_hosts");
    const QList<QByteArray> other = changed.read("user.pub").split(' ');
    changed.write("known_hosts",
                  QString::fromUtf8(before.split(' ').first() + ' ' + other[0] + ' ' + other[1] + '\n'));
    QFile configuration(m_remote->home().path("ssh_config"));
    QVERIFY(configuration.open(QIODevice::WriteOnly));
    configuration.write(known.read("ssh_config") + changed.read("ssh_config"));
    configuration.close();
    m_remote->setConfiguration(configuration.fileName());

    QProcess fingerprint;
    fingerprint.start(u"ssh-keygen"_s, {u"-l"_s, u"-f"_s, m_remote->home().path("changed/host.pub")});
    const QByteArray shown = outcomeOf(fingerprint).out.split(' ').value(1);
    QVERIFY(shown.startsWith("SHA256:"));

    const Outcome outcome = ctl(m_run->arguments(m_remote->nodeOptions()));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(
        outcome.err.contains("beta cannot start its processes: Its host key differs from the accepted one"),
        outcome.err);
    QVERIFY2(outcome.err.contains(shown), outcome.err);
    QVERIFY(m_run->pids().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneMs);
}

} // namespace tst_killednodes

RANKDECK_TEST_ON_OWN_MACHINE(tst_killednodes, KilledNodesTest)
#include "tst_killednodes.moc"
