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
    table.status = QStringLiteral("completed");
    const Device device{DeviceId(0), QStringLiteral("192.0.2.1"), {}};
    table.servers.push_back({QStringLiteral("s1"), QString::fromLatin1(first), 0, {device}});
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
        return keys.join(QLatin1Char(' '));
    };
    const Json table = Json::parse(toJson(*converted).toStdString());
    QCOMPARE(keysOf(table), QStringLiteral("status version server_count server_list"));
    QCOMPARE(table["status"].get<std::string>(), std::string("completed"));
    QCOMPARE(table["version"].get<std::string>(), std::string("1.0"));
    QCOMPARE(table["server_count"].get<std::string>(), std::string("2"));

    QFile facts(testData("ranktables/davincirun_published.txt"));
    QVERIFY(facts.open(QIODevice::ReadOnly));
    QList<QByteArray> expected = facts.readAll().trimmed().split('\n');
    expected.removeIf([](const QByteArray &line) { return line.startsWith('#'); });
    QList<QByteArray> actual;
    for (const Json &server : table["server_list"]) {
        QCOMPARE(keysOf(server), QStringLiteral("server_id device"));
        for (const Json &device : server["device"]) {
            QCOMPARE(keysOf(device), QStringLiteral("device_id device_ip rank_id"));
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
    QVERIFY(converted.error().what.contains(QLatin1String("\"worker\"")));
}

void RankTableConversionTest::labDevicesKeepTheRankOfTheirInstance()
{
    RankTable lab =
        completedTable(RankTableForm::LabGroupList, {{QStringLiteral("b"), {}, 0, {deviceOf(1, 3)}},
                                                     {QStringLiteral("a"), {}, 0, {deviceOf(0, 0)}},
                                                     {QStringLiteral("b"), {}, 0, {deviceOf(0, 2)}},
                                                     {QStringLiteral("a"), {}, 0, {deviceOf(1, 1)}}});
    const auto converted = convertToServerList(lab);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));
    QCOMPARE(converted->form, RankTableForm::ServerList);
    QCOMPARE(converted->servers.size(), std::size_t(2));
    int rank = 0;
    for (const Server &server : converted->servers) {
        QCOMPARE(server.serverId, rank < 2 ? QStringLiteral("a") : QStringLiteral("b"));
        for (const Device &device : server.devices)
            QCOMPARE(device.rank, Rank(rank++));
    }
    QCOMPARE(rank, 4);
}

void RankTableConversionTest::aLabInstanceOfSeveralDevicesIsRefused()
{
    const auto converted = convertToServerList(completedTable(
        RankTableForm::LabGroupList, {{QStringLiteral("a"), {}, 0, {deviceOf(0, 0), deviceOf(1)}}}));
    QVERIFY(!converted);
    QVERIFY2(converted.error().what.contains(QStringLiteral("device 1 of server a")),
             qPrintable(converted.error().what));
}

void RankTableConversionTest::whatIsNotOfTemplateTwoIsKept()
{
    RankTable lab = completedTable(RankTableForm::LabGroupList,
                                   {{QStringLiteral("a"), {}, 0, {deviceOf(0, 0)}, R"({"zone":"z"})"}});
    lab.servers[0].devices[0].otherKeys = R"({"device_port":"16667"})";
    lab.otherKeys = R"({"deploy_mode":"lab","ours":[1,{"a":2}],"board_id":"0x0000"})";
    const QByteArray text = toJson(*convertToServerList(lab));
    for (const char *kept : {"\"ours\"", "\"device_port\"", "\"zone\""})
        QVERIFY2(text.contains(kept), text.constData());
    QVERIFY2(!text.contains("deploy_mode") && !text.contains("board_id"), text.constData());
}

void RankTableConversionTest::superPodsAreAdded()
{
    RankTable table = completedTable(RankTableForm::ServerList,
                                     {{QStringLiteral("a"), {}, 0, {deviceOf(0, 0), deviceOf(1, 1)}}});
    table.servers[0].devices[0].otherKeys = R"({"super_device_id":"7","device_port":"1"})";
    SuperPodIds ids;
    ids.superPods = {{QStringLiteral("pod"), {QStringLiteral("a")}}};
    ids.superDeviceIds.insert({QStringLiteral("a"), 0}, QStringLiteral("99"));
    ids.superDeviceIds.insert({QStringLiteral("a"), 1}, QStringLiteral("8"));
    const auto converted = convertToSuperPodList(table, ids);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));
    QCOMPARE(converted->form, RankTableForm::SuperPodList);
    QCOMPARE(converted->version, QStringLiteral("1.2"));
    QCOMPARE(converted->servers[0].devices[0].superDeviceId, QStringLiteral("7"));
    QCOMPARE(converted->servers[0].devices[0].otherKeys, QByteArray(R"({"device_port":"1"})"));
    QCOMPARE(converted->servers[0].devices[1].superDeviceId, QStringLiteral("8"));
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
    ids.superPods = {{QStringLiteral("0"), {QStringLiteral("a"), QStringLiteral("c")}},
                     {QStringLiteral("1"), {QStringLiteral("b")}}};
    const auto converted = convertToSuperPodList(table, ids);
    QVERIFY2(converted, qPrintable(converted.error().sentence()));
    QCOMPARE(converted->servers[1].serverId, QStringLiteral("c"));
    QCOMPARE(converted->servers[1].devices[0].rank, Rank(2));
}

void RankTableConversionTest::superPodsThatDoNotFitAreRefused_data()
{
    using Pods = std::vector<QPair<QString, std::vector<QString>>>;
    QTest::addColumn<Pods>("pods");
    QTest::addColumn<QString>("what");
    const QString a = QStringLiteral("a");
    const QString b = QStringLiteral("b");
    const QString pod = QStringLiteral("0");
    QTest::newRow("a server in none")
        << Pods{{pod, {a}}} << QStringLiteral("server b belongs to no super pod");
    QTest::newRow("a server in two") << Pods{{pod, {a, b}}, {QStringLiteral("1"), {b}}}
                                     << QStringLiteral("server b belongs to two super pods");
    QTest::newRow("an unknown server")
        << Pods{{pod, {a, b, QStringLiteral("x")}}} << QStringLiteral("names server x");
    QTest::newRow("a pod twice") << Pods{{pod, {a}}, {pod, {b}}} << QStringLiteral("given twice");
    QTest::newRow("no super_device_id")
        << Pods{{pod, {a, b}}} << QStringLiteral("device 1 of server b has no super_device_id");
}

void RankTableConversionTest::superPodsThatDoNotFitAreRefused()
{
    using Pods = std::vector<QPair<QString, std::vector<QString>>>;
    QFETCH(Pods, pods);
    QFETCH(QString, what);
    SuperPodIds ids;
    ids.superPods = pods;
    ids.superDeviceIds.insert({QStringLiteral("a"), 0}, QStringLiteral("7"));
    const auto converted = convertToSuperPodList(
        completedTable(RankTableForm::ServerList, {{QStringLiteral("a"), {}, 0, {deviceOf(0, 0)}},
                                                   {QStringLiteral("b"), {}, 0, {deviceOf(1, 1)}}}),
        ids);
    QVERIFY(!converted);
    QVERIFY2(converted.error().what.contains(what), qPrintable(converted.error().what));
    QVERIFY(!convertToSuperPodList(completedTable(RankTableForm::RankList), ids));
    RankTable listed = completedTable(RankTableForm::SuperPodList);
    listed.superPods = {{QStringLiteral("0")}};
    QVERIFY(convertToSuperPodList(listed, ids).error().what.contains(QStringLiteral("already")));
}

void RankTableConversionTest::aHundredThousandDevicesTakeNoTime()
{
    RankTable large = largeTable(12500);
    large.form = RankTableForm::GroupList;
    int number = 12500;
    for (Server &server : large.servers)
        server.podName = QStringLiteral("job-%1").arg(--number);
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
    const auto again = parseRankTable(toJson(*converted), QStringLiteral("t"));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, *converted);
}

void RankTableConversionTest::writingReplacesAtOnceAndMakesFolders()
{
    const QTemporaryDir home;
    const QString path = home.filePath(QStringLiteral("a/b/jobstart_hccl.json"));
    QVERIFY(writeRankTable("old", path));
    QVERIFY(writeRankTable("new", path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("new"));
    QCOMPARE(QDir(home.filePath(QStringLiteral("a/b"))).entryList(QDir::Files).size(), 1);
}

void RankTableConversionTest::writingToAFileAsFolderIsRefused()
{
    const QTemporaryDir home;
    QVERIFY(writeRankTable("x", home.filePath(QStringLiteral("file"))));
    const auto written = writeRankTable("x", home.filePath(QStringLiteral("file/table.json")));
    QVERIFY(!written);
    QVERIFY(written.error().mend.contains(QLatin1String("--converted-rank-table")));
}

} // namespace tst_ranktableconversion

RANKDECK_TEST(tst_ranktableconversion, RankTableConversionTest)
#include "tst_ranktableconversion.moc"
