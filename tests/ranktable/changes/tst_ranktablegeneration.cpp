#include "ranktable/changes/ranktablegeneration.h"
#include "ranktable/changes/ranktablemerge.h"
#include "ranktable/table/ranktablewriter.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_ranktablegeneration
{

using namespace rankdeck;

/// Addresses come from stand-ins for hccn_tool and hccn.conf in a folder of the test's own.
class RankTableGenerationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }
    void givenAddressesAreUsed();
    void hccnToolIsAskedFirst();
    void ipv6IsAskedForWhereThereIsNoIpv4();
    void hccnConfIsReadWhereTheToolSaysNothing();
    void hccnConfMayNameIpv6();
    void withoutAnythingItSaysWhatWasLookedFor();
    void theToolIsFoundInThePathOnlyByAbsoluteFolders();
    void impossibleRequestsAreRefused();
    void itCanBeCancelled();
    void theFileIsCalledAsTheToolCallsIt();
    void theHostsOwnAddressIsTheServerId();

private:
    /// A tool that answers with this shell text; "$2" is the device.
    QString writeTool(const QByteArray &script)
    {
        const QString path = m_home->filePath(QStringLiteral("hccn_tool"));
        write(path, "#!/bin/sh\n" + script);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }
    void write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QString confPath() const { return m_home->filePath(QStringLiteral("hccn.conf")); }
    /// A tool that is not there, so that none of this machine's is searched for.
    QString noTool() const { return m_home->filePath(QStringLiteral("none")); }

    static GenerateRequest request(const char *devices)
    {
        GenerateRequest wanted;
        wanted.devices = *parseDeviceList(QString::fromLatin1(devices));
        wanted.serverId = QStringLiteral("192.0.2.1");
        return wanted;
    }
    static QStringList ipsOf(const RankTable &table)
    {
        QStringList ips;
        for (const Device &device : table.servers.at(0).devices)
            ips << device.deviceIp;
        return ips;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void RankTableGenerationTest::givenAddressesAreUsed()
{
    GenerateRequest wanted = request("4-5");
    wanted.deviceIps = QStringList{QStringLiteral("198.51.100.4"), QStringLiteral("198.51.100.5")};
    wanted.withHostNicIp = true;
    const auto generated = generateRankTableOfHost(wanted, {noTool(), confPath()});
    QVERIFY2(generated, qPrintable(generated.error().sentence()));
    QCOMPARE(generated->table.form, RankTableForm::ServerList);
    QVERIFY(generated->table.isCompleted());
    QCOMPARE(ipsOf(generated->table), wanted.deviceIps);
    QCOMPARE(generated->table.servers[0].devices[1].rank, Rank(1));
    QCOMPARE(generated->table.servers[0].devices[1].deviceId, DeviceId(5));
    QVERIFY(toJson(generated->table).contains("\"host_nic_ip\": \"reserve\""));
    QVERIFY(generated->lookedFor.isEmpty());
}

void RankTableGenerationTest::hccnToolIsAskedFirst()
{
    write(confPath(), "address_0=203.0.113.1\n");
    const QString tool = writeTool("[ \"$1 $3 $4\" = '-i -ip -g' ] || exit 1\n"
                                   "printf 'ipaddr:198.51.100.1%s\\nnetmask:255.255.255.0\\n' \"$2\"\n");
    const auto generated = generateRankTableOfHost(request("0,7"), {tool, confPath()});
    QVERIFY2(generated, qPrintable(generated.error().sentence()));
    QCOMPARE(ipsOf(generated->table),
             (QStringList{QStringLiteral("198.51.100.10"), QStringLiteral("198.51.100.17")}));
}

void RankTableGenerationTest::ipv6IsAskedForWhereThereIsNoIpv4()
{
    const QString tool = writeTool("if [ \"$4\" = -inet6 ]; then echo 'ipaddr:2001:db8::7/64'; else\n"
                                   "echo 'get ip failed'; exit 1; fi\n");
    const auto generated = generateRankTableOfHost(request("7"), {tool, confPath()});
    QVERIFY2(generated, qPrintable(generated.error().sentence()));
    QCOMPARE(ipsOf(generated->table), QStringList{QStringLiteral("2001:db8::7")});
}

void RankTableGenerationTest::hccnConfIsReadWhereTheToolSaysNothing()
{
    write(confPath(), "address_0=198.51.100.30\nnetmask_0=255.255.255.0\n address_10 = 198.51.100.40 \n");
    for (const QString &tool : {noTool(), writeTool("echo 'Cmd os cmd execute failed'; exit 1\n")}) {
        const auto generated = generateRankTableOfHost(request("0,10"), {tool, confPath()});
        QVERIFY2(generated, qPrintable(generated.error().sentence()));
        QCOMPARE(ipsOf(generated->table),
                 (QStringList{QStringLiteral("198.51.100.30"), QStringLiteral("198.51.100.40")}));
        QVERIFY(generated->lookedFor.join(QLatin1Char(' ')).contains(tool));
    }
}

void RankTableGenerationTest::hccnConfMayNameIpv6()
{
    write(confPath(), "IPv6address_0=2001:db8::1\nIPv6netmask_0=64\n");
    const auto generated = generateRankTableOfHost(request("0"), {noTool(), confPath()});
    QVERIFY2(generated, qPrintable(generated.error().sentence()));
    QCOMPARE(ipsOf(generated->table), QStringList{QStringLiteral("2001:db8::1")});
}

void RankTableGenerationTest::withoutAnythingItSaysWhatWasLookedFor()
{
    const QString tool = writeTool("printf 'device \\033[31mis busy\\n'\n");
    const auto generated = generateRankTableOfHost(request("3"), {tool, confPath()});
    QVERIFY(!generated);
    const QString sentence = generated.error().sentence();
    QVERIFY2(sentence.contains(QStringLiteral("device 3")), qPrintable(sentence));
    QVERIFY2(sentence.contains(tool + QStringLiteral(" -i 3 -ip -g")), qPrintable(sentence));
    QVERIFY2(sentence.contains(QStringLiteral("is busy")), qPrintable(sentence));
    QVERIFY2(sentence.contains(confPath()), qPrintable(sentence));
    write(confPath(), "address_0=198.51.100.30\n");
    const auto other = generateRankTableOfHost(request("3"), {tool, confPath()});
    QVERIFY2(other.error().what.contains(QStringLiteral("has no address_3")), qPrintable(other.error().what));
}

void RankTableGenerationTest::theToolIsFoundInThePathOnlyByAbsoluteFolders()
{
    if (QFile::exists(QStringLiteral("/usr/local/Ascend/driver/tools/hccn_tool")))
        QSKIP("this machine has an hccn_tool of its own");
    writeTool("echo ipaddr:198.51.100.1\n");
    const QByteArray path = qgetenv("PATH");
    const QString folder = QDir::currentPath();
    qputenv("PATH", QFile::encodeName(m_home->path()));
    const auto found = generateRankTableOfHost(request("0"), {{}, confPath()});
    QDir::setCurrent(m_home->path());
    qputenv("PATH", ".");
    const auto relative = generateRankTableOfHost(request("0"), {{}, confPath()});
    qputenv("PATH", path);
    QDir::setCurrent(folder);
    QVERIFY2(found, qPrintable(found.error().sentence()));
    QVERIFY(!relative);
    QVERIFY2(relative.error().what.contains(QStringLiteral("No hccn_tool found in PATH")),
             qPrintable(relative.error().what));
}

void RankTableGenerationTest::impossibleRequestsAreRefused()
{
    GenerateRequest wanted = request("0-1");
    wanted.deviceIps = QStringList{QStringLiteral("198.51.100.4")};
    QVERIFY(generateRankTableOfHost(wanted, {noTool(), confPath()})
                .error()
                .what.contains(QStringLiteral("1 device address, but the number of devices is 2")));
    wanted.deviceIps << QStringLiteral("198.51.100.x");
    QCOMPARE(generateRankTableOfHost(wanted, {noTool(), confPath()}).error().where,
             QStringLiteral("198.51.100.x"));
    QVERIFY(!generateRankTableOfHost({}, {noTool(), confPath()}));
}

void RankTableGenerationTest::itCanBeCancelled()
{
    const QString tool = writeTool("echo ipaddr:198.51.100.1\n");
    int asked = 0;
    const auto generated =
        generateRankTableOfHost(request("0-7"), {tool, confPath()}, [&] { return ++asked == 3; });
    QVERIFY(!generated);
    QVERIFY(generated.error().what.contains(QStringLiteral("cancelled")));
    QCOMPARE(asked, 3);
}

void RankTableGenerationTest::theFileIsCalledAsTheToolCallsIt()
{
    GenerateRequest wanted = request("[0,8)");
    for (int device = 0; device < 8; ++device)
        wanted.deviceIps << QStringLiteral("198.51.100.%1").arg(device);
    QCOMPARE(generateRankTableOfHost(wanted)->fileName, QStringLiteral("hccl_8p_01234567_192.0.2.1.json"));
    wanted.serverId = QStringLiteral("../../etc/x");
    QVERIFY(!generateRankTableOfHost(wanted)->fileName.contains(QLatin1Char('/')));
}

void RankTableGenerationTest::theHostsOwnAddressIsTheServerId()
{
    GenerateRequest wanted = request("0");
    wanted.serverId.clear();
    wanted.deviceIps = QStringList{QStringLiteral("198.51.100.1")};
    const auto generated = generateRankTableOfHost(wanted);
    if (!generated)
        QVERIFY2(generated.error().what.contains(QStringLiteral("no IPv4 address")),
                 qPrintable(generated.error().what));
    else
        QVERIFY(!generated->table.servers[0].serverId.startsWith(QStringLiteral("127.")));
}

} // namespace tst_ranktablegeneration

RANKDECK_TEST(tst_ranktablegeneration, RankTableGenerationTest)
#include "tst_ranktablegeneration.moc"
