#include "base/json.h"
#include "support/programs.h"
#include "support/slurmcluster.h"
#include "support/sshserver.h"
#include "support/testmain.h"

#include <memory>

namespace tst_nodes
{

using namespace rankdeck;

/// `rankdeckctl nodes` over a real sshd and a real Slurm.
class NodesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void thisNodeIsTriedWithoutAnyTransport();
    void nodesAreTriedOverSsh();
    void aBannerOfTheLoginShellIsPassedOver();
    void aNodeWithoutRankdeckIsNamedWithTheMend();
    void aNodeThatIsNotReachedDoesNotHideTheOthers();
    void anUnknownHostKeyIsShownAndTrustedOnRequest();
    void aChangedHostKeyIsRefused();
    void nodesOfAnAllocationAreTriedOverSlurm();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
    }
    static QString program() { return buildPath("bin/rankdeckctl"); }
    bool startSsh();
    Outcome overSsh(const QStringList &action, const QString &programThere = program()) const;
    /// What was found of the only node.
    static nlohmann::json onlyNode(const Outcome &outcome);

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<SshServer> m_ssh;
};

void NodesTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
    qunsetenv("SLURM_JOB_ID");
}

void NodesTest::cleanup()
{
    m_ssh.reset();
    m_home.reset();
}

bool NodesTest::startSsh()
{
    m_ssh = std::make_unique<SshServer>(m_home->path("ssh"));
    return m_ssh->start();
}

Outcome NodesTest::overSsh(const QStringList &action, const QString &programThere) const
{
    QStringList arguments{u"nodes"_s};
    arguments << action << u"--ssh-config"_s << m_ssh->configuration();
    if (!programThere.isEmpty())
        arguments << u"--node-program"_s << programThere;
    return ctl(arguments);
}

nlohmann::json NodesTest::onlyNode(const Outcome &outcome)
{
    const auto json = parseJson(outcome.out);
    return json && json->at("nodes").size() == 1 ? json->at("nodes").front() : nlohmann::json::object();
}

void NodesTest::thisNodeIsTriedWithoutAnyTransport()
{
    const Outcome outcome = ctl(words("nodes test --json"));
    QCOMPARE(outcome.code, 0);
    const nlohmann::json node = onlyNode(outcome);
    QVERIFY(node.value("usable", false));
    QCOMPARE(QString::fromStdString(node.value("host", "")), QSysInfo::machineHostName());
    QVERIFY(node.value("free_bytes", 0LL) > 0);
    QVERIFY(std::abs(node.value("clock_offset_ms", 1e9)) < 1000);
}

void NodesTest::nodesAreTriedOverSsh()
{
    if (!SshServer::isInstalled())
        QSKIP("no sshd on this machine");
    QVERIFY(startSsh());
    const Outcome outcome = overSsh(words("test --nodes alpha,beta,gamma"));
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    const QList<QByteArray> lines = linesOf(outcome.out);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines.at(0).startsWith("alpha  ok, Rankdeck "));
    QVERIFY(lines.at(2).startsWith("gamma  ok, Rankdeck "));
}

void NodesTest::aBannerOfTheLoginShellIsPassedOver()
{
    if (!SshServer::isInstalled())
        QSKIP("no sshd on this machine");
    QVERIFY(startSsh());
    QFile wrapper(m_home->path("talking"));
    QVERIFY(wrapper.open(QIODevice::WriteOnly));
    wrapper.write("#!/bin/sh\necho Welcome to this node\nexec " + buildPath("bin/rankdeckctl").toUtf8() +
                  " \"$@\"\n");
    wrapper.close();
    wrapper.setPermissions(wrapper.permissions() | QFileDevice::ExeOwner);
    const Outcome outcome = overSsh(words("test --nodes alpha --json"), wrapper.fileName());
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    QVERIFY(onlyNode(outcome).value("usable", false));
}

void NodesTest::aNodeWithoutRankdeckIsNamedWithTheMend()
{
    if (!SshServer::isInstalled())
        QSKIP("no sshd on this machine");
    QVERIFY(startSsh());
    const Outcome outcome = overSsh(words("test --nodes alpha"), u"/nowhere/rankdeckctl"_s);
    QCOMPARE(outcome.code, 1);
    QVERIFY(outcome.out.startsWith("alpha  cannot be used\n"));
    QVERIFY2(outcome.out.contains("name its rankdeckctl with --node-program"), outcome.out);
}

void NodesTest::aNodeThatIsNotReachedDoesNotHideTheOthers()
{
    if (!SshServer::isInstalled())
        QSKIP("no sshd on this machine");
    QVERIFY(startSsh());
    const Outcome outcome = overSsh(words("test --nodes alpha,nowhere.invalid,beta"));
    QCOMPARE(outcome.code, 1);
    QVERIFY(outcome.out.contains("alpha            ok, "));
    QVERIFY(outcome.out.contains("nowhere.invalid  cannot be used\n"));
    QVERIFY(outcome.out.contains("beta             ok, "));
}

void NodesTest::anUnknownHostKeyIsShownAndTrustedOnRequest()
{
    if (!SshServer::isInstalled())
        QSKIP("no sshd on this machine");
    QVERIFY(startSsh());
    m_ssh->write("known_hosts", {});
    const Outcome unknown = overSsh(words("test --nodes alpha"));
    QCOMPARE(unknown.code, 1);
    QVERIFY2(unknown.out.contains("rankdeckctl nodes trust alpha"), unknown.out);

    const Outcome shown = overSsh(words("trust alpha")); // Nobody is there to say yes.
    QCOMPARE(shown.code, 1);
    QVERIFY2(shown.err.contains("SHA256:"), shown.err);
    QCOMPARE(overSsh(words("test --nodes alpha")).code, 1);

    QCOMPARE(overSsh(words("trust alpha --yes")).code, 0);
    const Outcome trusted = overSsh(words("test --nodes alpha"));
    QVERIFY2(trusted.code == 0, trusted.out);
    QVERIFY(m_ssh->read("known_hosts").isEmpty()); // The user's own file is the user's.
}

void NodesTest::aChangedHostKeyIsRefused()
{
    if (!SshServer::isInstalled())
        QSKIP("no sshd on this machine");
    QVERIFY(startSsh());
    const QList<QByteArray> known = m_ssh->read("known_hosts").split(' ');
    const QList<QByteArray> other = m_ssh->read("user.pub").split(' ');
    m_ssh->write("known_hosts",
                 QString::fromUtf8(known.value(0) + ' ' + other.value(0) + ' ' + other.value(1) + '\n'));
    const Outcome outcome = overSsh(words("test --nodes alpha"));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.out.contains("Its host key differs from the accepted one: it is now SHA256:"),
             outcome.out);
    QVERIFY(!outcome.out.contains("@@@"));
}

void NodesTest::nodesOfAnAllocationAreTriedOverSlurm()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    SlurmCluster cluster(m_home->path("slurm"));
    QVERIFY(cluster.start());
    const auto inAllocation = [](const QStringList &arguments) {
        QProcess process;
        process.start(u"salloc"_s, QStringList{u"--quiet"_s, u"--nodes=3"_s, program(), u"nodes"_s, u"test"_s,
                                               u"--node-program"_s, program()} +
                                       arguments);
        return outcomeOf(process);
    };
    const Outcome all = inAllocation({});
    QVERIFY2(all.code == 0, all.out + all.err);
    QCOMPARE(linesOf(all.out).size(), 3);
    QVERIFY(all.out.startsWith("node1  ok, Rankdeck "));
    const Outcome two = inAllocation(words("--nodes node[2-3]"));
    QVERIFY2(two.code == 0, two.out + two.err);
    QVERIFY(two.out.startsWith("node2  ok, "));
    QCOMPARE(linesOf(two.out).size(), 2);
    const Outcome none = inAllocation(words("--nodes node9"));
    QCOMPARE(none.code, 1);
    QVERIFY2(none.out.startsWith("node9  cannot be used\n"), none.out);
}

void NodesTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no such action") << "dance" << QByteArray("unknown action \"nodes dance\"");
    QTest::newRow("no such transport")
        << "test --transport pigeon"
        << QByteArray("Use auto, local, ssh, slurm, docker:NAME, podman:NAME, kubectl:");
    QTest::newRow("no container") << "test --transport docker:-v"
                                  << QByteArray("\"docker:-v\" is not of the form docker:NAME");
    QTest::newRow("one container, two nodes") << "test --transport docker:a --nodes b,c"
                                              << QByteArray("docker:a leads to one node, and 2 are named");
    QTest::newRow("containers without names")
        << "test --transport docker:{node}" << QByteArray("no nodes given");
    QTest::newRow("two ways") << "test --transport docker:a --transport-command x --nodes b"
                              << QByteArray("--transport docker:a already says how nodes are reached");
    QTest::newRow("no allocation") << "test --transport slurm" << QByteArray("SLURM_JOB_ID is not set");
    QTest::newRow("no node") << "test --transport ssh" << QByteArray("no nodes given");
    QTest::newRow("an option for a node") << "test --nodes -oX=y" << QByteArray("is not a valid node name");
    QTest::newRow("twice") << "test --nodes a,a" << QByteArray("a is named twice");
}

void NodesTest::wrongUseIsOneSentence()
{
    QFETCH(QString, arguments);
    QFETCH(QByteArray, words);
    const Outcome outcome = ctl(QStringList{u"nodes"_s} + arguments.split(' '_L1));
    verifyOneSentence(outcome, words);
}

} // namespace tst_nodes

RANKDECK_TEST(tst_nodes, NodesTest)
#include "tst_nodes.moc"
