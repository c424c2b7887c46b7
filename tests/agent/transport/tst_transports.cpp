#include "agent/channel/agentprotocol.h"
#include "agent/transport/agenttransport.h"
#include "agent/transport/nodeprogramtransport.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QTest>

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
    QVERIFY(NodeWord::fromLine("rankdeck-asks")->kind == NodeWord::Kind::Asks);
    QCOMPARE(NodeWord::fromLine("rankdeck-needs aarch64")->text, QStringLiteral("aarch64"));
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

} // namespace tst_transports

RANKDECK_TEST(tst_transports, TransportsTest)
#include "tst_transports.moc"
