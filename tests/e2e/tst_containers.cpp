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
    void nothingIsLeftWhenTheProgramIsKilled();
    void nothingIsLeftInAContainerThatFallsSilent();
    void nothingIsLeftWhenTheSupervisorIsKilled();

private:
    QString path(const char *name) const { return m_remote->home().path(name); }
    QList<QByteArray> calls() const { return linesOf(fileText(path("calls"))); }
    void makeContainer(const QString &name, bool hasProgram = true) const;
    QStringList launch(const QStringList &options, const QString &script) const
    {
        return QStringList{QStringLiteral("processes"), QStringLiteral("--work-dir"), path(""),
                           QStringLiteral("--master-port"), QString::number(freePort())} +
               options + QStringList{QStringLiteral("sh"), QStringLiteral("-c"), script};
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
                            path("bin") + QLatin1Char('/') + QLatin1String(program)));
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
    QVERIFY(QDir().mkpath(folder + QStringLiteral("/state")) &&
            QDir().mkpath(folder + QStringLiteral("/bin")));
    if (hasProgram)
        QVERIFY(QFile::link(m_remote->program(), folder + QStringLiteral("/bin/rankdeckctl")));
}

void ContainersTest::aContainerIsTested_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("call");
    const auto row = [](const char *call, const QStringList &options) {
        QTest::newRow(call) << options << QByteArray(call);
    };
    const QString transport = QStringLiteral("--transport");
    row("docker exec -i alpha", {transport, QStringLiteral("docker:alpha")});
    row("podman exec -i alpha", {transport, QStringLiteral("podman:alpha")});
    row("kubectl exec -i alpha --", {transport, QStringLiteral("kubectl:alpha")});
    row("kubectl exec -i -n ml alpha -c main --", {transport, QStringLiteral("kubectl:ml/alpha:main")});
    row("enroot exec alpha", {QStringLiteral("--transport-command"), QStringLiteral("enroot exec {node}"),
                              QStringLiteral("--nodes"), QStringLiteral("alpha")});
}

void ContainersTest::aContainerIsTested()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, call);
    const Outcome outcome =
        ctl(QStringList{QStringLiteral("nodes"), QStringLiteral("test"), QStringLiteral("--json")} + options);
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
    const Outcome outcome = ctl({QStringLiteral("nodes"), QStringLiteral("test"),
                                 QStringLiteral("--transport"), QStringLiteral("docker:nowhere")});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.out.startsWith("nowhere  cannot be used\n"), outcome.out);
    QVERIFY2(
        outcome.out.contains("docker ended with exit code 1 and said \"Error response from daemon: No such "
                             "container: nowhere\""),
        outcome.out);
    qputenv("PATH", m_searchPath);
    const Outcome without =
        ctl({QStringLiteral("nodes"), QStringLiteral("test"), QStringLiteral("--transport-command"),
             QStringLiteral("no-such-program {node}"), QStringLiteral("--nodes"), QStringLiteral("a")});
    QCOMPARE(without.code, 1);
    QVERIFY2(without.out.contains("no-such-program cannot be started"), without.out);
}

void ContainersTest::aLaunchRunsInContainers()
{
    qputenv("HCCL_CONNECT_TIMEOUT", "77");
    const Outcome outcome = ctl(
        launch({QStringLiteral("--transport"), QStringLiteral("docker:{node}"), QStringLiteral("--nodes"),
                QStringLiteral("alpha,beta")},
               QStringLiteral("echo rank $RANK of $WORLD_SIZE in $CONTAINER, $HCCL_CONNECT_TIMEOUT, $PATH")));
    qunsetenv("HCCL_CONNECT_TIMEOUT");
    QVERIFY2(outcome.code == 0, outcome.err);
    for (const QByteArray &line :
         {"rank 0 of 2 in alpha, 77, " + path("containers/alpha/bin").toUtf8() + ":/usr/bin:/bin",
          "rank 1 of 2 in beta, 77, " + path("containers/beta/bin").toUtf8() + ":/usr/bin:/bin"})
        QVERIFY2(outcome.out.contains(line), outcome.out);
    const auto directory = findRun(QStringLiteral("last"));
    QVERIFY(directory);
    const auto state = RunReader(*directory).open();
    QCOMPARE(state->plan->transport, QStringLiteral("docker:{node}"));
    for (const ProcessPlan &process : state->plan->processes) {
        QVERIFY2(!process.copiedFrom.value(0).isEmpty(), qPrintable(process.logFile)); // The container's own.
        QVERIFY(fileText(process.logFile).startsWith("rank "));
    }
}

void ContainersTest::logsInAMountedFolderAreReadInPlace()
{
    const Outcome outcome = ctl(launch({QStringLiteral("--transport"), QStringLiteral("podman:alpha"),
                                        QStringLiteral("--log-dir"), path("mounted")},
                                       QStringLiteral("echo here")));
    QVERIFY2(outcome.code == 0, outcome.err);
    const auto state = RunReader(*findRun(QStringLiteral("last"))).open();
    const ProcessPlan &process = state->plan->processes.front();
    QVERIFY(process.copiedFrom.value(0).isEmpty());
    QVERIFY2(process.logFile.startsWith(path("mounted")), qPrintable(process.logFile));
    QCOMPARE(fileText(process.logFile), QByteArray("here\n"));
}

void ContainersTest::aContainerWithoutRankdeckGetsACopy()
{
    makeContainer(QStringLiteral("bare"), false);
    // Without what debuggers read, which is most of it.
    const QString program = path("stripped");
    QCOMPARE(QProcess::execute(QStringLiteral("strip"),
                               {QStringLiteral("-o"), program, buildPath("bin/rankdeckctl")}),
             0);
    QProcess process;
    process.start(program, launch({QStringLiteral("--transport"), QStringLiteral("docker:bare")},
                                  QStringLiteral("echo rank in $CONTAINER")));
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
        ctl(launch({QStringLiteral("--transport"), QStringLiteral("ssh:{node}+docker:train-{node}"),
                    QStringLiteral("--ssh-config"), hosts.configuration(), QStringLiteral("--nodes"),
                    QStringLiteral("alpha,beta")},
                   QStringLiteral("echo rank $RANK in $CONTAINER")));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.out.contains("rank 0 in train-alpha"), outcome.out);
    QVERIFY2(outcome.out.contains("rank 1 in train-beta"), outcome.out);
}

bool ContainersTest::startSteadyRun()
{
    m_run = std::make_unique<SteadyRun>(*m_remote);
    return ctl(m_run->arguments({QStringLiteral("--transport"), QStringLiteral("docker:{node}"),
                                 QStringLiteral("--nodes"), QStringLiteral("alpha,beta"),
                                 QStringLiteral("--node-program"), m_remote->program(),
                                 QStringLiteral("--detach")}))
                   .code == 0 &&
           m_run->isUp();
}

void ContainersTest::nothingIsLeftWhenTheProgramIsKilled()
{
    QVERIFY(startSteadyRun());
    QVERIFY(::kill(m_run->client("beta"), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({2, 3}), SteadyRun::goneMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), SteadyRun::goneSilentlyMs);
    const RunState ended = m_run->state();
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->node, QStringLiteral("beta"));
    QVERIFY2(ended.failure->reason.text().startsWith(QLatin1String("Lost node beta since ")) &&
                 ended.failure->reason.text().contains(QLatin1String("docker ended with SIGKILL")),
             qPrintable(ended.failure->reason));
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
    QCOMPARE(ended.failure->node, QStringLiteral("beta"));
    QVERIFY2(ended.failure->reason.text().startsWith(QLatin1String("Lost node beta since ")) &&
                 ended.failure->reason.text().contains(QLatin1String("no answer for 6 s")),
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
