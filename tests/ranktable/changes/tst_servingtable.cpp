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
    table.version = u"1.0"_s;
    table.status = u"completed"_s;
    int rank = 0;
    for (int index = 0; index < servers; ++index) {
        Server server{u"192.0.2.%1"_s.arg(index + 1)};
        for (int device = 0; device < devices; ++device, ++rank)
            server.devices.push_back({DeviceId(device), u"198.51.100.%1"_s.arg(rank + 1), Rank(rank)});
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
    const auto serving = servingTable(tableOf(2, 2), {.coordinator = u"192.0.2.77"_s});
    QVERIFY(serving);
    const RankTable &table = serving->table;
    QCOMPARE(table.form, RankTableForm::ServerGroupList);
    QCOMPARE(table.groups.size(), std::size_t(4));
    QCOMPARE(otherText(table.servers[0].otherKeys, "server_ip"), u"192.0.2.77"_s);
    QCOMPARE(otherText(table.servers[1].otherKeys, "server_ip"), u"192.0.2.1"_s);
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
        QCOMPARE(server.serverId, u"192.0.2.%1"_s.arg(index - 1));
        QCOMPARE(server.devices[1].rank, Rank(1));
        QCOMPARE(otherText(server.devices[1].otherKeys, "device_logical_id"), u"1"_s);
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
    QCOMPARE(serving->sharedServers, QStringList{u"192.0.2.1"_s});
    QCOMPARE(otherText(serving->table.servers[3].devices[0].otherKeys, "device_logical_id"), u"2"_s);
}

void ServingTableTest::superPodsAreKept()
{
    RankTable table = tableOf(2, 1);
    table.form = RankTableForm::SuperPodList;
    table.version = u"1.2"_s;
    table.superPods.push_back({u"0"_s, {u"192.0.2.1"_s, u"192.0.2.2"_s}});
    const auto serving = servingTable(table, {});
    QVERIFY(serving);
    QCOMPARE(serving->table.version, u"1.2"_s);
    QCOMPARE(serving->table.superPods.size(), std::size_t(2));
    QCOMPARE(serving->table.superPods[1].group, 3);
    QCOMPARE(serving->table.superPods[1].serverIds, std::vector<QString>{u"192.0.2.2"_s});
}

void ServingTableTest::whatCannotBeDividedIsRefused()
{
    const auto uneven = servingTable(tableOf(1, 8), {.prefill = 2, .decode = 1});
    QVERIFY(!uneven);
    QVERIFY2(uneven.error().sentence().contains(u"8 devices"_s), qPrintable(uneven.error().sentence()));
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
    const CheckReport report = checkRankTable(text, u"global.json"_s);
    for (const Finding &finding : report.findings)
        QVERIFY2(finding.severity != Severity::Error, qPrintable(finding.what));
    QCOMPARE(toJson(report.table), text);
    // A server of an instance without devices is an error.
    QByteArray broken = text;
    broken.replace("\"group_id\": \"0\"", "\"group_id\": \"5\"");
    QVERIFY(broken != text);
    QVERIFY(checkRankTable(broken, u"global.json"_s).hasErrors());
}

} // namespace tst_servingtable

RANKDECK_TEST(tst_servingtable, ServingTableTest)

#include "tst_servingtable.moc"
