#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/table/ranktablewriter.h"
#include "ranktable/tablefixture.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_ranktableconversion
{

using namespace rankdeck;

class RankTableConversionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksFollowTheNumbersOfThePods();
    void sharedTable013BecomesWhatDavincirunPublished();
    void twoPodsOnOneServerBecomeOneServer();
    void aSingleInstanceNeedsNoNumber();
    void severalInstancesWithoutNumbersAreRefused();
    void labDevicesKeepTheRankOfTheirInstance();
    void aLabInstanceOfSeveralDevicesIsRefused();
    void whatIsNotOfTemplateTwoIsKept();
    void superPodsAreAdded();
    void serversOfASuperPodAreListedTogether();
    void superPodsThatDoNotFitAreRefused_data();
    void superPodsThatDoNotFitAreRefused();
    void aHundredThousandDevicesTakeNoTime();
    void everyScalarIsAString();
    void aConvertedTableReadsBackAsItIs();
    void writingReplacesAtOnceAndMakesFolders();
    void writingToAFileAsFolderIsRefused();
};

namespace
{

RankTable twoPods(const char *first, const char *second, const char *secondServer)
{
    RankTable table;
    table.form = RankTableForm::GroupList;
    table.status = u"completed"_s;
    const Device device{DeviceId(0), u"192.0.2.1"_s, {}};
    table.servers.push_back({u"s1"_s, QString::fromLatin1(first), 0, {device}});
    table.servers.push_back({QString::fromLatin1(secondServer), QString::fromLatin1(second), 0, {device}});
    return table;
}

} // namespace

void RankTableConversionTest::ranksFollowTheNumbersOfThePods()
{
    const auto table = readRankTable(testData("ranktables/template2_2servers.json"));
    const auto converted = convertToServerList(*table);
    QVERIFY(converted);
    QFile expectedFile(testData("ranktables/template2_2servers_converted.json"));
    QVERIFY(expectedFile.open(QIODevice::ReadOnly));
    QVERIFY(nlohmann::json::parse(toJson(*converted).toStdString()) ==
            nlohmann::json::parse(expectedFile.readAll().toStdString()));
}

void RankTableConversionTest::sharedTable013BecomesWhatDavincirunPublished()
{
    const QString path = sharedData("ranktables/013.json");
    if (path.isEmpty())
        QSKIP("shared data: ranktables/013.json is not on this machine");
    const auto read = readRankTable(path);
    QVERIFY2(read, qPrintable(read.error().sentence()));
    const auto converted = convertToServerList(*read);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));

    using Json = nlohmann::ordered_json;
    const auto keysOf = [](const Json &object) {
        QStringList keys;
        for (const auto &[key, value] : object.items())
            keys << QString::fromStdString(key);
        return keys.join(' '_L1);
    };
    const Json table = Json::parse(toJson(*converted).toStdString());
    QCOMPARE(keysOf(table), u"status version server_count server_list"_s);
    QCOMPARE(table["status"].get<std::string>(), std::string("completed"));
    QCOMPARE(table["version"].get<std::string>(), std::string("1.0"));
    QCOMPARE(table["server_count"].get<std::string>(), std::string("2"));

    QFile facts(testData("ranktables/davincirun_published.txt"));
    QVERIFY(facts.open(QIODevice::ReadOnly));
    QList<QByteArray> expected = facts.readAll().trimmed().split('\n');
    expected.removeIf([](const QByteArray &line) { return line.startsWith('#'); });
    QList<QByteArray> actual;
    for (const Json &server : table["server_list"]) {
        QCOMPARE(keysOf(server), u"server_id device"_s);
        for (const Json &device : server["device"]) {
            QCOMPARE(keysOf(device), u"device_id device_ip rank_id"_s);
            actual << QByteArray::fromStdString(
                device["rank_id"].get<std::string>() + ' ' + server["server_id"].get<std::string>() + ' ' +
                device["device_id"].get<std::string>() + ' ' + device["device_ip"].get<std::string>());
        }
    }
    QCOMPARE(actual, expected);
}

void RankTableConversionTest::twoPodsOnOneServerBecomeOneServer()
{
    const auto converted = convertToServerList(twoPods("job-1", "job-0", "s1"));
    QVERIFY(converted);
    QCOMPARE(converted->servers.size(), std::size_t(1));
    QCOMPARE(converted->servers[0].devices.size(), std::size_t(2));
    QCOMPARE(converted->servers[0].devices[1].rank.value(), Rank(1));
}

void RankTableConversionTest::aSingleInstanceNeedsNoNumber()
{
    RankTable table = twoPods("job", "x", "s2");
    table.servers.pop_back();
    QVERIFY(convertToServerList(table));
}

void RankTableConversionTest::severalInstancesWithoutNumbersAreRefused()
{
    const auto converted = convertToServerList(twoPods("job-0", "worker", "s2"));
    QVERIFY(!converted);
    QVERIFY(converted.error().what.contains("\"worker\""_L1));
}

void RankTableConversionTest::labDevicesKeepTheRankOfTheirInstance()
{
    RankTable lab = completedTable(RankTableForm::LabGroupList, {{u"b"_s, {}, 0, {deviceOf(1, 3)}},
                                                                 {u"a"_s, {}, 0, {deviceOf(0, 0)}},
                                                                 {u"b"_s, {}, 0, {deviceOf(0, 2)}},
                                                                 {u"a"_s, {}, 0, {deviceOf(1, 1)}}});
    const auto converted = convertToServerList(lab);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));
    QCOMPARE(converted->form, RankTableForm::ServerList);
    QCOMPARE(converted->servers.size(), std::size_t(2));
    int rank = 0;
    for (const Server &server : converted->servers) {
        QCOMPARE(server.serverId, rank < 2 ? u"a"_s : u"b"_s);
        for (const Device &device : server.devices)
            QCOMPARE(device.rank, Rank(rank++));
    }
    QCOMPARE(rank, 4);
}

void RankTableConversionTest::aLabInstanceOfSeveralDevicesIsRefused()
{
    const auto converted = convertToServerList(
        completedTable(RankTableForm::LabGroupList, {{u"a"_s, {}, 0, {deviceOf(0, 0), deviceOf(1)}}}));
    QVERIFY(!converted);
    QVERIFY2(converted.error().what.contains(u"device 1 of server a"_s), qPrintable(converted.error().what));
}

void RankTableConversionTest::whatIsNotOfTemplateTwoIsKept()
{
    RankTable lab =
        completedTable(RankTableForm::LabGroupList, {{u"a"_s, {}, 0, {deviceOf(0, 0)}, R"({"zone":"z"})"}});
    lab.servers[0].devices[0].otherKeys = R"({"device_port":"16667"})";
    lab.otherKeys = R"({"deploy_mode":"lab","ours":[1,{"a":2}],"board_id":"0x0000"})";
    const QByteArray text = toJson(*convertToServerList(lab));
    for (const char *kept : {"\"ours\"", "\"device_port\"", "\"zone\""})
        QVERIFY2(text.contains(kept), text.constData());
    QVERIFY2(!text.contains("deploy_mode") && !text.contains("board_id"), text.constData());
}

void RankTableConversionTest::superPodsAreAdded()
{
    RankTable table =
        completedTable(RankTableForm::ServerList, {{u"a"_s, {}, 0, {deviceOf(0, 0), deviceOf(1, 1)}}});
    table.servers[0].devices[0].otherKeys = R"({"super_device_id":"7","device_port":"1"})";
    SuperPodIds ids;
    ids.superPods = {{u"pod"_s, {u"a"_s}}};
    ids.superDeviceIds.insert({u"a"_s, 0}, u"99"_s);
    ids.superDeviceIds.insert({u"a"_s, 1}, u"8"_s);
    const auto converted = convertToSuperPodList(table, ids);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));
    QCOMPARE(converted->form, RankTableForm::SuperPodList);
    QCOMPARE(converted->version, u"1.2"_s);
    QCOMPARE(converted->servers[0].devices[0].superDeviceId, u"7"_s);
    QCOMPARE(converted->servers[0].devices[0].otherKeys, QByteArray(R"({"device_port":"1"})"));
    QCOMPARE(converted->servers[0].devices[1].superDeviceId, u"8"_s);
    QCOMPARE(converted->superPods.size(), std::size_t(1));
    RankTable unlisted = *converted;
    unlisted.superPods.clear();
    QCOMPARE(*convertToSuperPodList(unlisted, ids), *converted);
}

void RankTableConversionTest::serversOfASuperPodAreListedTogether()
{
    const auto server = [](const char *id, int rank) {
        Server one{QString::fromLatin1(id), {}, 0, {deviceOf(0, rank)}};
        one.devices[0].superDeviceId = QString::number(rank);
        return one;
    };
    const RankTable table =
        completedTable(RankTableForm::ServerList, {server("a", 0), server("b", 1), server("c", 2)});
    SuperPodIds ids;
    ids.superPods = {{u"0"_s, {u"a"_s, u"c"_s}}, {u"1"_s, {u"b"_s}}};
    const auto converted = convertToSuperPodList(table, ids);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));
    QCOMPARE(converted->servers[1].serverId, u"c"_s);
    QCOMPARE(converted->servers[1].devices[0].rank, Rank(2));
}

void RankTableConversionTest::superPodsThatDoNotFitAreRefused_data()
{
    using Pods = std::vector<QPair<QString, std::vector<QString>>>;
    QTest::addColumn<Pods>("pods");
    QTest::addColumn<QString>("what");
    const QString a = u"a"_s;
    const QString b = u"b"_s;
    const QString pod = u"0"_s;
    QTest::newRow("a server in none") << Pods{{pod, {a}}} << u"server b belongs to no super pod"_s;
    QTest::newRow("a server in two") << Pods{{pod, {a, b}}, {u"1"_s, {b}}}
                                     << u"server b belongs to two super pods"_s;
    QTest::newRow("an unknown server") << Pods{{pod, {a, b, u"x"_s}}} << u"names server x"_s;
    QTest::newRow("a pod twice") << Pods{{pod, {a}}, {pod, {b}}} << u"given twice"_s;
    QTest::newRow("no super_device_id")
        << Pods{{pod, {a, b}}} << u"device 1 of server b has no super_device_id"_s;
}

void RankTableConversionTest::superPodsThatDoNotFitAreRefused()
{
    using Pods = std::vector<QPair<QString, std::vector<QString>>>;
    QFETCH(Pods, pods);
    QFETCH(QString, what);
    SuperPodIds ids;
    ids.superPods = pods;
    ids.superDeviceIds.insert({u"a"_s, 0}, u"7"_s);
    const auto converted =
        convertToSuperPodList(completedTable(RankTableForm::ServerList, {{u"a"_s, {}, 0, {deviceOf(0, 0)}},
                                                                         {u"b"_s, {}, 0, {deviceOf(1, 1)}}}),
                              ids);
    QVERIFY(!converted);
    QVERIFY2(converted.error().what.contains(what), qPrintable(converted.error().what));
    QVERIFY(!convertToSuperPodList(completedTable(RankTableForm::RankList), ids));
    RankTable listed = completedTable(RankTableForm::SuperPodList);
    listed.superPods = {{u"0"_s}};
    QVERIFY(convertToSuperPodList(listed, ids).error().what.contains(u"already"_s));
}

void RankTableConversionTest::aHundredThousandDevicesTakeNoTime()
{
    RankTable large = largeTable(12500);
    large.form = RankTableForm::GroupList;
    int number = 12500;
    for (Server &server : large.servers)
        server.podName = u"job-%1"_s.arg(--number);
    QElapsedTimer timer;
    timer.start();
    const auto converted = convertToServerList(large);
    QVERIFY(timer.elapsed() < generousMs);
    QVERIFY(converted);
    QCOMPARE(converted->servers.back().devices.back().rank, Rank(99999));
}

void RankTableConversionTest::everyScalarIsAString()
{
    const auto json =
        nlohmann::json::parse(toJson(*convertToServerList(twoPods("job-0", "job-1", "s2"))).toStdString());
    QCOMPARE(json["version"].get<std::string>(), std::string("1.0"));
    QCOMPARE(json["server_count"].get<std::string>(), std::string("2"));
    const auto &device = json["server_list"][1]["device"][0];
    QVERIFY(device["device_id"].is_string());
    QCOMPARE(device["rank_id"].get<std::string>(), std::string("1"));
}

void RankTableConversionTest::aConvertedTableReadsBackAsItIs()
{
    const auto converted = convertToServerList(twoPods("job-0", "job-1", "s2"));
    const auto again = parseRankTable(toJson(*converted), u"t"_s);
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, *converted);
}

void RankTableConversionTest::writingReplacesAtOnceAndMakesFolders()
{
    const QTemporaryDir home;
    const QString path = home.filePath(u"a/b/jobstart_hccl.json"_s);
    QVERIFY(writeRankTable("old", path));
    QVERIFY(writeRankTable("new", path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("new"));
    QCOMPARE(QDir(home.filePath(u"a/b"_s)).entryList(QDir::Files).size(), 1);
}

void RankTableConversionTest::writingToAFileAsFolderIsRefused()
{
    const QTemporaryDir home;
    QVERIFY(writeRankTable("x", home.filePath(u"file"_s)));
    const auto written = writeRankTable("x", home.filePath(u"file/table.json"_s));
    QVERIFY(!written);
    QVERIFY(written.error().mend.contains("--converted-rank-table"_L1));
}

} // namespace tst_ranktableconversion

RANKDECK_TEST(tst_ranktableconversion, RankTableConversionTest)
#include "tst_ranktableconversion.moc"
