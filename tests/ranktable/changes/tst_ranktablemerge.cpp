#include "ranktable/changes/ranktablemerge.h"
#include "ranktable/tablefixture.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_ranktablemerge
{

using namespace rankdeck;

namespace
{

RankTable oneServer(const char *id, int lastByte)
{
    return completedTable(RankTableForm::ServerList,
                          {{QString::fromLatin1(id),
                            {},
                            0,
                            {deviceOf(1, 1, lastByte), deviceOf(0, 0, lastByte + 1)},
                            R"({"host_ip":"192.0.2.1"})"}});
}

const QStringList names{u"a.json"_s, u"b.json"_s, u"c.json"_s};

QString order(const MergedTable &merged)
{
    QStringList words;
    for (const Server &server : merged.table.servers) {
        for (const Device &device : server.devices)
            words << u"%1/%2=%3"_s.arg(server.serverId)
                         .arg(device.deviceId.value)
                         .arg(device.rank.value_or(Rank(-1)).value);
    }
    return words.join(' '_L1);
}

} // namespace

class RankTableMergeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksFollowTheServerIdsUnlessAskedOtherwise();
    void theSameOrderEitherWayIsSaid();
    void serverIdsAreComparedAsStrings();
    void templateTwoIsMergedToo();
    void extrasAreKept();
    void whatCannotBeMergedIsNamed_data();
    void whatCannotBeMergedIsNamed();
    void maskedAddressesAreNotCompared();
    void theFileIsCalledAsTheToolCallsIt();
    void aHundredThousandDevicesTakeNoTime();
};

void RankTableMergeTest::ranksFollowTheServerIdsUnlessAskedOtherwise()
{
    const std::vector<RankTable> tables{oneServer("s2", 20), oneServer("s1", 10)};
    const auto byId = mergeRankTables(tables, names);
    QVERIFY2(byId, qPrintable(byId.error().sentence()));
    QCOMPARE(order(*byId), u"s1/0=0 s1/1=1 s2/0=2 s2/1=3"_s);
    QCOMPARE(byId->order, MergeOrder::ServerId);
    QVERIFY(byId->ordersDiffer);
    const auto asGiven = mergeRankTables(tables, names, MergeOrder::AsGiven);
    QCOMPARE(order(*asGiven), u"s2/0=0 s2/1=1 s1/0=2 s1/1=3"_s);
    QCOMPARE(asGiven->order, MergeOrder::AsGiven);
    QVERIFY(asGiven->ordersDiffer);
}

void RankTableMergeTest::theSameOrderEitherWayIsSaid()
{
    const auto merged = mergeRankTables({oneServer("s1", 10), oneServer("s2", 20)}, names);
    QVERIFY(merged && !merged->ordersDiffer);
}

void RankTableMergeTest::serverIdsAreComparedAsStrings()
{
    const auto merged = mergeRankTables({oneServer("192.0.2.9", 10), oneServer("192.0.2.10", 20)}, names);
    QCOMPARE(merged->table.servers[0].serverId, u"192.0.2.10"_s);
    QVERIFY(merged->ordersDiffer);
}

void RankTableMergeTest::templateTwoIsMergedToo()
{
    RankTable cloud =
        completedTable(RankTableForm::GroupList, {{u"s0"_s, u"job"_s, 0, {deviceOf(4, {}, 99)}}});
    const auto merged = mergeRankTables({oneServer("s1", 10), cloud}, names);
    QVERIFY2(merged, qPrintable(merged.error().sentence()));
    QCOMPARE(merged->table.form, RankTableForm::ServerList);
    QCOMPARE(order(*merged), u"s0/4=0 s1/0=1 s1/1=2"_s);
}

void RankTableMergeTest::extrasAreKept()
{
    RankTable first = oneServer("s1", 10);
    RankTable second = oneServer("s2", 20);
    first.otherKeys = R"({"a":1,"b":2})";
    second.otherKeys = R"({"b":3,"c":[4]})";
    const auto merged = mergeRankTables({first, second}, names);
    QCOMPARE(merged->table.otherKeys, QByteArray(R"({"a":1,"b":2,"c":[4]})"));
    QCOMPARE(merged->table.servers[0].otherKeys, QByteArray(R"({"host_ip":"192.0.2.1"})"));
}

void RankTableMergeTest::whatCannotBeMergedIsNamed_data()
{
    QTest::addColumn<RankTable>("second");
    QTest::addColumn<QString>("what");
    QTest::newRow("the same server") << oneServer("s1", 20) << u"server s1 is already in a.json"_s;
    QTest::newRow("the same address")
        << oneServer("s2", 11) << u"device_ip 198.51.100.11 of server s2 is already in a.json"_s;
    QTest::newRow("another form") << completedTable(RankTableForm::SuperPodList)
                                  << u"version 1.2 (super_pod_list) cannot be merged"_s;
    QTest::newRow("no device") << completedTable(RankTableForm::ServerList) << u"no device"_s;
}

void RankTableMergeTest::whatCannotBeMergedIsNamed()
{
    QFETCH(RankTable, second);
    QFETCH(QString, what);
    const auto merged = mergeRankTables({oneServer("s1", 10), second}, names);
    QVERIFY(!merged);
    QVERIFY2(merged.error().what.contains(what), qPrintable(merged.error().what));
    QCOMPARE(merged.error().where, u"b.json"_s);
    QVERIFY(!mergeRankTables({second}, names));
}

void RankTableMergeTest::maskedAddressesAreNotCompared()
{
    RankTable first = oneServer("s1", 10);
    RankTable second = oneServer("s2", 20);
    for (RankTable *table : {&first, &second})
        table->servers[0].devices[0].deviceIp = u"192.0.*.*"_s;
    QVERIFY(mergeRankTables({first, second}, names));
}

void RankTableMergeTest::theFileIsCalledAsTheToolCallsIt()
{
    const auto merged = mergeRankTables({oneServer("s1", 10), oneServer("s2", 20)}, names);
    QCOMPARE(mergedFileName(merged->table), u"hccl_2s_4p.json"_s);
}

void RankTableMergeTest::aHundredThousandDevicesTakeNoTime()
{
    const RankTable large = largeTable(12500);
    QElapsedTimer timer;
    timer.start();
    const auto merged = mergeRankTables({large, oneServer("s", 10)}, names);
    QVERIFY(timer.elapsed() < generousMs);
    QVERIFY(merged);
    QCOMPARE(merged->table.deviceCount(), 100002);
}

} // namespace tst_ranktablemerge

RANKDECK_TEST(tst_ranktablemerge, RankTableMergeTest)
#include "tst_ranktablemerge.moc"
