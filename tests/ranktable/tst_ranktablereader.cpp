#include "ranktable/ranktablereader.h"
#include "support/testhome.h"

#include <QTest>

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
    void malformedJsonHasLineAndColumn();
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
    const auto table = parseRankTable(R"({"status": "initializing"})", QStringLiteral("t"));
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
                                      QStringLiteral("t"));
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
    row("not an object", "[]", "t", "object");
    row("no status", R"({"version": "1.0", "server_list": []})", "t", "\"status\" is missing");
    row("status is a number", R"({"status": 1})", "t /status", "string");
    row("no list", R"({"status": "completed", "version": "1.0"})", "t", "\"server_list\" is missing");
    row("no version", R"({"status": "completed", "server_list": []})", "t", "\"version\" is missing");
    row("no device", R"({"status": "completed", "version": "1.0", "server_list": []})", "t", "no device");
    row("a list that is none", R"({"status": "completed", "version": "1.0", "server_list": {}})",
        "t /server_list", "list");
    row("no rank_id",
        R"({"status": "completed", "version": "1.0", "server_list": [{"server_id": "a", "device": [{"device_id": "0"}]}]})",
        "t /server_list/0/device/0", "\"rank_id\" is missing");
    row("device_id is a word",
        R"({"status": "completed", "version": "1.0", "server_list": [{"server_id": "a", "device": [{"device_id": "x", "rank_id": "0"}]}]})",
        "t /server_list/0/device/0/device_id", "number");
    row("device_id is negative",
        R"({"status": "completed", "version": "1.0", "server_list": [{"server_id": "a", "device": [{"device_id": "-1", "rank_id": "0"}]}]})",
        "t /server_list/0/device/0/device_id", "number");
    row("a number too large for any rank",
        R"({"status": "completed", "version": "1.0", "server_list": [{"server_id": "a", "device": [{"device_id": 99999999999999, "rank_id": "0"}]}]})",
        "t /server_list/0/device/0/device_id", "number");
    row("version 1.2", R"({"status": "completed", "version": "1.2"})", "t", "super pods");
    row("version 2.0", R"({"version": "2.0", "rank_list": []})", "t", "Ascend 950");
    row("version 1.1", R"({"version": "1.1"})", "t", "node_list");
    row("version 1.9", R"({"version": "1.9"})", "t", "unknown version \"1.9\"");
    row("lab", R"({"deploy_mode": "lab", "group_list": []})", "t", "lab");
    row("global", R"({"server_group_list": []})", "t", "global");
}

void RankTableReaderTest::badInputNamesItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const auto table = parseRankTable(text, QStringLiteral("t"));
    QVERIFY(!table);
    QCOMPARE(table.error().where, where);
    QVERIFY2(table.error().what.contains(what), qPrintable(table.error().what));
}

void RankTableReaderTest::aFileThatIsNotThereIsNamed()
{
    const auto table = readRankTable(QStringLiteral("/no/such/table.json"));
    QVERIFY(!table);
    QCOMPARE(table.error().where, QStringLiteral("/no/such/table.json"));
    QVERIFY(table.error().mend.contains(QLatin1String("--rank-table")));
}

void RankTableReaderTest::malformedJsonHasLineAndColumn()
{
    const auto table = parseRankTable("{\n  \"status\": \"completed\",\n  // no\n}", QStringLiteral("t"));
    QVERIFY(!table);
    QCOMPARE(table.error().where, QStringLiteral("t:3:3"));
}

QTEST_GUILESS_MAIN(RankTableReaderTest)
#include "tst_ranktablereader.moc"
