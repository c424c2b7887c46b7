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
            words << u"%1/%2=%3"_s.arg(each.serverId)
                         .arg(device.deviceId.value)
                         .arg(device.rank ? device.rank->value : -1);
    }
    return words.join(' '_L1);
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
    QTest::newRow("range") << u"0-3,6"_s << ids({0, 1, 2, 3, 6});
    QTest::newRow("half open") << u"[0,8)"_s << ids({0, 1, 2, 3, 4, 5, 6, 7});
    QTest::newRow("half open with blanks") << u" [ 4 , 6 ) "_s << ids({4, 5});
    QTest::newRow("list") << u"0, 2,4"_s << ids({0, 2, 4});
    QTest::newRow("any order, twice") << u"5,1-2,2"_s << ids({1, 2, 5});
    QTest::newRow("one") << u"64"_s << ids({64});
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
    const auto two = subsetOfRankTable(table, {}, {u"c"_s, u"b"_s});
    QVERIFY2(two, qPrintable(two.error().sentence()));
    QCOMPARE(ranksOf(*two), u"b/0=1 b/1=0 c/0=3 c/1=2"_s);
    const auto oneDevice = subsetOfRankTable(table, ids({1}), {});
    QCOMPARE(ranksOf(*oneDevice), u"b/1=1 a/1=0 c/1=2"_s);
}

void RankTableSubsetTest::allServersAndAllDevicesAreTheTableItself()
{
    const RankTable table = completedTable(RankTableForm::ServerList, {server("a", 0), server("b", 2)});
    QCOMPARE(*subsetOfRankTable(table, {}, {}), table);
    QCOMPARE(*subsetOfRankTable(table, ids({0, 1}), {u"a"_s, u"b"_s}), table);
}

void RankTableSubsetTest::superPodsWithoutServersGo()
{
    RankTable table = completedTable(RankTableForm::SuperPodList, {server("a", 0), server("b", 2)});
    table.superPods = {{u"0"_s, {u"a"_s}}, {u"1"_s, {u"b"_s}}};
    const auto subset = subsetOfRankTable(table, {}, {u"b"_s});
    QCOMPARE(subset->superPods.size(), std::size_t(1));
    QCOMPARE(subset->superPods[0].superPodId, u"1"_s);
}

void RankTableSubsetTest::groupsWithoutServersGo()
{
    RankTable table = completedTable(RankTableForm::GroupList, {server("a", 0, 0), server("b", 2, 1)});
    table.groups = {{u"first"_s}, {u"second"_s}};
    const auto subset = subsetOfRankTable(table, {}, {u"b"_s});
    QCOMPARE(subset->groups.size(), std::size_t(1));
    QCOMPARE(subset->groups[0].name, u"second"_s);
    QCOMPARE(subset->servers[0].group, 0);
}

void RankTableSubsetTest::eachJobOfAGlobalTableHasRanksOfItsOwn()
{
    RankTable table = completedTable(RankTableForm::ServerGroupList, {server("a", 0, 0), server("b", 0, 1)});
    table.groups = {{u"1"_s}, {u"2"_s}};
    QCOMPARE(ranksOf(*subsetOfRankTable(table, ids({0}), {})), u"a/0=0 b/0=0"_s);
}

void RankTableSubsetTest::templateTwoGetsNoRanks()
{
    const RankTable table =
        completedTable(RankTableForm::GroupList, {{u"a"_s, u"job-0"_s, 0, {deviceOf(0), deviceOf(1)}}});
    QCOMPARE(ranksOf(*subsetOfRankTable(table, ids({1}), {})), u"a/1=-1"_s);
}

void RankTableSubsetTest::instancesOnOneServerAreOneServer()
{
    RankTable table = completedTable(RankTableForm::LabGroupList,
                                     {{u"a"_s, {}, 0, {deviceOf(0, 0)}}, {u"a"_s, {}, 0, {deviceOf(1, 1)}}});
    table.groups = {{QString()}};
    const auto subset = subsetOfRankTable(table, ids({1}), {u"a"_s});
    QVERIFY2(subset, qPrintable(subset.error().sentence()));
    QCOMPARE(ranksOf(*subset), u"a/1=0"_s);
}

void RankTableSubsetTest::whatIsNotThereIsNamed()
{
    const RankTable table = completedTable(RankTableForm::ServerList, {server("a", 0), server("b", 2)});
    const auto noServer = subsetOfRankTable(table, {}, {u"x"_s});
    QVERIFY(!noServer);
    QCOMPARE(noServer.error().what, u"server x is not in the table"_s);
    const auto noDevice = subsetOfRankTable(table, ids({0, 7}), {});
    QVERIFY(!noDevice);
    QCOMPARE(noDevice.error().what, u"server a has no device 7"_s);
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
