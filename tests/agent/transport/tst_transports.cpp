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
    named.list = QStringLiteral("a,b");
    QVERIFY(chooseTransport({}, environment).value() == TransportKind::Local);
    QVERIFY(chooseTransport(named, environment).value() == TransportKind::Ssh);
    environment.insert(QStringLiteral("SLURM_JOB_ID"), QStringLiteral("7"));
    QVERIFY(chooseTransport(named, environment).value() == TransportKind::Slurm);
    NodeOptions local = named;
    local.transport = QStringLiteral("local");
    QVERIFY(chooseTransport(local, environment).value() == TransportKind::Local);
}

void TransportsTest::nodesOfSlurmAreTriedInAnAllocation()
{
    NodeOptions options;
    options.transport = QStringLiteral("slurm");
    const auto kind = chooseTransport(options, {});
    QVERIFY(kind && *kind == TransportKind::Slurm); // A launch makes one.
    QVERIFY(problemWithoutAllocation(*kind, {})->what.contains(QLatin1String("SLURM_JOB_ID")));
    options.transport = QStringLiteral("pigeon");
    QCOMPARE(chooseTransport(options, {}).error().where, QStringLiteral("--transport"));
}

void TransportsTest::nodeListsAreReadInTheirOrder()
{
    QCOMPARE(readNodeList(QStringLiteral("b, a.example.org,me@c,10.0.0.1,fe80::1")).value(),
             QStringList({QStringLiteral("b"), QStringLiteral("a.example.org"), QStringLiteral("me@c"),
                          QStringLiteral("10.0.0.1"), QStringLiteral("fe80::1")}));
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
    QCOMPARE(nodes.error().where, QStringLiteral("--nodes"));
    QVERIFY(!nodes.error().mend.isEmpty());
}

void TransportsTest::aProgramsPathIsOneWordOfTheRemoteShell()
{
    const QString program = QStringLiteral("/opt/it's here/rankdeckctl");
    const QStringList command =
        transportCommand(TransportKind::Ssh, QStringLiteral("a"), {}, "exec \"$0\"", {program});
    QCOMPARE(command.last(), QStringLiteral("exec 'sh' '-c' 'exec \"$0\"' '/opt/it'\\''s here/rankdeckctl'"));
    // srun hands arguments on as they are.
    QCOMPARE(transportCommand(TransportKind::Slurm, QStringLiteral("a"), {}, "exec \"$0\"", {program}).last(),
             program);
}

void TransportsTest::scriptsAreOneWordOfAnyLoginShell()
{
    for (const QByteArray &script : {findProgramScript(true), findProgramScript(false), runProgramScript()}) {
        for (const char special : {'\'', '!', '\n'})
            QVERIFY2(!script.contains(special), script);
        QVERIFY2(!script.contains("\\\\"), script); // fish reads two as one.
    }
    const QByteArray copy = runCopyScript({{}, 7, QByteArray(64, 'a')}, QStringLiteral("1.0'; x"));
    QCOMPARE(copy.count('\n'), 1);
    QVERIFY2(copy.contains("p=$d/rankdeckctl-1.0___x-aaaaaaaaaaaaaaaa; "), copy);
    QVERIFY(!copy.contains('@'));
    QVERIFY(!copy.contains("tar "));
    const QByteArray package = runCopyScript({{}, 7, QByteArray(64, 'a'), true}, QStringLiteral("1.0"));
    QVERIFY2(package.contains("tar "), package);
    QVERIFY(!package.contains('@'));
}

void TransportsTest::whatANodeSaysIsReadAsAWord()
{
    QCOMPARE(NodeWord::fromLine("rankdeck-runs /opt/a b/rankdeckctl")->text,
             QStringLiteral("/opt/a b/rankdeckctl"));
    QVERIFY(NodeWord::fromLine("rankdeck-needs")->kind == NodeWord::Kind::Needs);
    QCOMPARE(NodeWord::fromLine("rankdeck-asks aarch64")->text, QStringLiteral("aarch64"));
    QVERIFY(NodeWord::fromLine(agentMagic)->kind == NodeWord::Kind::Protocol);
    QVERIFY(!NodeWord::fromLine("Welcome to rankdeck-runs"));
}

void TransportsTest::noNodeIsAnOption()
{
    const QStringList command = transportCommand(TransportKind::Ssh, QStringLiteral("a"), {}, "true", {});
    QCOMPARE(command.at(command.size() - 3), QStringLiteral("--"));
    QVERIFY(command.contains(QStringLiteral("BatchMode=yes")));
    QVERIFY(command.contains(QStringLiteral("StrictHostKeyChecking=yes")));
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
    const QString script = QStringLiteral("exec \"$0\" 'x'; y");
    QCOMPARE(transportCommand(TransportKind::Command, QStringLiteral("a"), options, script.toLatin1(),
                              {QStringLiteral("/opt/it's here")}),
             words.split(QLatin1Char(' ')) + QStringList({QStringLiteral("sh"), QStringLiteral("-c"), script,
                                                          QStringLiteral("/opt/it's here")}));
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
    QVERIFY(kind.error().where.startsWith(QLatin1String("--transport")));
    QVERIFY(!kind.error().what.isEmpty());
}

void TransportsTest::containersBehindSshGetQuotedWords()
{
    const NodeOptions docker = containerOptions("ssh:me@{node}+docker:train");
    const QStringList command =
        transportCommand(TransportKind::Command, QStringLiteral("a"), docker, "exec \"$0\"", {});
    QCOMPARE(command.first(), QStringLiteral("ssh"));
    QVERIFY(command.contains(QStringLiteral("BatchMode=yes")));
    QCOMPARE(command.mid(command.size() - 3),
             QStringList({QStringLiteral("--"), QStringLiteral("me@a"),
                          QStringLiteral("exec 'docker' 'exec' '-i' 'train' 'sh' '-c' 'exec \"$0\"'")}));
    NodeOptions any = containerOptions("sudo docker exec -i {node}-0");
    any.transport = QStringLiteral("ssh");
    QCOMPARE(
        transportCommand(TransportKind::Command, QStringLiteral("a"), any, "x", {}).mid(command.size() - 3),
        QStringList({QStringLiteral("--"), QStringLiteral("a"),
                     QStringLiteral("exec 'sudo' 'docker' 'exec' '-i' 'a-0' 'sh' '-c' 'x'")}));
    any.transport = QStringLiteral("slurm");
    QCOMPARE(chooseTransport(any, {}).error().where, QStringLiteral("--transport-command"));
}

void TransportsTest::aContainerNeedsNoListOfNodes()
{
    const auto names = [](const char *transport, const char *list = "") {
        return namedNodes(TransportKind::Command, containerOptions(transport, list), {});
    };
    QCOMPARE(names("docker:train").value(), QStringList(QStringLiteral("train")));
    QCOMPARE(names("kubectl:ml/p:c").value(), QStringList(QStringLiteral("p")));
    QCOMPARE(names("ssh:me@box+docker:train").value(), QStringList(QStringLiteral("me@box")));
    QCOMPARE(names("docker:{node}").value(), QStringList());
    QCOMPARE(names("enroot exec train").value(), QStringList());
    QCOMPARE(names("docker:{node}", "a,b").value(), QStringList({QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(names("docker:train", "a").value(), QStringList(QStringLiteral("a")));
    QCOMPARE(names("docker:train", "a,b").error().where, QStringLiteral("--nodes"));
    QVERIFY(names("enroot exec train", "a,b").error().mend.contains(QLatin1String("{node}")));
    QVERIFY(!names("docker:{node}", "a,-b"));
}

void TransportsTest::aContainerKeepsItsOwnPlaces()
{
    QProcessEnvironment here;
    for (const char *name : {"HOME", "PATH", "LD_LIBRARY_PATH", "ASCEND_HOME_PATH", "HCCL_CONNECT_TIMEOUT"})
        here.insert(QLatin1String(name), QStringLiteral("x"));
    QCOMPARE(environmentForNodes(here, TransportKind::Command).keys(),
             QStringList(QStringLiteral("HCCL_CONNECT_TIMEOUT")));
    QCOMPARE(environmentForNodes(here, TransportKind::Ssh).size(), 4);
}

} // namespace tst_transports

RANKDECK_TEST(tst_transports, TransportsTest)
#include "tst_transports.moc"
