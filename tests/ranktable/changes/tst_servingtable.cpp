#include "ranktable/changes/servingtable.h"
#include "ranktable/rules/ranktablecheck.h"
#include "ranktable/table/ranktablewriter.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_servingtable
{

using namespace rankdeck;

/// Servers with `devices` NPUs each.
static RankTable tableOf(int servers, int devices)
{
    RankTable table;
    table.version = QStringLiteral("1.0");
    table.status = QStringLiteral("completed");
    int rank = 0;
    for (int index = 0; index < servers; ++index) {
        Server server{QStringLiteral("192.0.2.%1").arg(index + 1)};
        for (int device = 0; device < devices; ++device, ++rank)
            server.devices.push_back(
                {DeviceId(device), QStringLiteral("198.51.100.%1").arg(rank + 1), Rank(rank)});
        table.servers.push_back(server);
    }
    return table;
}

class ServingTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coordinatorAndControllerComeFirst();
    void eachInstanceIsAGroupWithRanksOfItsOwn();
    void anInstanceMaySpanServers();
    void instancesMayDifferInSize();
    void sharedServersAreNamed();
    void superPodsAreKept();
    void whatCannotBeDividedIsRefused();
    void theTablePassesTheCheck();
};

void ServingTableTest::coordinatorAndControllerComeFirst()
{
    const auto serving = servingTable(tableOf(2, 2), {.coordinator = QStringLiteral("192.0.2.77")});
    QVERIFY(serving);
    const RankTable &table = serving->table;
    QCOMPARE(table.form, RankTableForm::ServerGroupList);
    QCOMPARE(table.groups.size(), std::size_t(4));
    QCOMPARE(otherText(table.servers[0].otherKeys, "server_ip"), QStringLiteral("192.0.2.77"));
    QCOMPARE(otherText(table.servers[1].otherKeys, "server_ip"), QStringLiteral("192.0.2.1"));
    QVERIFY(table.servers[0].devices.empty() && table.servers[1].devices.empty());
}

void ServingTableTest::eachInstanceIsAGroupWithRanksOfItsOwn()
{
    const auto serving = servingTable(tableOf(4, 2), {.prefill = 1, .decode = 3});
    QVERIFY(serving);
    QCOMPARE(serving->table.servers.size(), std::size_t(6));
    for (std::size_t index = 2; index < 6; ++index) {
        const Server &server = serving->table.servers[index];
        QCOMPARE(server.group, static_cast<int>(index));
        QCOMPARE(server.serverId, QStringLiteral("192.0.2.%1").arg(index - 1));
        QCOMPARE(server.devices[1].rank, Rank(1));
        QCOMPARE(otherText(server.devices[1].otherKeys, "device_logical_id"), QStringLiteral("1"));
        QCOMPARE(otherText(server.otherKeys, "server_ip"), server.serverId);
    }
    QVERIFY(serving->sharedServers.isEmpty());
}

void ServingTableTest::anInstanceMaySpanServers()
{
    const auto serving = servingTable(tableOf(4, 2), {.prefill = 1, .decode = 1});
    QVERIFY(serving);
    QCOMPARE(serving->table.servers.size(), std::size_t(6));
    QCOMPARE(serving->table.servers[3].group, 2);
    QCOMPARE(serving->table.servers[3].devices[0].rank, Rank(2));
    QCOMPARE(serving->table.servers[4].group, 3);
    QCOMPARE(serving->table.servers[4].devices[0].rank, Rank(0));
}

void ServingTableTest::instancesMayDifferInSize()
{
    const auto serving = servingTable(tableOf(3, 4), {.prefill = 1, .decode = 1, .prefillDevices = 4});
    QVERIFY(serving);
    QCOMPARE(serving->table.deviceCount(), 12);
    QCOMPARE(serving->table.servers[2].devices.size(), std::size_t(4));
    QCOMPARE(serving->table.servers[4].group, 3);
    // NPUs that no instance takes are left out.
    const auto small = servingTable(tableOf(1, 8), {.prefillDevices = 2, .decodeDevices = 1});
    QVERIFY(small);
    QCOMPARE(small->table.deviceCount(), 3);
}

void ServingTableTest::sharedServersAreNamed()
{
    const auto serving = servingTable(tableOf(1, 4), {.prefill = 1, .decode = 1});
    QVERIFY(serving);
    QCOMPARE(serving->sharedServers, QStringList{QStringLiteral("192.0.2.1")});
    QCOMPARE(otherText(serving->table.servers[3].devices[0].otherKeys, "device_logical_id"),
             QStringLiteral("2"));
}

void ServingTableTest::superPodsAreKept()
{
    RankTable table = tableOf(2, 1);
    table.form = RankTableForm::SuperPodList;
    table.version = QStringLiteral("1.2");
    table.superPods.push_back(
        {QStringLiteral("0"), {QStringLiteral("192.0.2.1"), QStringLiteral("192.0.2.2")}});
    const auto serving = servingTable(table, {});
    QVERIFY(serving);
    QCOMPARE(serving->table.version, QStringLiteral("1.2"));
    QCOMPARE(serving->table.superPods.size(), std::size_t(2));
    QCOMPARE(serving->table.superPods[1].group, 3);
    QCOMPARE(serving->table.superPods[1].serverIds, std::vector<QString>{QStringLiteral("192.0.2.2")});
}

void ServingTableTest::whatCannotBeDividedIsRefused()
{
    const auto uneven = servingTable(tableOf(1, 8), {.prefill = 2, .decode = 1});
    QVERIFY(!uneven);
    QVERIFY2(uneven.error().sentence().contains(QStringLiteral("8 devices")),
             qPrintable(uneven.error().sentence()));
    QVERIFY(!servingTable(tableOf(1, 8), {.prefillDevices = 8, .decodeDevices = 1}));
    QVERIFY(!servingTable(tableOf(1, 8), {.prefillDevices = 8}));
    QVERIFY(!servingTable(tableOf(1, 8), {.prefill = 0}));
    RankTable global = tableOf(1, 8);
    global.form = RankTableForm::ServerGroupList;
    QVERIFY(!servingTable(global, {}));
}

void ServingTableTest::theTablePassesTheCheck()
{
    const auto serving = servingTable(tableOf(4, 2), {.prefill = 1, .decode = 1});
    QVERIFY(serving);
    const QByteArray text = toJson(serving->table);
    const CheckReport report = checkRankTable(text, QStringLiteral("global.json"));
    for (const Finding &finding : report.findings)
        QVERIFY2(finding.severity != Severity::Error, qPrintable(finding.what));
    QCOMPARE(toJson(report.table), text);
    // A server of an instance without devices is an error.
    QByteArray broken = text;
    broken.replace("\"group_id\": \"0\"", "\"group_id\": \"5\"");
    QVERIFY(broken != text);
    QVERIFY(checkRankTable(broken, QStringLiteral("global.json")).hasErrors());
}

} // namespace tst_servingtable

RANKDECK_TEST(tst_servingtable, ServingTableTest)

#include "tst_servingtable.moc"
