#include "ranktable/ranktableconversion.h"
#include "ranktable/ranktablereader.h"
#include "ranktable/ranktablewriter.h"
#include "support/testhome.h"

#include <QDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace rankdeck;

class RankTableConversionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksFollowTheNumbersOfThePods();
    void sharedTable013GivesRanks0To7OnTheFirstPodsServer();
    void twoPodsOnOneServerBecomeOneServer();
    void aSingleInstanceNeedsNoNumber();
    void severalInstancesWithoutNumbersAreRefused();
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

void RankTableConversionTest::sharedTable013GivesRanks0To7OnTheFirstPodsServer()
{
    const QString path = sharedData("ranktables/013.json");
    if (path.isEmpty())
        QSKIP("shared data: ranktables/013.json is not on this machine");
    const auto converted = convertToServerList(*readRankTable(path));
    QVERIFY(converted);
    QCOMPARE(converted->servers.size(), std::size_t(2));
    const auto expectRanks = [](const Server &server, const char *id, int first) {
        QCOMPARE(server.serverId, QString::fromLatin1(id));
        QCOMPARE(server.devices.size(), std::size_t(8));
        for (int index = 0; index < 8; ++index)
            QCOMPARE(server.devices[static_cast<std::size_t>(index)].rank.value(), Rank(first + index));
    };
    expectRanks(converted->servers[0], "10.19.1.142", 0);
    expectRanks(converted->servers[1], "10.19.1.79", 8);
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

QTEST_GUILESS_MAIN(RankTableConversionTest)
#include "tst_ranktableconversion.moc"
