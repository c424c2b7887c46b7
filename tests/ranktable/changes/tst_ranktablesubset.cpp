#include "ranktable/changes/ranktablemerge.h"
#include "ranktable/tablefixture.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_ranktablesubset
{

using namespace rankdeck;

namespace
{

std::vector<DeviceId> ids(std::initializer_list<int> numbers)
{
    std::vector<DeviceId> devices;
    for (const int number : numbers)
        devices.emplace_back(number);
    return devices;
}

Server server(const char *id, int firstRank, int group = 0)
{
    return {QString::fromLatin1(id), {}, group, {deviceOf(0, firstRank + 1), deviceOf(1, firstRank)}};
}

QString ranksOf(const RankTable &table)
{
    QStringList words;
    for (const Server &each : table.servers) {
        for (const Device &device : each.devices)
            words << QStringLiteral("%1/%2=%3")
                         .arg(each.serverId)
                         .arg(device.deviceId.value)
                         .arg(device.rank ? device.rank->value : -1);
    }
    return words.join(QLatin1Char(' '));
}

} // namespace

class RankTableSubsetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void deviceListsAreRead_data();
    void deviceListsAreRead();
    void otherTextIsNoDeviceList_data();
    void otherTextIsNoDeviceList();
    void ranksAreNumberedAnewInTheirOldOrder();
    void allServersAndAllDevicesAreTheTableItself();
    void superPodsWithoutServersGo();
    void groupsWithoutServersGo();
    void eachJobOfAGlobalTableHasRanksOfItsOwn();
    void templateTwoGetsNoRanks();
    void instancesOnOneServerAreOneServer();
    void whatIsNotThereIsNamed();
    void aHundredThousandDevicesTakeNoTime();
};

void RankTableSubsetTest::deviceListsAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<std::vector<DeviceId>>("devices");
    QTest::newRow("range") << QStringLiteral("0-3,6") << ids({0, 1, 2, 3, 6});
    QTest::newRow("half open") << QStringLiteral("[0,8)") << ids({0, 1, 2, 3, 4, 5, 6, 7});
    QTest::newRow("half open with blanks") << QStringLiteral(" [ 4 , 6 ) ") << ids({4, 5});
    QTest::newRow("list") << QStringLiteral("0, 2,4") << ids({0, 2, 4});
    QTest::newRow("any order, twice") << QStringLiteral("5,1-2,2") << ids({1, 2, 5});
    QTest::newRow("one") << QStringLiteral("64") << ids({64});
}

void RankTableSubsetTest::deviceListsAreRead()
{
    QFETCH(QString, text);
    const auto devices = parseDeviceList(text);
    QVERIFY2(devices, qPrintable(devices.error().sentence()));
    QTEST(*devices, "devices");
}

void RankTableSubsetTest::otherTextIsNoDeviceList_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"", ",", "0,", "a", "-1", "0-", "3-1", "65", "0-999999999", "[0,8]", "[3,3)",
                             "[0,8", "0 1", "0x1", "[0,66)"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void RankTableSubsetTest::otherTextIsNoDeviceList()
{
    QFETCH(QString, text);
    const auto devices = parseDeviceList(text);
    QVERIFY(!devices);
    QCOMPARE(devices.error().where, text);
}

void RankTableSubsetTest::ranksAreNumberedAnewInTheirOldOrder()
{
    const RankTable table =
        completedTable(RankTableForm::ServerList, {server("b", 4), server("a", 0), server("c", 8)});
    const auto two = subsetOfRankTable(table, {}, {QStringLiteral("c"), QStringLiteral("b")});
    QVERIFY2(two, qPrintable(two.error().sentence()));
    QCOMPARE(ranksOf(*two), QStringLiteral("b/0=1 b/1=0 c/0=3 c/1=2"));
    const auto oneDevice = subsetOfRankTable(table, ids({1}), {});
    QCOMPARE(ranksOf(*oneDevice), QStringLiteral("b/1=1 a/1=0 c/1=2"));
}

void RankTableSubsetTest::allServersAndAllDevicesAreTheTableItself()
{
    const RankTable table = completedTable(RankTableForm::ServerList, {server("a", 0), server("b", 2)});
    QCOMPARE(*subsetOfRankTable(table, {}, {}), table);
    QCOMPARE(*subsetOfRankTable(table, ids({0, 1}), {QStringLiteral("a"), QStringLiteral("b")}), table);
}

void RankTableSubsetTest::superPodsWithoutServersGo()
{
    RankTable table = completedTable(RankTableForm::SuperPodList, {server("a", 0), server("b", 2)});
    table.superPods = {{QStringLiteral("0"), {QStringLiteral("a")}},
                       {QStringLiteral("1"), {QStringLiteral("b")}}};
    const auto subset = subsetOfRankTable(table, {}, {QStringLiteral("b")});
    QCOMPARE(subset->superPods.size(), std::size_t(1));
    QCOMPARE(subset->superPods[0].superPodId, QStringLiteral("1"));
}

void RankTableSubsetTest::groupsWithoutServersGo()
{
    RankTable table = completedTable(RankTableForm::GroupList, {server("a", 0, 0), server("b", 2, 1)});
    table.groups = {{QStringLiteral("first")}, {QStringLiteral("second")}};
    const auto subset = subsetOfRankTable(table, {}, {QStringLiteral("b")});
    QCOMPARE(subset->groups.size(), std::size_t(1));
    QCOMPARE(subset->groups[0].name, QStringLiteral("second"));
    QCOMPARE(subset->servers[0].group, 0);
}

void RankTableSubsetTest::eachJobOfAGlobalTableHasRanksOfItsOwn()
{
    RankTable table = completedTable(RankTableForm::ServerGroupList, {server("a", 0, 0), server("b", 0, 1)});
    table.groups = {{QStringLiteral("1")}, {QStringLiteral("2")}};
    QCOMPARE(ranksOf(*subsetOfRankTable(table, ids({0}), {})), QStringLiteral("a/0=0 b/0=0"));
}

void RankTableSubsetTest::templateTwoGetsNoRanks()
{
    const RankTable table =
        completedTable(RankTableForm::GroupList,
                       {{QStringLiteral("a"), QStringLiteral("job-0"), 0, {deviceOf(0), deviceOf(1)}}});
    QCOMPARE(ranksOf(*subsetOfRankTable(table, ids({1}), {})), QStringLiteral("a/1=-1"));
}

void RankTableSubsetTest::instancesOnOneServerAreOneServer()
{
    RankTable table =
        completedTable(RankTableForm::LabGroupList, {{QStringLiteral("a"), {}, 0, {deviceOf(0, 0)}},
                                                     {QStringLiteral("a"), {}, 0, {deviceOf(1, 1)}}});
    table.groups = {{QString()}};
    const auto subset = subsetOfRankTable(table, ids({1}), {QStringLiteral("a")});
    QVERIFY2(subset, qPrintable(subset.error().sentence()));
    QCOMPARE(ranksOf(*subset), QStringLiteral("a/1=0"));
}

void RankTableSubsetTest::whatIsNotThereIsNamed()
{
    const RankTable table = completedTable(RankTableForm::ServerList, {server("a", 0), server("b", 2)});
    const auto noServer = subsetOfRankTable(table, {}, {QStringLiteral("x")});
    QVERIFY(!noServer);
    QCOMPARE(noServer.error().what, QStringLiteral("server x is not in the table"));
    const auto noDevice = subsetOfRankTable(table, ids({0, 7}), {});
    QVERIFY(!noDevice);
    QCOMPARE(noDevice.error().what, QStringLiteral("server a has no device 7"));
}

void RankTableSubsetTest::aHundredThousandDevicesTakeNoTime()
{
    const RankTable large = largeTable(12500);
    QElapsedTimer timer;
    timer.start();
    const auto subset = subsetOfRankTable(large, ids({0, 7}), {});
    QVERIFY(timer.elapsed() < generousMs);
    QCOMPARE(subset->deviceCount(), 25000);
    QCOMPARE(subset->servers.back().devices.back().rank, Rank(24999));
}

} // namespace tst_ranktablesubset

RANKDECK_TEST(tst_ranktablesubset, RankTableSubsetTest)
#include "tst_ranktablesubset.moc"
