#include "agent/channel/agentprotocol.h"
#include "agent/node/nodepreparation.h"
#include "agent/transport/agenttransport.h"
#include "agent/transport/nodeprogramtransport.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QTest>

#include <cstring>

namespace tst_transports
{

using namespace rankdeck;

class TransportsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void autoGoesByTheAllocationAndTheNodes();
    void nodesOfSlurmAreTriedInAnAllocation();
    void nodeListsAreReadInTheirOrder();
    void whatIsNoNodeIsRefused_data();
    void whatIsNoNodeIsRefused();
    void aProgramsPathIsOneWordOfTheRemoteShell();
    void scriptsAreOneWordOfAnyLoginShell();
    void whatANodeSaysIsReadAsAWord();
    void noNodeIsAnOption();
    void aContainerIsReachedByItsProgram_data();
    void aContainerIsReachedByItsProgram();
    void whatIsNoContainerIsRefused_data();
    void whatIsNoContainerIsRefused();
    void containersBehindSshGetQuotedWords();
    void aContainerNeedsNoListOfNodes();
    void aContainerKeepsItsOwnPlaces();
};

void TransportsTest::autoGoesByTheAllocationAndTheNodes()
{
    QProcessEnvironment environment;
    NodeOptions named;
    named.list = u"a,b"_s;
    QVERIFY(chooseTransport({}, environment).value() == TransportKind::Local);
    QVERIFY(chooseTransport(named, environment).value() == TransportKind::Ssh);
    environment.insert(u"SLURM_JOB_ID"_s, u"7"_s);
    QVERIFY(chooseTransport(named, environment).value() == TransportKind::Slurm);
    NodeOptions local = named;
    local.transport = u"local"_s;
    QVERIFY(chooseTransport(local, environment).value() == TransportKind::Local);
}

void TransportsTest::nodesOfSlurmAreTriedInAnAllocation()
{
    NodeOptions options;
    options.transport = u"slurm"_s;
    const auto kind = chooseTransport(options, {});
    QVERIFY(kind && *kind == TransportKind::Slurm); // A launch makes one.
    QVERIFY(problemWithoutAllocation(*kind, {})->what.contains("SLURM_JOB_ID"_L1));
    options.transport = u"pigeon"_s;
    QCOMPARE(chooseTransport(options, {}).error().where, u"--transport"_s);
}

void TransportsTest::nodeListsAreReadInTheirOrder()
{
    QCOMPARE(readNodeList(u"b, a.example.org,me@c,10.0.0.1,fe80::1"_s).value(),
             QStringList({u"b"_s, u"a.example.org"_s, u"me@c"_s, u"10.0.0.1"_s, u"fe80::1"_s}));
}

void TransportsTest::whatIsNoNodeIsRefused_data()
{
    QTest::addColumn<QString>("list");
    for (const char *list :
         {"", "a,,b", "a,a", "-oProxyCommand=x", "me@-x", "a b", "a;b", "a\nb", "$(x)", "@a"})
        QTest::newRow(list) << QString::fromLatin1(list);
}

void TransportsTest::whatIsNoNodeIsRefused()
{
    QFETCH(QString, list);
    const auto nodes = readNodeList(list);
    QVERIFY(!nodes);
    QCOMPARE(nodes.error().where, u"--nodes"_s);
    QVERIFY(!nodes.error().mend.isEmpty());
}

void TransportsTest::aProgramsPathIsOneWordOfTheRemoteShell()
{
    const QString program = u"/opt/it's here/rankdeckctl"_s;
    const QStringList command = transportCommand(TransportKind::Ssh, u"a"_s, {}, "exec \"$0\"", {program});
    QCOMPARE(command.last(), u"exec '/bin/sh' '-c' 'exec \"$0\"' '/opt/it'\\''s here/rankdeckctl'"_s);
    // srun hands arguments on as they are.
    QCOMPARE(transportCommand(TransportKind::Slurm, u"a"_s, {}, "exec \"$0\"", {program}).last(), program);
}

void TransportsTest::scriptsAreOneWordOfAnyLoginShell()
{
    for (const QByteArray &script :
         {findProgramScript(true), findProgramScript(false), runProgramScript(), rejoinScript()}) {
        for (const char special : {'\'', '!', '\n'})
            QVERIFY2(!script.contains(special), script);
        QVERIFY2(!script.contains("\\\\"), script); // fish reads two as one.
    }
    const QByteArray copy = runCopyScript({{}, 7, QByteArray(64, 'a')}, u"1.0'; x"_s);
    QCOMPARE(copy.count('\n'), 1);
    QVERIFY2(copy.contains("p=$d/rankdeckctl-1.0___x-aaaaaaaaaaaaaaaa; "), copy);
    QVERIFY(!copy.contains('@'));
    QVERIFY(!copy.contains("tar "));
    const QByteArray package = runCopyScript({{}, 7, QByteArray(64, 'a'), true}, u"1.0"_s);
    QVERIFY2(package.contains("tar "), package);
    QVERIFY(!package.contains('@'));
}

void TransportsTest::whatANodeSaysIsReadAsAWord()
{
    QCOMPARE(NodeWord::fromLine("rankdeck-runs /opt/a b/rankdeckctl")->text, u"/opt/a b/rankdeckctl"_s);
    QVERIFY(NodeWord::fromLine("rankdeck-needs")->kind == NodeWord::Kind::Needs);
    QCOMPARE(NodeWord::fromLine("rankdeck-asks aarch64")->text, u"aarch64"_s);
    QVERIFY(NodeWord::fromLine(agentMagic)->kind == NodeWord::Kind::Protocol);
    QVERIFY(!NodeWord::fromLine("Welcome to rankdeck-runs"));
}

void TransportsTest::noNodeIsAnOption()
{
    const QStringList command = transportCommand(TransportKind::Ssh, u"a"_s, {}, "true", {});
    QCOMPARE(command.at(command.size() - 3), u"--"_s);
    QVERIFY(command.contains(u"BatchMode=yes"_s));
    QVERIFY(command.contains(u"StrictHostKeyChecking=yes"_s));
}

/// Options whose transport is `text`, or whose command is if it has a space.
static NodeOptions containerOptions(const char *text, const char *list = "")
{
    NodeOptions options;
    options.list = QString::fromLatin1(list);
    QString &option = strchr(text, ' ') ? options.transportCommand : options.transport;
    option = QString::fromLatin1(text);
    return options;
}

void TransportsTest::aContainerIsReachedByItsProgram_data()
{
    QTest::addColumn<QByteArray>("transport");
    QTest::addColumn<QString>("words"); ///< For node "a".
    QTest::newRow("docker") << QByteArray("docker:train") << "docker exec -i train";
    QTest::newRow("podman") << QByteArray("podman:train") << "podman exec -i train";
    QTest::newRow("each node") << QByteArray("docker:x-{node}.0") << "docker exec -i x-a.0";
    QTest::newRow("pod") << QByteArray("kubectl:llama-0") << "kubectl exec -i llama-0 --";
    QTest::newRow("pod of a namespace") << QByteArray("kubectl:ml/{node}") << "kubectl exec -i -n ml a --";
    QTest::newRow("container of a pod") << QByteArray("kubectl:p:c") << "kubectl exec -i p -c c --";
    QTest::newRow("all of it") << QByteArray("kubectl:ml/p:c") << "kubectl exec -i -n ml p -c c --";
    QTest::newRow("any program") << QByteArray("enroot exec {node}") << "enroot exec a";
}

void TransportsTest::aContainerIsReachedByItsProgram()
{
    QFETCH(QByteArray, transport);
    QFETCH(QString, words);
    const NodeOptions options = containerOptions(transport.constData());
    QVERIFY(chooseTransport(options, {}).value() == TransportKind::Command);
    QVERIFY(options.isForNodes());
    QVERIFY(transportFrom(transportName(TransportKind::Command, options)) == TransportKind::Command);
    // A script is one word, whatever is in it.
    const QString script = u"exec \"$0\" 'x'; y"_s;
    QCOMPARE(
        transportCommand(TransportKind::Command, u"a"_s, options, script.toLatin1(), {u"/opt/it's here"_s}),
        words.split(' '_L1) + QStringList({u"/bin/sh"_s, u"-c"_s, script, u"/opt/it's here"_s}));
}

void TransportsTest::whatIsNoContainerIsRefused_data()
{
    QTest::addColumn<QByteArray>("transport");
    for (const char *transport : {"docker:",           "docker:-v",
                                  "docker:a/b",        "docker:$(x)",
                                  "docker:a;b",        "podman:a:b",
                                  "kubectl:",          "kubectl:/p",
                                  "kubectl:a/b/c",     "kubectl:p:",
                                  "kubectl:--help",    "ssh:",
                                  "ssh:host",          "ssh:host+",
                                  "ssh:host+pigeon:a", "ssh:-oX=y+docker:a",
                                  "ssh:+docker:a",     "ssh:h+ssh:h+docker:a",
                                  "pigeon:a",          "docker",
                                  "enroot 'exec",      " "})
        QTest::newRow(transport) << QByteArray(transport);
}

void TransportsTest::whatIsNoContainerIsRefused()
{
    QFETCH(QByteArray, transport);
    const auto kind = chooseTransport(containerOptions(transport.constData()), {});
    QVERIFY(!kind);
    QVERIFY(kind.error().where.startsWith("--transport"_L1));
    QVERIFY(!kind.error().what.isEmpty());
}

void TransportsTest::containersBehindSshGetQuotedWords()
{
    const NodeOptions docker = containerOptions("ssh:me@{node}+docker:train");
    const QStringList command = transportCommand(TransportKind::Command, u"a"_s, docker, "exec \"$0\"", {});
    QCOMPARE(command.first(), u"ssh"_s);
    QVERIFY(command.contains(u"BatchMode=yes"_s));
    QCOMPARE(command.mid(command.size() - 3),
             QStringList(
                 {u"--"_s, u"me@a"_s, u"exec 'docker' 'exec' '-i' 'train' '/bin/sh' '-c' 'exec \"$0\"'"_s}));
    NodeOptions any = containerOptions("sudo docker exec -i {node}-0");
    any.transport = u"ssh"_s;
    QCOMPARE(transportCommand(TransportKind::Command, u"a"_s, any, "x", {}).mid(command.size() - 3),
             QStringList({u"--"_s, u"a"_s, u"exec 'sudo' 'docker' 'exec' '-i' 'a-0' '/bin/sh' '-c' 'x'"_s}));
    any.transport = u"slurm"_s;
    QCOMPARE(chooseTransport(any, {}).error().where, u"--transport-command"_s);
}

void TransportsTest::aContainerNeedsNoListOfNodes()
{
    const auto names = [](const char *transport, const char *list = "") {
        return namedNodes(TransportKind::Command, containerOptions(transport, list), {});
    };
    QCOMPARE(names("docker:train").value(), QStringList(u"train"_s));
    QCOMPARE(names("kubectl:ml/p:c").value(), QStringList(u"p"_s));
    QCOMPARE(names("ssh:me@box+docker:train").value(), QStringList(u"me@box"_s));
    QCOMPARE(names("docker:{node}").value(), QStringList());
    QCOMPARE(names("enroot exec train").value(), QStringList());
    QCOMPARE(names("docker:{node}", "a,b").value(), QStringList({u"a"_s, u"b"_s}));
    QCOMPARE(names("docker:train", "a").value(), QStringList(u"a"_s));
    QCOMPARE(names("docker:train", "a,b").error().where, u"--nodes"_s);
    QVERIFY(names("enroot exec train", "a,b").error().mend.contains("{node}"_L1));
    QVERIFY(!names("docker:{node}", "a,-b"));
}

void TransportsTest::aContainerKeepsItsOwnPlaces()
{
    QProcessEnvironment here;
    for (const char *name : {"HOME", "PATH", "LD_LIBRARY_PATH", "ASCEND_HOME_PATH", "HCCL_CONNECT_TIMEOUT"})
        here.insert(QLatin1String(name), u"x"_s);
    QCOMPARE(environmentForNodes(here, TransportKind::Command).keys(),
             QStringList(u"HCCL_CONNECT_TIMEOUT"_s));
    QCOMPARE(environmentForNodes(here, TransportKind::Ssh).size(), 4);
}

} // namespace tst_transports

RANKDECK_TEST(tst_transports, TransportsTest)
#include "tst_transports.moc"
