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
        const QString path = m_home->filePath(u"hccn_tool"_s);
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
    QString confPath() const { return m_home->filePath(u"hccn.conf"_s); }
    /// A tool that is not there, so that none of this machine's is searched for.
    QString noTool() const { return m_home->filePath(u"none"_s); }

    static GenerateRequest request(const char *devices)
    {
        GenerateRequest wanted;
        wanted.devices = *parseDeviceList(QString::fromLatin1(devices));
        wanted.serverId = u"192.0.2.1"_s;
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
    wanted.deviceIps = QStringList{u"198.51.100.4"_s, u"198.51.100.5"_s};
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
    QCOMPARE(ipsOf(generated->table), (QStringList{u"198.51.100.10"_s, u"198.51.100.17"_s}));
}

void RankTableGenerationTest::ipv6IsAskedForWhereThereIsNoIpv4()
{
    const QString tool = writeTool("if [ \"$4\" = -inet6 ]; then echo 'ipaddr:2001:db8::7/64'; else\n"
                                   "echo 'get ip failed'; exit 1; fi\n");
    const auto generated = generateRankTableOfHost(request("7"), {tool, confPath()});
    QVERIFY2(generated, qPrintable(generated.error().sentence()));
    QCOMPARE(ipsOf(generated->table), QStringList{u"2001:db8::7"_s});
}

void RankTableGenerationTest::hccnConfIsReadWhereTheToolSaysNothing()
{
    write(confPath(), "address_0=198.51.100.30\nnetmask_0=255.255.255.0\n address_10 = 198.51.100.40 \n");
    for (const QString &tool : {noTool(), writeTool("echo 'Cmd os cmd execute failed'; exit 1\n")}) {
        const auto generated = generateRankTableOfHost(request("0,10"), {tool, confPath()});
        QVERIFY2(generated, qPrintable(generated.error().sentence()));
        QCOMPARE(ipsOf(generated->table), (QStringList{u"198.51.100.30"_s, u"198.51.100.40"_s}));
        QVERIFY(generated->lookedFor.join(' '_L1).contains(tool));
    }
}

void RankTableGenerationTest::hccnConfMayNameIpv6()
{
    write(confPath(), "IPv6address_0=2001:db8::1\nIPv6netmask_0=64\n");
    const auto generated = generateRankTableOfHost(request("0"), {noTool(), confPath()});
    QVERIFY2(generated, qPrintable(generated.error().sentence()));
    QCOMPARE(ipsOf(generated->table), QStringList{u"2001:db8::1"_s});
}

void RankTableGenerationTest::withoutAnythingItSaysWhatWasLookedFor()
{
    const QString tool = writeTool("printf 'device \\033[31mis busy\\n'\n");
    const auto generated = generateRankTableOfHost(request("3"), {tool, confPath()});
    QVERIFY(!generated);
    const QString sentence = generated.error().sentence();
    QVERIFY2(sentence.contains(u"device 3"_s), qPrintable(sentence));
    QVERIFY2(sentence.contains(tool + u" -i 3 -ip -g"_s), qPrintable(sentence));
    QVERIFY2(sentence.contains(u"is busy"_s), qPrintable(sentence));
    QVERIFY2(sentence.contains(confPath()), qPrintable(sentence));
    write(confPath(), "address_0=198.51.100.30\n");
    const auto other = generateRankTableOfHost(request("3"), {tool, confPath()});
    QVERIFY2(other.error().what.contains(u"has no address_3"_s), qPrintable(other.error().what));
}

void RankTableGenerationTest::theToolIsFoundInThePathOnlyByAbsoluteFolders()
{
    if (QFile::exists(u"/usr/local/Ascend/driver/tools/hccn_tool"_s))
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
    QVERIFY2(relative.error().what.contains(u"No hccn_tool found in PATH"_s),
             qPrintable(relative.error().what));
}

void RankTableGenerationTest::impossibleRequestsAreRefused()
{
    GenerateRequest wanted = request("0-1");
    wanted.deviceIps = QStringList{u"198.51.100.4"_s};
    QVERIFY(generateRankTableOfHost(wanted, {noTool(), confPath()})
                .error()
                .what.contains(u"1 device address, but the number of devices is 2"_s));
    wanted.deviceIps << u"198.51.100.x"_s;
    QCOMPARE(generateRankTableOfHost(wanted, {noTool(), confPath()}).error().where, u"198.51.100.x"_s);
    QVERIFY(!generateRankTableOfHost({}, {noTool(), confPath()}));
}

void RankTableGenerationTest::itCanBeCancelled()
{
    const QString tool = writeTool("echo ipaddr:198.51.100.1\n");
    int asked = 0;
    const auto generated =
        generateRankTableOfHost(request("0-7"), {tool, confPath()}, [&] { return ++asked == 3; });
    QVERIFY(!generated);
    QVERIFY(generated.error().what.contains(u"cancelled"_s));
    QCOMPARE(asked, 3);
}

void RankTableGenerationTest::theFileIsCalledAsTheToolCallsIt()
{
    GenerateRequest wanted = request("[0,8)");
    for (int device = 0; device < 8; ++device)
        wanted.deviceIps << u"198.51.100.%1"_s.arg(device);
    QCOMPARE(generateRankTableOfHost(wanted)->fileName, u"hccl_8p_01234567_192.0.2.1.json"_s);
    wanted.serverId = u"../../etc/x"_s;
    QVERIFY(!generateRankTableOfHost(wanted)->fileName.contains('/'_L1));
}

void RankTableGenerationTest::theHostsOwnAddressIsTheServerId()
{
    GenerateRequest wanted = request("0");
    wanted.serverId.clear();
    wanted.deviceIps = QStringList{u"198.51.100.1"_s};
    const auto generated = generateRankTableOfHost(wanted);
    if (!generated)
        QVERIFY2(generated.error().what.contains(u"no IPv4 address"_s), qPrintable(generated.error().what));
    else
        QVERIFY(!generated->table.servers[0].serverId.startsWith(u"127."_s));
}

} // namespace tst_ranktablegeneration

RANKDECK_TEST(tst_ranktablegeneration, RankTableGenerationTest)
#include "tst_ranktablegeneration.moc"
