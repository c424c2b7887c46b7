#include "base/times.h"
#include "log/line/loglinereader.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_loglinehead
{

using namespace rankdeck;

namespace
{

const char *word(LogSeverity severity)
{
    constexpr std::array words{"none", "debug", "info", "warning", "error", "critical"};
    return words[static_cast<std::size_t>(severity)];
}

QString written(std::optional<LogTime> time)
{
    return time ? utcTime(time->value / 1000).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) +
                      u"%1"_s.arg(time->value % 1000, 3, 10, '0'_L1)
                : u"-"_s;
}

QByteArray bare(const QByteArray &line)
{
    return textOfAllRanks(line, readLogLineHead(line)).replace('\0', '_');
}

} // namespace

class TestLogLineHead : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedLinesSayWhatTheyAre_data();
    void recordedLinesSayWhatTheyAre();
    void linesOfTwoRanksAreAlikeButForWhatIsTheirs_data();
    void linesOfTwoRanksAreAlikeButForWhatIsTheirs();
    void differentLinesStayDifferent();
    void aContinuationIsAsTheLineBeforeIt();
    void aTracebackIsAnErrorUpToItsException();
    void aStampWithoutAYearIsInTheLastOne();
    void anyBytesAreRead();
    void aMomentIsStampedInLocalTime();
};

void TestLogLineHead::recordedLinesSayWhatTheyAre_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("severity");
    QTest::addColumn<QString>("time");
    const auto row = [](const char *name, const char *severity, const char *time, const char *line) {
        QTest::newRow(name) << QByteArray(line) << QByteArray(severity) << QString::fromLatin1(time);
    };
    row("MindSpore", "error", "2021-09-11 16:48:31.511290",
        "[ERROR] DEVICE(118114,ffff4effd1e0,python):2021-09-11-16:48:31.511.290 [mindspore/ccsrc/runtime/"
        "device/ascend/ascend_kernel_runtime.cc:679] DumpTaskExceptionInfo] Task fail infos task_id: 13");
    row("MindSpore's exception", "error", "2021-09-11 16:48:31.511063",
        "[EXCEPTION] GE(118114,ffff4effd1e0,python):2021-09-11-16:48:31.511.063 [mindspore/ccsrc/runtime/"
        "device/ascend/ge_runtime/runtime_model.cc:233] Run] Call rt api rtStreamSynchronize failed");
    row("MindSpore in Python", "error", "2024-12-26 14:22:26.839923",
        "[ERROR] ME(130371:281473296949264,MainProcess):2024-12-26-14:22:26.839.923 [mindspore/parallel/"
        "cluster/process_entity/_api.py:268] Worker process 130673 exit with exception.");
    row("MindSpore's cluster", "warning", "2025-08-19 10:34:38.043689",
        "[WARNING] DISTRIBUTED(31,ffff979150f0,python):2025-08-19-10:34:38.043.689 [mindspore/ccsrc/"
        "distributed/rpc/tcp/tcp_comm.cc:195] StartServerSocket] Failed to call socket listen");
    row("CANN", "error", "2025-07-23 03:47:57.070463",
        "[ERROR] HCCL(2717288,python3):2025-07-23-03:47:57.070.463 [hccl_socket.cc:100] "
        "[2717288][HcclSocket][Listen] socket type[1], listen on ip[192.168.20.160] fail.");
    row("CANN's driver", "info", "2023-07-14 20:36:01.130055",
        "[EVENT] DRV(3536113,python):2023-07-14-20:36:01.130.055 [ascend][curpid: 3536113, "
        "3536113][drv][devmm] Cached_size:2031616Bytes");
    row("CANN without a program", "error", "2025-10-21 07:56:47.198454",
        "[ERROR] HCCL(60570,):2025-10-21 07:56:47.198.454 [hccl_socket.cc:100] time out");
    row("torch_npu", "error", "2025-04-27 09:26:08.000000",
        "[ERROR] 2025-04-27-09:26:08 (PID:9334, Device:1, RankID:-1) ERR00100 PTA call acl api failed");
    row("CANN's report", "error", "2025-11-30 05:12:25.730116",
        "[PID: 4346] 2025-11-30-05:12:25.730.116 AclNN_Parameter_Error(EZ1001): The self tensor cannot be "
        "larger than 8 dimensions.");
    row("CANN's report by code", "error", "2025-04-08 18:07:20.444436",
        "EI0006: [PID: 1292363] 2025-04-08-18:07:20.444.436 Getting socket times out.");
    row("MindFormers", "info", "2025-04-07 15:34:27.308000",
        "2025-04-07 15:34:27,308 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  1/  2], "
        "step:[    1/   19], loss: 10.649");
    row("MindFormers, named", "warning", "2025-04-07 15:34:27.308000",
        "2025-04-07 15:34:27,308 - mindformers./output/log[mindformers/a.py:5] - WARNING - slow");
    row("MindFormers, older", "info", "2023-07-11 10:48:37.162000",
        "[INFO] 2023-07-11 10:48:37,162 [callback.py:269] print_output_info: Epoch:[  1/  1]");
    row("MindFormers, cut off", "info", "-", "- INFO - { Epoch:[  1/  2], step:[    1/ 6500]");
    row("mindyolo", "info", "2024-12-25 09:58:42.787000",
        "2024-12-25 09:58:42,787 [INFO] Epoch 1/200, Step 100/3995, imgsize (640, 640)");
    row("between colons", "info", "2023-06-09 22:18:45.025000",
        "2023-06-09 22:18:45,025:INFO:epoch: [40/90] loss: 3.465011");
    row("Megatron", "none", "2025-06-22 14:47:00.000000",
        " [2025-06-22 14:47:00] iteration       10/    5000 | consumed samples:          640 |");
    row("MindSpeed", "info", "2026-06-22 19:25:37.000000",
        "INFO [2026-06-22 19:25:37] >>  iteration        1/    2000 | consumed samples:");
    row("torchrun", "warning", "2023-09-13 10:20:36.763000",
        "[2023-09-13 10:20:36,763] torch.distributed.run: [WARNING] Setting OMP_NUM_THREADS");
    row("sglang", "none", "2026-01-29 11:55:29.000000",
        "[2026-01-29 11:55:29 TP0] Process 132 gpu_id 0 is running on CPUs: [0, 1]");
    row("torch in C++", "warning", "-",
        "[W LegacyTypeDispatch.h:74] Warning: AutoNonVariableTypeMode is deprecated");
    row("torch in C++ with a rank", "error", "-",
        "[rank3]:[E1015 10:12:13.123456789 compiler_depend.ts:28] Watchdog caught a timeout");
    row("torch in C++, whose months have no zero before them", "error", "-",
        "[E508 03:20:31.678676591 compiler_depend.ts:1693] [Rank 9] HCCL watchdog thread terminated");
    row("vLLM", "info", "-", "INFO 09-19 16:37:25 importing.py:10] Triton not installed; certain");
    row("vLLM's worker", "error", "-",
        "(NPURayWorkerWrapper pid=21121) ERROR 05-30 09:16:50 worker_base.py:581]     return self._call");
    row("vLLM's worker of a worker", "error", "-",
        "(vLLMHttpServer pid=41) (Worker_TP1 pid=42) ERROR 09-19 16:37:25 [multiproc_executor.py:12] no");
    row("glog", "error", "-", "E1128 11:59:20.123456   4321 port.cc:12] no");
    row("glog, as torchrun writes it", "warning", "-",
        "W1128 11:59:20.123000 140 torch/distributed/elastic/multiprocessing/api.py:900] Sending");
    row("XLA", "error", "2024-10-09 15:47:38.568412",
        "2024-10-09 15:47:38.568412: E external/xla/xla/tsl/coordination_service.cc:1170] no");
    row("Ray in C++", "error", "2025-11-28 11:59:20.123000",
        "[2025-11-28 11:59:20,123 E 123 456] core_worker.cc:12: no");
    row("Ray's raylet", "error", "2025-11-28 11:59:20.123000",
        "(raylet) [2025-11-28 11:59:20,123 E 123 456] (raylet) worker.cc:12: no");
    row("Ray in Python", "info", "2025-11-28 11:59:20.123000",
        "2025-11-28 11:59:20,123\tINFO worker.py:1724 -- Started");
    row("transformers", "info", "2025-11-28 11:59:20.123000",
        "[INFO|trainer.py:2134] 2025-11-28 11:59:20,123 >> ***** Running training *****");
    row("LLaMA-Factory", "warning", "2025-11-28 11:59:20.000000",
        "[WARNING|2025-11-28 11:59:20] llamafactory.hparams.parser:148 >> no");
    row("ms-swift", "info", "-", "[INFO:swift] Loading the model");
    row("Hydra", "error", "2025-11-28 11:59:20.123000", "[2025-11-28 11:59:20,123][root][ERROR] - no");
    row("JAX", "error", "2025-11-28 11:59:20.123000",
        "ERROR:2025-11-28 11:59:20,123:jax._src.xla_bridge:852: no");
    row("MMEngine", "info", "-", "11/28 11:59:20 - mmengine - INFO - Iter(train) [10/100]");
    row("Python's warnings", "warning", "-",
        "/usr/local/lib/python3.10/site-packages/torch_npu/utils/path_manager.py:82: UserWarning: Warning: "
        "The /usr/local/Ascend/ascend-toolkit/latest owner does not match the current user.");
    row("Python's logging", "warning", "-", "WARNING:root:disk is slow");
    row("loguru", "info", "2024-05-01 10:11:12.123000",
        "2024-05-01 10:11:12.123 | INFO     | train:main:3 - begin");
    row("coloured", "error", "-", "\x1b[31m[ERROR] no\x1b[0m");
    row("a crash", "critical", "-", "Fatal Python error: Segmentation fault");
    row("print", "none", "-", "{'loss': 1.6693, 'learning_rate': 1.97e-04, 'epoch': 0.23}");
    row("no such day", "none", "-", "2024-13-01 10:00:00 x");
    row("a list", "none", "-", "[1, 2, 3]");
    row("empty", "none", "-", "");
}

void TestLogLineHead::recordedLinesSayWhatTheyAre()
{
    QFETCH(QByteArray, line);
    const LogLineHead head = readLogLineHead(line);
    QTEST(QByteArray(word(head.severity)), "severity");
    QTEST(written(head.time), "time");
}

void TestLogLineHead::linesOfTwoRanksAreAlikeButForWhatIsTheirs_data()
{
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    QTest::newRow("MindSpore")
        << QByteArray("[INFO] GE(118114,ffff4effd1e0,python):2021-09-11-16:48:31.511.290 [a.cc:1] F] go")
        << QByteArray("[INFO] GE(118117,ffff4effd2a0,python):2021-09-11-16:48:31.520.001 [a.cc:1] F] go");
    QTest::newRow("CANN, the pid in its text again")
        << QByteArray("[ERROR] HCCL(2717288,python3):2025-07-23-03:47:57.070.463 [a.cc:1] [2717288][x] no")
        << QByteArray("[ERROR] HCCL(2717290,python3):2025-07-23-03:47:59.070.463 [a.cc:1] [2717290][x] no");
    QTest::newRow("torch_npu") << QByteArray("[ERROR] 2025-04-27-09:26:08 (PID:9334, Device:1, RankID:1) E")
                               << QByteArray("[ERROR] 2025-04-27-09:26:09 (PID:9335, Device:2, RankID:2) E");
    QTest::newRow("torch's rank") << QByteArray("[rank0]: RuntimeError: no")
                                  << QByteArray("[rank13]: RuntimeError: no");
    QTest::newRow("Python") << QByteArray("2025-04-07 15:34:27,308 - INFO - step 1")
                            << QByteArray("2025-04-07 15:34:27,409 - INFO - step 1");
}

void TestLogLineHead::linesOfTwoRanksAreAlikeButForWhatIsTheirs()
{
    QFETCH(QByteArray, one);
    QFETCH(QByteArray, other);
    QCOMPARE(bare(one), bare(other));
    QVERIFY(bare(one) != one);
}

void TestLogLineHead::differentLinesStayDifferent()
{
    QCOMPARE(bare("step 1"), QByteArray("step 1"));
    QCOMPARE(bare("[ERROR] HCCL(2717288,python):2025-07-23-03:47:57.070.463 12717288 2717288"),
             QByteArray("[ERROR] HCCL(__):_ 12717288 _"));
}

void TestLogLineHead::aContinuationIsAsTheLineBeforeIt()
{
    LogLineReader reader;
    QCOMPARE(reader.read("starting").severity, LogSeverity::None);
    QVERIFY(!reader.read("starting").time);
    const LogLineReader::Line error =
        reader.read("[ERROR] ME(130371:2,MainProcess):2024-12-26-14:22:26.839.923 [a.py:2] failed:");
    const LogLineReader::Line next = reader.read("  the table is wrong");
    QCOMPARE(next.severity, LogSeverity::Error);
    QCOMPARE(next.time, error.time);
    // A line with a severity alone keeps the time.
    const LogLineReader::Line warning = reader.read("WARNING:root:slow");
    QCOMPARE(warning.severity, LogSeverity::Warning);
    QCOMPARE(warning.time, error.time);
}

void TestLogLineHead::aTracebackIsAnErrorUpToItsException()
{
    for (const QByteArray &before : {QByteArray(), QByteArray("[rank3]: ")}) {
        LogLineReader reader;
        reader.read("2025-04-07 15:34:27,308 - INFO - step 1");
        for (const char *line : {"Traceback (most recent call last):", "  File \"train.py\", line 2, in f",
                                 "    work()", "RuntimeError: no"})
            QCOMPARE(word(reader.read(before + line).severity), "error");
        QCOMPARE(word(reader.read(before + "step 2").severity), "info");
    }
}

void TestLogLineHead::aStampWithoutAYearIsInTheLastOne()
{
    LogLineReader reader(logTimeOf(QDateTime(QDate(2026, 1, 10), QTime(12, 0))));
    QCOMPARE(written(reader.read("[W0110 11:00:00.250000000 a.cpp:28] x").time),
             u"2026-01-10 11:00:00.250000"_s);
    QCOMPARE(written(reader.read("INFO 12-31 23:59:59 a.py:10] x").time), u"2025-12-31 23:59:59.000000"_s);
    reader.read("2024-02-29 10:00:00,000 - INFO - x");
    QCOMPARE(written(reader.read("INFO 02-29 10:00:01 a.py:10] x").time), u"2024-02-29 10:00:01.000000"_s);
    QCOMPARE(reader.read("of it").severity, LogSeverity::Info);
}

void TestLogLineHead::anyBytesAreRead()
{
    quint32 random = 7;
    const QByteArray letters("[]() :-%\x1b\x00\xff"
                             "09IERO,mT",
                             20);
    for (int i = 0; i < 20000; ++i) {
        QByteArray line;
        for (int j = 0; j < 40; ++j) {
            random = random * 1664525 + 1013904223;
            line += letters[int(random >> 16) % letters.size()];
        }
        const LogLineHead head = readLogLineHead(line);
        for (int part = 0; part < head.ownCount; ++part)
            QVERIFY(head.ownParts[size_t(part)].begin + head.ownParts[size_t(part)].size <= line.size());
        QVERIFY(textOfAllRanks(line, head).size() <= line.size() + head.ownCount);
    }
}

void TestLogLineHead::aMomentIsStampedInLocalTime()
{
    const QDateTime moment(QDate(2025, 4, 7), QTime(15, 34, 27, 308));
    QCOMPARE(readLogLineHead("2025-04-07 15:34:27,308 x").time, logTimeOf(moment));
    QCOMPARE(logTimeOf(moment.toUTC()), logTimeOf(moment));
}

} // namespace tst_loglinehead

RANKDECK_TEST(tst_loglinehead, TestLogLineHead)
#include "tst_loglinehead.moc"
