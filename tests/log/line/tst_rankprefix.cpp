#include "log/line/rankprefix.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_rankprefix
{

using namespace rankdeck;

namespace
{

/// "3 left in the line", or "-" where no rank is told; "3+ …" where lines may follow.
QString told(const RankPrefixes &prefixes, const QByteArray &line)
{
    const auto prefix = prefixes.of(line);
    if (!prefix)
        return u"-"_s;
    return u"%1%2 %3"_s.arg(prefix->rank)
        .arg(prefix->goesOn ? u"+"_s : QString())
        .arg(QString::fromUtf8(line.mid(prefix->size)));
}

} // namespace

class TestRankPrefix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineTellsItsRank_data();
    void aLineTellsItsRank();
    void aNumberOrAHostCountsOnlyWhereMostLinesHaveOne_data();
    void aNumberOrAHostCountsOnlyWhereMostLinesHaveOne();
    void ranksOfVllmAreCountedThroughStagesAndReplicas();
};

void TestRankPrefix::aLineTellsItsRank_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *line, const char *wanted) {
        QTest::newRow(line) << QByteArray(line) << QString::fromUtf8(wanted);
    };
    row("[rank3]: ValueError: bad", "3 ValueError: bad");
    row("[rank11]:[E1118 10:00:01 ProcessGroupGloo.cpp:144] timed out",
        "11 [E1118 10:00:01 ProcessGroupGloo.cpp:144] timed out");
    row("[default3]:Traceback (most recent call last):", "3 Traceback (most recent call last):");
    row("[default3]:[rank11]: KeyError: 'x'", "11 KeyError: 'x'");
    row("[1,3]<stderr>:boom", "3 boom");
    row("[1,12]<stdout>: step 3", "12 step 3");
    row("(Worker_TP3 pid=71) ERROR 11-18 boom", "3 ERROR 11-18 boom");
    row("(VllmWorker rank=3 pid=7) ERROR boom", "3 ERROR boom");
    row("[pod/job-worker-2/main] loss 1.5", "2 loss 1.5");
    row("(Worker pid=7) (Worker_TP3 pid=7) ERROR boom", "3 ERROR boom");
    row("(vLLMHttpServer pid=1) (Worker_TP1 pid=2) ERROR boom", "1 ERROR boom");
    row("(RayWorkerWrapper pid=7, ip=10.0.0.2) [rank8]: boom", "8 boom");
    row("(WorkerDict pid=7) boom", "-");
    row("(Worker_DP1_TP5_DCP5_EP13 pid=25423) ERROR boom", "13 ERROR boom");
    row("[2026-07-01 02:44:10 TP14 EP14] boom", "14+ [2026-07-01 02:44:10 TP14 EP14] boom");
    row("{\"name\": \"torchelastic.worker.status.FAILED\", \"metadata\": {\"global_rank\": 1}}",
        "1 {\"name\": \"torchelastic.worker.status.FAILED\", \"metadata\": {\"global_rank\": 1}}");
    row("[ERROR] 2025-08-06-16:15:27 (PID:22, Device:3, RankID:5) ERR00100 PTA call failed",
        "5+ [ERROR] 2025-08-06-16:15:27 (PID:22, Device:3, RankID:5) ERR00100 PTA call failed");
    row("[ERROR] 2025-08-06-16:15:27 (PID:22, Device:0, RankID:-1) ERR00100", "-");
    row("[E ProcessGroupNCCL.cpp:475] [Rank 1] Watchdog caught",
        "1 [E ProcessGroupNCCL.cpp:475] [Rank 1] Watchdog caught");
    row("[E508 03:20:31.678676591 ProcessGroupNCCL.cpp:616] [PG ID 0 PG GUID 0 Rank 3] Exception",
        "3 [E508 03:20:31.678676591 ProcessGroupNCCL.cpp:616] [PG ID 0 PG GUID 0 Rank 3] Exception");
    row("[E508 03:20:31.678676591 ProcessGroupNCCL.cpp:616] [PG ID 2 PG GUID 5 Rank 3] Exception", "-");
    row("[epoch3]: loss 1.5", "-");
    row("[2025-11-18 10:00:01] step 3", "-");
    row("(pid=7) boom", "-");
    row("3: boom", "-");
    row("worker-3: boom", "-");
    row("", "-");
}

void TestRankPrefix::aLineTellsItsRank()
{
    QFETCH(QByteArray, line);
    QTEST(told(RankPrefixes(line + '\n'), line), "wanted");
}

void TestRankPrefix::aNumberOrAHostCountsOnlyWhereMostLinesHaveOne_data()
{
    QTest::addColumn<QByteArray>("sample");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("srun -l") << QByteArray(" 0: step 1\n 8: step 1\n12: step 1\nsrun: done\n")
                             << QByteArray("12: boom") << "12 boom";
    QTest::newRow("a table") << QByteArray("0: one\n1: two\nthree\nfour\nfive\nsix\n") << QByteArray("1: two")
                             << "-";
    QTest::newRow("one number alone") << QByteArray("0: step 1\n0: step 2\n") << QByteArray("0: boom") << "-";
    QTest::newRow("pdsh") << QByteArray("worker-0: step 1\nworker-1: step 1\nworker-1: step 2\n")
                          << QByteArray("worker-1: boom") << "1 boom";
    QTest::newRow("compose") << QByteArray("worker-0  | step 1\nworker-1  | step 1\n")
                             << QByteArray("worker-1  | boom") << "1 boom";
    QTest::newRow("Ray, whose processes say their rank")
        << QByteArray("(WorkerDict pid=41) [Gloo] Rank 0 is connected to 1 peer ranks\n"
                      "(WorkerDict pid=42, ip=10.0.0.2) [Gloo] Rank 1 is connected to 1 peer ranks\n")
        << QByteArray("(WorkerDict pid=42, ip=10.0.0.2) boom") << "1 boom";
    QTest::newRow("Ray, where a line of the process has its rank")
        << QByteArray(
               "(RayWorkerWrapper pid=42, ip=10.0.0.2) [rank17]:[W220 10:23:46.112462356 a.cpp:432] w\n")
        << QByteArray("(RayWorkerWrapper pid=42, ip=10.0.0.2) boom") << "17 boom";
    QTest::newRow("both") << QByteArray("worker-0: [rank0]: a\nworker-1: [rank8]: b\n")
                          << QByteArray("worker-1: [rank8]: boom") << "8 boom";
}

void TestRankPrefix::aNumberOrAHostCountsOnlyWhereMostLinesHaveOne()
{
    QFETCH(QByteArray, sample);
    QFETCH(QByteArray, line);
    QTEST(told(RankPrefixes(sample), line), "wanted");
}

void TestRankPrefix::ranksOfVllmAreCountedThroughStagesAndReplicas()
{
    const RankPrefixes prefixes("(Worker_DP0_PP0_TP0 pid=1) a\n(Worker_DP1_PP1_TP3 pid=2) b\n");
    QCOMPARE(told(prefixes, "(Worker_DP0_PP1_TP2 pid=3) c"), u"6 c"_s);
    QCOMPARE(told(prefixes, "(Worker_DP1_PP1_TP3 pid=4) d"), u"15 d"_s);
}

} // namespace tst_rankprefix

RANKDECK_TEST(tst_rankprefix, TestRankPrefix)
#include "tst_rankprefix.moc"
