#include "base/json.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/barenodes.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

#include <memory>

namespace tst_containers
{

using namespace rankdeck;

/// Containers as nodes, by a stand-in for docker, podman, kubectl and enroot (containerprogram.py).
class ContainersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aContainerIsTested_data();
    void aContainerIsTested();
    void aContainerThatIsNotThereIsNamed();
    void aLaunchRunsInContainers();
    void logsInAMountedFolderAreReadInPlace();
    void aContainerWithoutRankdeckGetsACopy();
    void containersOfOtherHostsAreReachedOverSsh();
    void theProgramThatLeadsThereMayBeKilled();
    void nothingIsLeftInAContainerThatFallsSilent();
    void nothingIsLeftWhenTheSupervisorIsKilled();

private:
    QString path(const char *name) const { return m_remote->home().path(name); }
    QList<QByteArray> calls() const { return linesOf(fileText(path("calls"))); }
    void makeContainer(const QString &name, bool hasProgram = true) const;
    QStringList launch(const QStringList &options, const QString &script) const
    {
        return QStringList{u"processes"_s, u"--work-dir"_s, path(""), u"--master-port"_s,
                           QString::number(freePort())} +
               options + QStringList{u"sh"_s, u"-c"_s, script};
    }
    bool startSteadyRun();

    QByteArray m_searchPath;
    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<SteadyRun> m_run;
};

void ContainersTest::init()
{
    if (geteuid() != 0)
        QSKIP("only root may give a container a file system of its own");
    m_remote = std::make_unique<RemoteRun>();
    m_searchPath = qgetenv("PATH");
    QDir().mkpath(path("bin"));
    QDir().mkpath(path("state"));
    for (const char *program : {"docker", "podman", "kubectl", "enroot"})
        QVERIFY(QFile::link(sourcePath("tests/e2e/containerprogram.py"),
                            path("bin") + '/'_L1 + QLatin1String(program)));
    qputenv("PATH", path("bin").toLocal8Bit() + ':' + m_searchPath);
    for (const char *name : {"alpha", "beta"})
        makeContainer(QLatin1String(name));
}

void ContainersTest::cleanup()
{
    if (m_remote)
        qputenv("PATH", m_searchPath);
    m_run.reset();
    m_remote.reset();
}

void ContainersTest::makeContainer(const QString &name, bool hasProgram) const
{
    const QString folder = path("containers/") + name;
    QVERIFY(QDir().mkpath(folder + u"/state"_s) && QDir().mkpath(folder + u"/bin"_s));
    if (hasProgram)
        QVERIFY(QFile::link(m_remote->program(), folder + u"/bin/rankdeckctl"_s));
}

void ContainersTest::aContainerIsTested_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("call");
    const auto row = [](const char *call, const QStringList &options) {
        QTest::newRow(call) << options << QByteArray(call);
    };
    const QString transport = u"--transport"_s;
    row("docker exec -i alpha", {transport, u"docker:alpha"_s});
    row("podman exec -i alpha", {transport, u"podman:alpha"_s});
    row("kubectl exec -i alpha --", {transport, u"kubectl:alpha"_s});
    row("kubectl exec -i -n ml alpha -c main --", {transport, u"kubectl:ml/alpha:main"_s});
    row("enroot exec alpha", {u"--transport-command"_s, u"enroot exec {node}"_s, u"--nodes"_s, u"alpha"_s});
}

void ContainersTest::aContainerIsTested()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, call);
    const Outcome outcome = ctl(QStringList{u"nodes"_s, u"test"_s, u"--json"_s} + options);
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    const auto json = parseJson(outcome.out);
    QVERIFY(json && json->at("nodes").size() == 1);
    const nlohmann::json node = json->at("nodes").front();
    QCOMPARE(node.value("node", ""), std::string("alpha"));
    QVERIFY(node.value("usable", false));
    QCOMPARE(calls(), QList<QByteArray>{call});
}

void ContainersTest::aContainerThatIsNotThereIsNamed()
{
    const Outcome outcome = ctl({u"nodes"_s, u"test"_s, u"--transport"_s, u"docker:nowhere"_s});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.out.startsWith("nowhere  cannot be used\n"), outcome.out);
    QVERIFY2(
        outcome.out.contains("docker ended with exit code 1 and said \"Error response from daemon: No such "
                             "container: nowhere\""),
        outcome.out);
    qputenv("PATH", m_searchPath);
    const Outcome without = ctl(
        {u"nodes"_s, u"test"_s, u"--transport-command"_s, u"no-such-program {node}"_s, u"--nodes"_s, u"a"_s});
    QCOMPARE(without.code, 1);
    QVERIFY2(without.out.contains("no-such-program cannot be started"), without.out);
}

void ContainersTest::aLaunchRunsInContainers()
{
    qputenv("HCCL_CONNECT_TIMEOUT", "77");
    const Outcome outcome =
        ctl(launch({u"--transport"_s, u"docker:{node}"_s, u"--nodes"_s, u"alpha,beta"_s},
                   u"echo rank $RANK of $WORLD_SIZE in $CONTAINER, $HCCL_CONNECT_TIMEOUT, $PATH"_s));
    qunsetenv("HCCL_CONNECT_TIMEOUT");
    QVERIFY2(outcome.code == 0, outcome.err);
    for (const QByteArray &line :
         {"rank 0 of 2 in alpha, 77, " + path("containers/alpha/bin").toUtf8() + ":/usr/bin:/bin",
          "rank 1 of 2 in beta, 77, " + path("containers/beta/bin").toUtf8() + ":/usr/bin:/bin"})
        QVERIFY2(outcome.out.contains(line), outcome.out);
    const auto directory = findRun(u"last"_s);
    QVERIFY(directory);
    const auto state = RunReader(*directory).open();
    QCOMPARE(state->plan->transport, u"docker:{node}"_s);
    for (const ProcessPlan &process : state->plan->processes) {
        QVERIFY2(!process.copiedFrom.value(0).isEmpty(), qPrintable(process.logFile)); // The container's own.
        QVERIFY(fileText(process.logFile).startsWith("rank "));
    }
}

void ContainersTest::logsInAMountedFolderAreReadInPlace()
{
    const Outcome outcome =
        ctl(launch({u"--transport"_s, u"podman:alpha"_s, u"--log-dir"_s, path("mounted")}, u"echo here"_s));
    QVERIFY2(outcome.code == 0, outcome.err);
    const auto state = RunReader(*findRun(u"last"_s)).open();
    const ProcessPlan &process = state->plan->processes.front();
    QVERIFY(process.copiedFrom.value(0).isEmpty());
    QVERIFY2(process.logFile.startsWith(path("mounted")), qPrintable(process.logFile));
    QCOMPARE(fileText(process.logFile), QByteArray("here\n"));
}

void ContainersTest::aContainerWithoutRankdeckGetsACopy()
{
    makeContainer(u"bare"_s, false);
    // Without what debuggers read, which is most of it.
    const QString program = path("stripped");
    QCOMPARE(QProcess::execute(u"strip"_s, {u"-o"_s, program, buildPath("bin/rankdeckctl")}), 0);
    QProcess process;
    process.start(program, launch({u"--transport"_s, u"docker:bare"_s}, u"echo rank in $CONTAINER"_s));
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("Copying rankdeckctl to bare ("), outcome.err);
    QVERIFY2(outcome.out.contains("rank in bare"), outcome.out);
    QCOMPARE(QDir(path("containers/bare/.cache/rankdeck")).entryList(QDir::Files).size(), 1);
}

void ContainersTest::containersOfOtherHostsAreReachedOverSsh()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    BareNodes hosts;
    for (const char *host : {"alpha", "beta"})
        hosts.setProgram(host, "docker",
                         "shift 2; name=$1; shift\n"
                         "exec env -i HOME=$HOME PATH=" +
                             buildPath("bin").toUtf8() +
                             ":/usr/bin:/bin XDG_STATE_HOME=$HOME/state CONTAINER=$name \"$@\"");
    QVERIFY(hosts.start());
    const Outcome outcome =
        ctl(launch({u"--transport"_s, u"ssh:{node}+docker:train-{node}"_s, u"--ssh-config"_s,
                    hosts.configuration(), u"--nodes"_s, u"alpha,beta"_s},
                   u"echo rank $RANK in $CONTAINER"_s));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.out.contains("rank 0 in train-alpha"), outcome.out);
    QVERIFY2(outcome.out.contains("rank 1 in train-beta"), outcome.out);
}

bool ContainersTest::startSteadyRun()
{
    m_run = std::make_unique<SteadyRun>(*m_remote);
    return ctl(m_run->arguments({u"--transport"_s, u"docker:{node}"_s, u"--nodes"_s, u"alpha,beta"_s,
                                 u"--node-program"_s, m_remote->program(), u"--detach"_s}))
                   .code == 0 &&
           m_run->isUp();
}

void ContainersTest::theProgramThatLeadsThereMayBeKilled()
{
    QVERIFY(startSteadyRun());
    const QList<qint64> pids = m_run->pids();
    QVERIFY(::kill(m_run->client("beta"), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasHappened<events::LinkBack>("beta"), programLimitMs);
    QCOMPARE(m_run->pids(), pids); // The same ranks go on.
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneSilentlyMs);
}

/// The program that leads there lives, and carries nothing any more: neither side is told of an end.
void ContainersTest::nothingIsLeftInAContainerThatFallsSilent()
{
    QVERIFY(startSteadyRun());
    QVERIFY(::kill(m_run->client("beta"), SIGUSR1) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({2, 3}), SteadyRun::goneSilentlyMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), SteadyRun::goneSilentlyMs);
    const RunState ended = m_run->state();
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->node, u"beta"_s);
    QVERIFY2(ended.failure->reason.text().startsWith("Lost node beta since "_L1) &&
                 ended.failure->reason.text().contains("no answer for 6 s"_L1),
             qPrintable(ended.failure->reason));
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneSilentlyMs);
}

void ContainersTest::nothingIsLeftWhenTheSupervisorIsKilled()
{
    QVERIFY(startSteadyRun());
    QVERIFY(::kill(m_run->supervisor(), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), SteadyRun::goneSilentlyMs);
}

} // namespace tst_containers

RANKDECK_TEST(tst_containers, ContainersTest)
#include "tst_containers.moc"
