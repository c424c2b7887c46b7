#include "ranktable/reading/ranktablereader.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_ranktablereader
{

using namespace rankdeck;

class RankTableReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void template1IsReadWithItsRanks();
    void template2IsReadWithoutRanks();
    void anUnfinishedTableNeedsOnlyItsStatus();
    void aGroupWithoutDevicesIsPassedOver();
    void badInputNamesItsPlace_data();
    void badInputNamesItsPlace();
    void aFileThatIsNotThereIsNamed();
    void whatIsNoFileIsRefused();
    void malformedJsonHasLineAndColumn();
    void commentsAndTrailingCommasArePassedOver();
    void everyFormIsRead_data();
    void everyFormIsRead();
    void unknownKeysAreKept();
};

void RankTableReaderTest::template1IsReadWithItsRanks()
{
    const auto table = readRankTable(testData("ranktables/server_list_2servers.json"));
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(table->form, RankTableForm::ServerList);
    QCOMPARE(table->servers.size(), std::size_t(2));
    QCOMPARE(table->deviceCount(), 16);
    QCOMPARE(table->servers[1].devices.front().rank.value(), Rank(8));
    QVERIFY(table->isCompleted());
}

void RankTableReaderTest::template2IsReadWithoutRanks()
{
    const auto table = readRankTable(testData("ranktables/template2_2servers.json"));
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(table->form, RankTableForm::GroupList);
    QCOMPARE(table->deviceCount(), 16);
    QVERIFY(!table->servers[0].podName.isEmpty());
    QVERIFY(!table->servers[0].devices[0].rank);
}

void RankTableReaderTest::anUnfinishedTableNeedsOnlyItsStatus()
{
    const auto table = parseRankTable(R"({"status": "initializing"})", u"t"_s);
    QVERIFY(table);
    QVERIFY(!table->isCompleted());
    QCOMPARE(table->deviceCount(), 0);
}

void RankTableReaderTest::aGroupWithoutDevicesIsPassedOver()
{
    const auto table = parseRankTable(R"({"status": "completed", "group_list": [
        {"device_count": "0", "instance_list": "anything"},
        {"device_count": "1", "instance_list": [{"pod_name": "a-0", "server_id": "s",
            "devices": [{"device_id": "5", "device_ip": "192.0.2.1"}]}]}]})",
                                      u"t"_s);
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(table->deviceCount(), 1);
    QCOMPARE(table->servers[0].devices[0].deviceId, DeviceId(5));
}

void RankTableReaderTest::badInputNamesItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *name, const char *text, const char *where, const char *what) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(where) << QString::fromLatin1(what);
    };
    row("not an object", "[]", "t:1:1", "object");
    row("no status", R"({"version": "1.0", "server_list": []})", "t:1:1", "\"status\" is missing");
    row("status is a number", R"({"server_list": [], "status": 1})", "t:1:21 /status", "string");
    row("no list", R"({"status": "completed", "version": "1.0"})", "t:1:1", "\"server_list\" is missing");
    row("no device", R"({"status": "completed", "version": "1.0", "server_list": []})", "t:1:1", "no device");
    row("a list that is none", R"({"status": "completed", "version": "1.0", "server_list": {}})",
        "t:1:43 /server_list", "list");
    row("no rank_id",
        R"({"status": "completed", "server_list": [{"server_id": "a", "device": [{"device_id": "0"}]}]})",
        "t:1:71 /server_list/0/device/0", "\"rank_id\" is missing");
    row("device_id is a word",
        R"({"status": "completed", "server_list": [{"server_id": "a", "device": [{"device_id": "x", "rank_id": "0"}]}]})",
        "t:1:72 /server_list/0/device/0/device_id", "number");
    row("device_id is negative",
        R"({"status": "completed", "server_list": [{"server_id": "a", "device": [{"device_id": "-1", "rank_id": "0"}]}]})",
        "t:1:72 /server_list/0/device/0/device_id", "-1");
    row("a number too large for any rank",
        R"({"status": "completed", "server_list": [{"server_id": "a", "device": [{"device_id": 99999999999999, "rank_id": "0"}]}]})",
        "t:1:72 /server_list/0/device/0/device_id", "99999999999999");
    row("version 1.9 without a list", R"({"version": "1.9"})", "t:1:2 /version",
        "Unknown rank table version \"1.9\"");
    row("no form", R"({"status": "completed"})", "t:1:1", "Not a known form of rank table");
    row("an empty file", "", "t:1:1", "is incomplete");
    row("half a file", "{\"status\": \"completed\",\n \"server_list\": [", "t:2:18", "is incomplete");
    row("nested without end", QByteArray(100000, '[').constData(), "t:1:33",
        "nested more than 32 levels deep");
    row("a number without end", R"({"a": 1e99999})", "t:1:13", "too large");
}

void RankTableReaderTest::badInputNamesItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const auto table = parseRankTable(text, u"t"_s);
    QVERIFY(!table);
    QCOMPARE(table.error().where, where);
    QVERIFY2(table.error().what.contains(what), qPrintable(table.error().what));
}

void RankTableReaderTest::aFileThatIsNotThereIsNamed()
{
    const auto table = readRankTable(u"/no/such/table.json"_s);
    QVERIFY(!table);
    QCOMPARE(table.error().where, u"/no/such/table.json"_s);
    QVERIFY(table.error().mend.contains("--rank-table"_L1));
}

void RankTableReaderTest::whatIsNoFileIsRefused()
{
    for (const char *path : {"/dev/zero", "/"}) {
        const auto table = readRankTable(QString::fromLatin1(path));
        QVERIFY(!table);
        QCOMPARE(table.error().where, QString::fromLatin1(path));
        QCOMPARE(table.error().what, u"not a file"_s);
    }
}

void RankTableReaderTest::malformedJsonHasLineAndColumn()
{
    const auto table = parseRankTable("{\n  \"status\": \"completed\",\n  no\n}", u"t"_s);
    QVERIFY(!table);
    QCOMPARE(table.error().where, u"t:3:4"_s);
}

void RankTableReaderTest::commentsAndTrailingCommasArePassedOver()
{
    const QByteArray plain =
        R"({"status": "completed", "version": "1.0", "server_list": [{"server_id": "a // b",
        "device": [{"device_id": "0", "rank_id": "0"}]}]})";
    QByteArray commented = plain;
    commented.replace("\"0\"}]", "\"0\",},]").replace(", \"version\"", ", // why\n /* and */ \"version\"");
    QVERIFY(commented.contains("// why") && commented.contains(",},]"));
    const auto table = parseRankTable(commented, u"t"_s);
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(*table, *parseRankTable(plain, u"t"_s));
    QCOMPARE(table->servers[0].serverId, u"a // b"_s);
}

void RankTableReaderTest::everyFormIsRead_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("form");
    QTest::addColumn<int>("servers");
    QTest::addColumn<int>("devices");
    const auto row = [](const char *file, RankTableForm form, int servers, int devices) {
        QTest::newRow(file) << QString::fromLatin1(file) << int(form) << servers << devices;
    };
    row("template2_2servers.json", RankTableForm::GroupList, 2, 16);
    row("deploy_mode_lab.json", RankTableForm::LabGroupList, 2, 2);
    row("server_list_2servers.json", RankTableForm::ServerList, 2, 16);
    row("node_list_1.1.json", RankTableForm::NodeList, 2, 3);
    row("super_pod_1.2.json", RankTableForm::SuperPodList, 1, 8);
    row("rank_list_2.0.json", RankTableForm::RankList, 1, 2);
    row("server_group_list.json", RankTableForm::ServerGroupList, 2, 3);
}

void RankTableReaderTest::everyFormIsRead()
{
    QFETCH(QString, file);
    QFETCH(int, form);
    QFETCH(int, servers);
    QFETCH(int, devices);
    const auto table = readRankTable(testData("ranktables/") + file);
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(int(table->form), form);
    QCOMPARE(int(table->servers.size()), servers);
    QCOMPARE(table->deviceCount(), devices);
    QVERIFY(table->isCompleted());
    for (const Server &server : table->servers) {
        for (const Device &device : server.devices)
            QCOMPARE(device.rank.has_value(), table->form != RankTableForm::GroupList);
    }
}

void RankTableReaderTest::unknownKeysAreKept()
{
    const auto table =
        parseRankTable(R"({"status": "completed", "version": "1.0", "cluster_list": [ 1, "a b" ],
        "server_list": [{"server_id": "a", "hardware": { "x": null }, "device": [
            {"device_id": "0", "rank_id": "0", "numa_id": "3"}]}]})",
                       u"t"_s);
    QVERIFY2(table, qPrintable(table.error().sentence()));
    QCOMPARE(table->otherKeys, QByteArray(R"({"cluster_list":[1,"a b"]})"));
    QCOMPARE(table->servers[0].otherKeys, QByteArray(R"({"hardware":{"x":null}})"));
    QCOMPARE(table->servers[0].devices[0].otherKeys, QByteArray(R"({"numa_id":"3"})"));
}

} // namespace tst_ranktablereader

RANKDECK_TEST(tst_ranktablereader, RankTableReaderTest)
#include "tst_ranktablereader.moc"
