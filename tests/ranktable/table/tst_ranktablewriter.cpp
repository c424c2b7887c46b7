#include "ranktable/reading/ranktablereader.h"
#include "ranktable/table/ranktablewriter.h"
#include "ranktable/tablefixture.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_ranktablewriter
{

using namespace rankdeck;

class RankTableWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFormIsWrittenAsTheFieldWritesIt_data();
    void everyFormIsWrittenAsTheFieldWritesIt();
    void aServerListLooksAsItAlwaysDid();
    void whatRankdeckDoesNotKnowIsWrittenAsItWasRead();
    void theVersionThatWasReadIsKept();
    void whatIsWrittenReadsBackAsItWas_data();
    void whatIsWrittenReadsBackAsItWas();
    void ranksOfVersion20AreSorted();
    void textIsEscaped();
    void aHundredThousandDevicesTakeNoTime();
};

void RankTableWriterTest::everyFormIsWrittenAsTheFieldWritesIt_data()
{
    QTest::addColumn<RankTable>("table");
    QTest::addColumn<QByteArray>("expected");
    const QString host = u"192.0.2.1"_s;

    RankTable cloud = completedTable(RankTableForm::GroupList);
    cloud.groups = {{u"worker"_s, R"({"note":1})"}, {u"idle"_s}};
    cloud.servers = {{host, u"job-0"_s, 0, {deviceOf(0), deviceOf(1)}, R"({"zone":"a"})"}};
    QTest::newRow("group_list") << cloud
                                << QByteArray(R"({"status":"completed","group_count":"2","group_list":[
        {"group_name":"worker","device_count":"2","instance_count":"1","instance_list":[
            {"pod_name":"job-0","server_id":"192.0.2.1","devices":[
                {"device_id":"0","device_ip":"198.51.100.1"},{"device_id":"1","device_ip":"198.51.100.1"}],
             "zone":"a"}],"note":1},
        {"group_name":"idle","device_count":"0","instance_count":"0","instance_list":[]}]})");

    RankTable lab = completedTable(RankTableForm::LabGroupList);
    lab.otherKeys = R"({"deploy_mode":"lab","board_id":"0x0000"})";
    lab.groups = {{QString()}};
    lab.servers = {{host, {}, 0, {deviceOf(0, 0)}}, {host, {}, 0, {deviceOf(1, 1)}}};
    QTest::newRow("lab") << lab << QByteArray(R"({"status":"completed","group_count":"1","group_list":[
        {"device_num":"2","server_num":"1","group_name":"","instance_count":"2","instance_list":[
            {"devices":[{"device_id":"0","device_ip":"198.51.100.1"}],"rank_id":"0","server_id":"192.0.2.1"},
            {"devices":[{"device_id":"1","device_ip":"198.51.100.1"}],"rank_id":"1","server_id":"192.0.2.1"}]}],
        "deploy_mode":"lab","board_id":"0x0000"})");

    RankTable nodes = completedTable(RankTableForm::NodeList);
    nodes.otherKeys = R"({"collective_id":"c"})";
    Device npu = deviceOf(3, 0);
    npu.superDeviceId = u"7"_s;
    nodes.servers = {{host, {}, 0, {npu, {Device::host, {}, Rank(1)}}}};
    QTest::newRow("node_list") << nodes << QByteArray(R"({"status":"completed","version":"1.1","node_list":[
        {"node_addr":"192.0.2.1","ranks":[
            {"rank_id":"0","device_id":"3","rank_ip":"198.51.100.1","sdid":"7"},{"rank_id":"1"}]}],
        "collective_id":"c"})");

    RankTable pods = completedTable(RankTableForm::SuperPodList);
    pods.servers = {{host, {}, 0, {npu}}};
    const QByteArray servers(R"("server_count":"1","server_list":[{"server_id":"192.0.2.1","device":[
        {"device_id":"3","device_ip":"198.51.100.1","super_device_id":"7","rank_id":"0"}]}])");
    QTest::newRow("super pods, none listed")
        << pods << QByteArray(R"({"status":"completed","version":"1.2",)" + servers + '}');
    pods.superPods = {{u"pod"_s, {host}}};
    const QByteArray podList(
        R"("super_pod_list":[{"super_pod_id":"pod","server_list":[{"server_id":"192.0.2.1"}]}])");
    QTest::newRow("super_pod_list") << pods
                                    << QByteArray(R"({"status":"completed","version":"1.2",)" + servers +
                                                  ',' + podList + '}');

    RankTable jobs = pods;
    jobs.form = RankTableForm::ServerGroupList;
    jobs.groups = {{u"2"_s, R"({"deploy_server":"1"})"}};
    QTest::newRow("server_group_list")
        << jobs
        << QByteArray(R"({"status":"completed","server_group_list":[{"group_id":"2",)" + servers + ',' +
                      podList + R"(,"deploy_server":"1"}]})");

    RankTable ranks = completedTable(RankTableForm::RankList);
    ranks.status.clear();
    ranks.servers = {{u"rack"_s, {}, 0, {{DeviceId(5), {}, Rank(0), {}, R"({"local_id":5})"}}}};
    QTest::newRow("rank_list") << ranks << QByteArray(R"({"version":"2.0","rank_count":1,"rank_list":[
        {"rank_id":0,"device_id":5,"local_id":5}]})");
}

void RankTableWriterTest::everyFormIsWrittenAsTheFieldWritesIt()
{
    QFETCH(RankTable, table);
    QFETCH(QByteArray, expected);
    using Json = nlohmann::ordered_json;
    const QByteArray text = toJson(table);
    const QByteArray laidOut = QByteArray::fromStdString(Json::parse(expected.toStdString()).dump(2)) + '\n';
    QCOMPARE(text, laidOut);
}

void RankTableWriterTest::aServerListLooksAsItAlwaysDid()
{
    Device without = deviceOf(1, 1);
    without.deviceIp.clear();
    QCOMPARE(toJson(completedTable(RankTableForm::ServerList, {{u"s"_s, {}, 0, {deviceOf(0, 0), without}}})),
             QByteArray(R"({
  "status": "completed",
  "version": "1.0",
  "server_count": "1",
  "server_list": [
    {
      "server_id": "s",
      "device": [
        {
          "device_id": "0",
          "device_ip": "198.51.100.1",
          "rank_id": "0"
        },
        {
          "device_id": "1",
          "rank_id": "1"
        }
      ]
    }
  ]
}
)"));
}

void RankTableWriterTest::whatRankdeckDoesNotKnowIsWrittenAsItWasRead()
{
    RankTable table = completedTable(RankTableForm::ServerList, {{u"s"_s}});
    table.otherKeys = R"({"big":1e400,"exact":0.10,"empty":{},"none":[],"text":"a: [\"{,}\"] \u001b 你"})";
    const QByteArray text = toJson(table);
    for (const char *piece : {"\"big\": 1e400,\n", "\"exact\": 0.10,\n", "\"empty\": {},\n",
                              "\"none\": [],\n", R"("text": "a: [\"{,}\"] \u001b 你")"})
        QVERIFY2(text.contains(piece), text.constData());
}

void RankTableWriterTest::theVersionThatWasReadIsKept()
{
    RankTable table = completedTable(RankTableForm::ServerList);
    table.version = u"1.1"_s;
    QVERIFY(toJson(table).contains("\"version\": \"1.1\""));
}

void RankTableWriterTest::whatIsWrittenReadsBackAsItWas_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto addFolder = [](const QString &path) {
        const QDir folder(path);
        const QStringList files = folder.entryList({u"*.json"_s}, QDir::Files);
        for (const QString &file : files)
            QTest::newRow(qPrintable(file)) << readRankTableText(folder.filePath(file)).value();
    };
    addFolder(testData("ranktables"));
    if (const QString shared = sharedData("ranktables"); !shared.isEmpty())
        addFolder(shared);

    QTest::newRow("an instance of the lab without devices")
        << QByteArray(R"({"status":"completed","board_id":"0x0000","group_list":[
            {"device_num":"1","server_num":"1","group_name":"","instance_count":"2","instance_list":[
                {"devices":[{"device_id":"0"}],"rank_id":"0","server_id":"192.0.2.1"},
                {"devices":[],"rank_id":"1","server_id":"192.0.2.1"}]}]})");
    QTest::newRow("a group whose instances have no devices, whatever it says")
        << QByteArray(R"({"status":"completed","group_count":"2","group_list":[
            {"group_name":"a","device_count":"1","instance_count":"1","instance_list":[
                {"pod_name":"a-0","server_id":"192.0.2.1","devices":[{"device_id":"0"}]}]},
            {"group_name":"b","device_count":"1","instance_count":"1","instance_list":[
                {"pod_name":"b-0","server_id":"192.0.2.2","devices":[]}]}]})");
}

void RankTableWriterTest::whatIsWrittenReadsBackAsItWas()
{
    QFETCH(QByteArray, text);
    const auto table = parseRankTable(text, u"read"_s);
    if (!table)
        return; // No table, as other tests say.
    const QByteArray written = toJson(*table);
    auto again = parseRankTable(written, u"written"_s);
    QVERIFY2(again, qPrintable(again.error().sentence()));
    if (table->form != RankTableForm::RankList) // Ranks that were not in their order are now.
        QCOMPARE(*again, *table);
    QCOMPARE(toJson(*again), written);
    QCOMPARE(again->deviceCount(), table->deviceCount());
}

void RankTableWriterTest::ranksOfVersion20AreSorted()
{
    const RankTable table =
        completedTable(RankTableForm::RankList, {{u"a"_s, {}, 0, {deviceOf(0, 2), deviceOf(1, 0)}},
                                                 {u"b"_s, {}, 0, {deviceOf(0, 1)}}});
    const auto json = nlohmann::json::parse(toJson(table).toStdString());
    for (int rank = 0; rank < 3; ++rank)
        QCOMPARE(json["rank_list"][static_cast<std::size_t>(rank)]["rank_id"].get<int>(), rank);
}

void RankTableWriterTest::textIsEscaped()
{
    const QString id = u"a\"\\\n\x1b 节点"_s;
    const auto json = nlohmann::json::parse(
        toJson(completedTable(RankTableForm::ServerList, {{id, {}, 0, {deviceOf(0, 0)}}})).toStdString());
    QCOMPARE(QString::fromStdString(json["server_list"][0]["server_id"].get<std::string>()), id);
}

void RankTableWriterTest::aHundredThousandDevicesTakeNoTime()
{
    const RankTable table = largeTable(12500);
    QElapsedTimer timer;
    timer.start();
    const QByteArray text = toJson(table);
    QVERIFY(timer.elapsed() < generousMs);
    QCOMPARE(text.count("rank_id"), 100000);
}

} // namespace tst_ranktablewriter

RANKDECK_TEST(tst_ranktablewriter, RankTableWriterTest)
#include "tst_ranktablewriter.moc"
