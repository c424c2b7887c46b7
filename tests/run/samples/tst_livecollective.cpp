#include "run/samples/runsamples.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_livecollective
{

using namespace rankdeck;

/// What torch_npu's status files say while a run goes on.
class LiveCollectiveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theRunningOneOfAllGroupsIsTold();
    void whatIsNoStatusIsLeftOut_data();
    void whatIsNoStatusIsLeftOut();
    void theNewestFileOfARankCounts();
    void whoIsBehindOthersThatWaitIsKnown();
};

void LiveCollectiveTest::theRunningOneOfAllGroupsIsTold()
{
    const auto its = liveCollectiveFrom(
        R"({"last_comm_op": [{"seq": 9, "op_type": "all_gather", "pg_id": "0", "comm_ids": "", "status": "end"},
            {"seq": 730, "op_type": "all_reduce", "pg_id": "tp", "comm_ids": "", "status": "start"},
            {"seq": 4, "op_type": "broadcast", "pg_id": "2", "comm_ids": "", "status": "end"}],
            "is_master": true, "exception_message": "", "global_pg_end_time": 0})");
    QVERIFY(its);
    QCOMPARE(its->text(), u"all_reduce #730 tp …"_s);
    QCOMPARE(LiveCollective({u"all_reduce"_s, u"0"_s, 3, false}).text(), u"all_reduce #3 0"_s);
}

void LiveCollectiveTest::whatIsNoStatusIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("half") << QByteArray(R"({"last_comm_op": [{"seq": 9)");
    QTest::newRow("another") << QByteArray(R"({"a": 1})");
    QTest::newRow("no number") << QByteArray(
        R"({"last_comm_op": [{"seq": "x", "op_type": "y", "pg_id": "0", "status": "end"}]})");
    QTest::newRow("no list") << QByteArray(R"({"last_comm_op": 5})");
}

void LiveCollectiveTest::whatIsNoStatusIsLeftOut()
{
    QFETCH(QByteArray, text);
    QVERIFY(!liveCollectiveFrom(text));
}

void LiveCollectiveTest::theNewestFileOfARankCounts()
{
    const QTemporaryDir folder;
    const auto write = [&](const char *name, int sequence, int daysAgo) {
        QFile file(folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.write(uR"({"last_comm_op": [{"seq": %1, "op_type": "all_reduce", "pg_id": "0",)"
                   R"( "status": "end"}]})"_s.arg(sequence)
                       .toUtf8());
        file.flush();
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-daysAgo),
                                 QFileDevice::FileModificationTime));
    };
    write("torch_hccl_status-1_1_1_4_4711_99.log", 7, 1);
    write("torch_hccl_status-1_1_1_4_4712_12.log", 8, 0);
    write("torch_hccl_status-x_1.log", 1, 0);
    write("other-2_1.log", 1, 0);
    const auto collectives = readLiveCollectives(folder.path());
    QCOMPARE(collectives.keys(), QList<int>{1});
    QCOMPARE(collectives[1].sequence, 8);
    QVERIFY(readLiveCollectives(folder.filePath(u"nothing"_s)).isEmpty());
}

void LiveCollectiveTest::whoIsBehindOthersThatWaitIsKnown()
{
    const auto at = [](const char *group, qint64 sequence, bool isRunning) {
        return LiveCollective{u"all_reduce"_s, QLatin1String(group), sequence, isRunning};
    };
    QCOMPARE(ranksBehind({{0, at("0", 7, true)}, {1, at("0", 7, true)}, {2, at("0", 6, false)}}),
             QList<int>{2});
    // All have come; or nobody waits; or it is in another group.
    QVERIFY(ranksBehind({{0, at("0", 7, true)}, {1, at("0", 7, false)}}).isEmpty());
    QVERIFY(ranksBehind({{0, at("0", 7, false)}, {1, at("0", 6, false)}}).isEmpty());
    QVERIFY(ranksBehind({{0, at("0", 7, true)}, {1, at("1", 2, true)}}).isEmpty());

    RunSamples samples;
    NodeSample sample;
    sample.time = QDateTime::currentDateTimeUtc();
    for (const int process : {0, 1, 2})
        sample.loads.insert(process, TreeLoad{1, 4096, {}, {}, {}});
    sample.collectives = {{0, at("0", 7, true)}, {1, at("0", 7, true)}, {2, at("0", 6, false)}};
    samples.take(sample);
    QVERIFY(samples.isBehind(2) && !samples.isBehind(0));
    QCOMPARE(samples.of(0)->collective, std::optional(at("0", 7, true)));
    samples.forget(2);
    QVERIFY(!samples.isBehind(2) && !samples.of(2)->collective);
}

} // namespace tst_livecollective

RANKDECK_TEST(tst_livecollective, LiveCollectiveTest)
#include "tst_livecollective.moc"
