#include "diagnosis/logdirectory/foundlogs.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "support/recordedrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <memory>

namespace tst_logdirectory
{

using namespace rankdeck;

namespace
{

const QByteArray boom = "Traceback (most recent call last):\n"
                        "  File \"train.py\", line 7, in <module>\n"
                        "    main()\n"
                        "RuntimeError: boom\n";

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(' '_L1, Qt::SkipEmptyParts);
}

QStringList namesOf(const LaunchPlan &plan)
{
    QStringList names;
    for (const ProcessPlan &process : plan.processes)
        names << process.label();
    return names;
}

} // namespace

/// Directories of logs in the forms that msrun, davincirun and torchrun document.
class LogDirectoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void namesSayTheLauncherAndTheRanks_data();
    void namesSayTheLauncherAndTheRanks();
    void mindSporesOwnNumbersAreTheRanks();
    void numbersInPathsAreRanks_data();
    void numbersInPathsAreRanks();
    void oneTerminalsLogHoldsAllRanks_data();
    void oneTerminalsLogHoldsAllRanks();
    void ranksOfOneLogHaveTheirLinesAlone();
    void aLaunchersOwnLogTellsHowRanksEnded();
    void whatIsThereOfOtherLaunchesIsSaid_data();
    void whatIsThereOfOtherLaunchesIsSaid();
    void ofAttemptsThatFailedTheFirstIsShown();
    void bothPlogsOfAProcessAreOneLog();
    void plogsWithoutRanksAreNamedByPid();
    void streamsAndErrorFilesOfTorchrunBelongToTheirRank();
    void linksAreNotFollowed();
    void withoutLogsItIsOneSentence();
    void aRunOfOursIsToBeOpenedAsARun();
    void theErrorAtTheEndOfALogIsRead_data();
    void theErrorAtTheEndOfALogIsRead();
    void anErrorThatTheRankGotOverIsNone();
    void theRankThatWroteItsErrorFirstFailedFirst();
    void anErrorFileCountsMoreThanTheLog();
    void withoutTimesTheLogThatEndedFirstCounts();
    void aLogThatGrowsIsBeingWritten();
    void ranksThatComeLaterAreFound();
    void aHugeLogIsReadFromItsEnd();
    void nothingIsWrittenThere();

private:
    QString path(const QString &name) const { return m_home->path("logs/") + name; }
    /// A log that was written `age` seconds ago.
    void write(const QString &name, const QByteArray &text = "step 1\n", int age = 3600) const
    {
        QFile file(path(name));
        if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::WriteOnly | QIODevice::Append) ||
            file.write(text) != text.size() || !file.flush() ||
            !file.setFileTime(QDateTime::currentDateTime().addSecs(-age), QFileDevice::FileModificationTime))
            qFatal("%s cannot be written", qPrintable(name));
    }
    RunState opened() const
    {
        const auto state = LogDirectory(m_home->path("logs")).open();
        if (!state)
            qWarning("%s", qPrintable(state.error().sentence()));
        return state ? *state : RunState();
    }

    std::unique_ptr<TestHome> m_home;
};

void LogDirectoryTest::namesSayTheLauncherAndTheRanks_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QStringList>("processes");
    const auto row = [](const char *name, const char *files, const char *launcher, const char *processes) {
        QTest::newRow(name) << words(files) << QString::fromLatin1(launcher) << words(processes);
    };
    row("msrun", "scheduler.log worker_0.log worker_1.log analysis.txt", "msrun",
        "scheduler proc-rank-0 proc-rank-1");
    row("msrun, another node", "worker_8.log worker_10.log", "msrun", "proc-rank-8 proc-rank-10");
    row("msrun --worker_log_name", "scheduler.log 10.0.0.1_host_0.log 10.0.0.1_host_1.log", "msrun",
        "scheduler proc-rank-0 proc-rank-1");
    row("davincirun", "job-1-proc-rank-8-device-0.txt job-1-proc-rank-9-device-1.txt job-1/plog.txt",
        "davincirun", "proc-rank-8-device-0 proc-rank-9-device-1");
    row("torchrun's --log_dir",
        "none_x1y2/attempt_0/0/stdout.log none_x1y2/attempt_0/1/stdout.log none_x1y2/attempt_0/1/error.json",
        "torchrun", "proc-rank-0 proc-rank-1");
    row("one launch of torchrun", "attempt_0/0/stderr.log attempt_0/1/stderr.log", "torchrun",
        "proc-rank-0 proc-rank-1");
    row("start_processes", "0/stdout.log 0/stderr.log 1/stderr.log", "torchrun", "proc-rank-0 proc-rank-1");
    row("streams together", "rank-0.log rank-1.log", "torchrun", "proc-rank-0 proc-rank-1");
}

void LogDirectoryTest::namesSayTheLauncherAndTheRanks()
{
    QFETCH(QStringList, files);
    for (const QString &file : std::as_const(files))
        write(file);
    const auto plan = findLogs(m_home->path("logs"));
    QVERIFY2(plan, qPrintable(plan ? QString() : plan.error().sentence()));
    QTEST(plan->launcher, "launcher");
    QTEST(namesOf(*plan), "processes");
    QVERIFY(plan->notes.isEmpty());
    for (const ProcessPlan &process : plan->processes)
        QVERIFY2(QFileInfo(process.logFile).isFile(), qPrintable(process.logFile));
}

void LogDirectoryTest::mindSporesOwnNumbersAreTheRanks()
{
    const QByteArray told = "cluster_context.cc:305] BuildCluster] This node 5 rank id: ";
    write(u"worker_0.log"_s, told + "5\nstep 1\n");
    write(u"worker_1.log"_s, told + "9\n" + told + "4\nstep 1\n");
    const auto state = LogDirectory(path({})).open();
    QVERIFY(state);
    const std::vector<ProcessPlan> &processes = state->plan->processes;
    QCOMPARE(processes[0].rank, Rank(5));
    QCOMPARE(processes[0].startedAs, 0);
    QCOMPARE(processes[1].rank, Rank(4));
    // Two with the same rank are of two launches.
    write(u"worker_2.log"_s, told + "4\nstep 1\n");
    const auto other = LogDirectory(path({})).open();
    QVERIFY(other);
    QCOMPARE(other->plan->processes[1].rank, Rank(1));
}

void LogDirectoryTest::numbersInPathsAreRanks_data()
{
    QTest::addColumn<QStringList>("files");
    const auto row = [](const char *name, const char *files) {
        QTest::newRow(name) << words(files);
    };
    row("rank_N.log", "rank_0.log rank_1.log rank_10.log train.log");
    row("mindformers", "rank_0/info.log rank_0/error.log rank_1/info.log rank_1/error.log rank_10/info.log");
    row("train_parallelN", "train_parallel0/log train_parallel1/log train_parallel10/log");
    row("deviceN", "device0/train.log device1/train.log device10/train.log");
    row("logN.log", "log0.log log1.log log10.log");
    row("slurm", "slurm-4711_0.out slurm-4711_1.out slurm-4711_10.out");
    row("mpirun", "1/rank.0/stdout 1/rank.0/stderr 1/rank.1/stdout 1/rank.10/stdout");
    row("mpirun, padded", "1/rank.00/stdout 1/rank.01/stdout 1/rank.10/stdout");
    row("stdout.N", "stdout.0 stdout.1 stdout.10");
    row("N.out", "0.out 1.out 10.out");
    row("proc-N", "proc-0.txt proc-1.txt proc-10.txt");
    row("names with a date", "train_20251118_rank0.log train_20251118_rank1.log train_20251118_rank10.log");
    row("two nodes", "node0/rank_0.log node0/rank_1.log node1/rank_10.log");
}

void LogDirectoryTest::numbersInPathsAreRanks()
{
    QFETCH(QStringList, files);
    for (const QString &file : std::as_const(files))
        write(file);
    const auto plan = findLogs(m_home->path("logs"));
    QVERIFY2(plan, qPrintable(plan ? QString() : plan.error().sentence()));
    QCOMPARE(namesOf(*plan), words("proc-rank-0 proc-rank-1 proc-rank-10"));
    for (const ProcessPlan &process : plan->processes)
        QVERIFY2(QFileInfo(process.logFile).isFile(), qPrintable(process.logFile));
}

void LogDirectoryTest::oneTerminalsLogHoldsAllRanks_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("ranks");
    QTest::newRow("torch") << QByteArray("start\n[rank0]: a\n[rank3]: b\n") << "0 3";
    QTest::newRow("torchrun --tee") << QByteArray("[default0]:a\n[default1]:b\n") << "0 1";
    QTest::newRow("srun --label") << QByteArray("0: a\n1: a\n1: b\n") << "0 1";
    QTest::newRow("footer alone") << QByteArray("boom\nsrun: error: host-2: task 9: Killed\n") << "9";
    QTest::newRow("not split") << QByteArray("start\n") + boom << "";
}

void LogDirectoryTest::oneTerminalsLogHoldsAllRanks()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, ranks);
    write(u"train.log"_s, text);
    for (const QString &place : {m_home->path("logs"), path(u"train.log"_s)}) {
        const auto plan = findLogs(place);
        QVERIFY2(plan, qPrintable(plan ? QString() : plan.error().sentence()));
        QCOMPARE(plan->processes.front().role, Role::Console);
        QStringList found;
        for (std::size_t at = 1; at < plan->processes.size(); ++at) {
            found << QString::number(plan->processes[at].rank.value);
            QCOMPARE(plan->processes[at].logFile, path(u"train.log"_s));
        }
        QCOMPARE(found.join(' '_L1), ranks);
        QCOMPARE(textsOf(plan->notes).last().contains("one log, unknown rank"_L1), !text.contains("a\n"));
    }
}

void LogDirectoryTest::ranksOfOneLogHaveTheirLinesAlone()
{
    const auto linesOf = [](const LogDirectory &logs, std::size_t process) {
        QFile file(logs.state().plan->processes[process].logFile);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("-");
    };
    write(u"train.log"_s, "start\n[rank0]: a\n\x1b[31m[rank1]: b\x1b[0m\n[rank1]: unfin");
    QString copy;
    {
        LogDirectory logs(path(u"train.log"_s), LogDirectory::Show::Split);
        QVERIFY(logs.open());
        QCOMPARE(linesOf(logs, 1), QByteArray("a\n"));
        QCOMPARE(linesOf(logs, 2), QByteArray("b\nunfin"));
        copy = logs.state().plan->processes[2].logFile;
        QCOMPARE(QFileInfo(QFileInfo(copy).path()).permissions() & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        write(u"train.log"_s, "ished\n[rank0]: c\n");
        logs.update();
        QCOMPARE(linesOf(logs, 1), QByteArray("a\nc\n"));
        QCOMPARE(linesOf(logs, 2), QByteArray("b\nunfinished\n"));
        QFile whole(path(u"train.log"_s));
        QVERIFY(whole.open(QIODevice::WriteOnly | QIODevice::Truncate));
        whole.write("[rank0]: again\n[rank1]: d\n");
        whole.close();
        logs.update();
        QCOMPARE(linesOf(logs, 1), QByteArray("again\n"));
    }
    QVERIFY(!QFileInfo::exists(copy));
}

void LogDirectoryTest::aLaunchersOwnLogTellsHowRanksEnded()
{
    write(u"rank_0.log"_s);
    write(u"rank_1.log"_s);
    write(u"launch.out"_s, "srun: error: host-1: task 1: Killed\n");
    const RunState state = opened();
    QCOMPARE(namesOf(*state.plan).size(), 3);
    QCOMPARE(state.ranks[0].phase, RankPhase::Unknown);
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
    QCOMPARE(state.ranks[1].status->text(), u"SIGKILL"_s);
}

void LogDirectoryTest::whatIsThereOfOtherLaunchesIsSaid_data()
{
    QTest::addColumn<QString>("older");
    QTest::addColumn<QString>("newer");
    QTest::addColumn<QString>("note");
    QTest::newRow("davincirun") << "b-proc-rank-0-device-0.txt"
                                << "a-proc-rank-0-device-0.txt"
                                << "Shows job a, the latest. The directory also holds logs of other jobs: b.";
    QTest::newRow("attempts")
        << "attempt_2/0/stdout.log"
        << "attempt_10/0/stdout.log"
        << "Shows attempt 10. There are logs of 2 attempts; open the folder of another one for its logs.";
}

void LogDirectoryTest::whatIsThereOfOtherLaunchesIsSaid()
{
    QFETCH(QString, older);
    QFETCH(QString, newer);
    write(older, "step 1\n", 7200);
    write(newer, "step 1\n", 3600);
    const auto plan = findLogs(m_home->path("logs"));
    QVERIFY(plan);
    QCOMPARE(plan->processes.size(), std::size_t(1));
    QCOMPARE(plan->processes[0].logFile, path(newer));
    QTEST(textsOf(plan->notes).value(0), "note");
}

void LogDirectoryTest::ofAttemptsThatFailedTheFirstIsShown()
{
    const QByteArray first =
        "Traceback (most recent call last):\n  File \"t.py\", line 1\nValueError: first\n";
    write(u"attempt_0/0/stderr.log"_s, "step 1\n");
    write(u"attempt_0/1/stderr.log"_s, first);
    write(u"attempt_1/0/stderr.log"_s, QByteArray(first).replace("first", "cards are held"));
    write(u"attempt_1/1/stderr.log"_s, "step 1\n");
    const QString told = u"Attempt 0 failed: ValueError: first"_s;
    auto plan = findLogs(m_home->path("logs"));
    QVERIFY(plan);
    QCOMPARE(plan->processes[1].logFile, path(u"attempt_0/1/stderr.log"_s));
    QCOMPARE(textsOf(plan->notes).mid(1),
             QStringList({told, u"Attempt 1 failed: ValueError: cards are held"_s}));

    QVERIFY(QFile::remove(path(u"attempt_1/0/stderr.log"_s)));
    write(u"attempt_1/0/stderr.log"_s, "step 2\n");
    plan = findLogs(m_home->path("logs"));
    QCOMPARE(plan->processes[1].logFile, path(u"attempt_1/1/stderr.log"_s));
    QCOMPARE(textsOf(plan->notes).mid(1), QStringList(told));
}

void LogDirectoryTest::bothPlogsOfAProcessAreOneLog()
{
    const auto entry = [](int rank) {
        return "[INFO] HCCL(1,python):2026-07-15-12:45:32.997.682 [op_base.cc:1] "
               "Entry-HcclCommInitRootInfoInner:"
               "ranks[2], rank[" +
               QByteArray::number(rank) + "], rootinfo: host ip[127.10.0.1]\n";
    };
    write(u"debug/plog/plog-4711_20260715124532.log"_s, "[ERROR] no\n", 60);
    write(u"run/plog/plog-4711_20260715124532.log"_s, entry(0), 60);
    write(u"debug/plog/plog-4712_20260715124532.log"_s, "[ERROR] no\n", 60);
    write(u"run/plog/plog-4712_20260715124532.log"_s, entry(1), 60);
    // Of an earlier job.
    write(u"debug/plog/plog-815_20260714124532.log"_s, "[ERROR] no\n", 7200);
    write(u"run/plog/plog-815_20260714124532.log"_s, entry(1), 7200);
    const RunState state = opened();
    QCOMPARE(state.plan->processes.size(), std::size_t(2));
    QCOMPARE(state.plan->processes[1].logFile, path(u"debug/plog/plog-4712_20260715124532.log"_s));
    QCOMPARE(state.ranks[1].pid, 4712);
}

void LogDirectoryTest::plogsWithoutRanksAreNamedByPid()
{
    write(u"debug/plog/plog-4711_20260715124532.log"_s, "[ERROR] no\n");
    write(u"debug/plog/plog-4712_20260715124532.log"_s, "[ERROR] no\n");
    const RunState state = opened();
    QCOMPARE(state.plan->processes.size(), std::size_t(2));
    QCOMPARE(state.plan->processes[0].role, Role::Console);
    QCOMPARE(state.ranks[0].pid, 4711);
}

void LogDirectoryTest::streamsAndErrorFilesOfTorchrunBelongToTheirRank()
{
    write(u"0/stdout.log"_s);
    write(u"0/stderr.log"_s);
    write(u"0/error.json"_s, "{}");
    write(u"1/stderr.log"_s);
    const auto plan = findLogs(m_home->path("logs"));
    QVERIFY(plan);
    QCOMPARE(plan->processes[0].logFile, path(u"0/stdout.log"_s));
    QCOMPARE(plan->processes[0].stderrFile, path(u"0/stderr.log"_s));
    QCOMPARE(plan->processes[0].setVariables.value(QLatin1String(errorFileVariable)),
             path(u"0/error.json"_s));
    QCOMPARE(plan->processes[1].logFile, path(u"1/stderr.log"_s));
    QCOMPARE(plan->processes[1].stderrFile, QString());
}

void LogDirectoryTest::linksAreNotFollowed()
{
    write(u"worker_0.log"_s);
    write(u"../elsewhere/worker_1.log"_s);
    write(u"../elsewhere/stdout.log"_s);
    QVERIFY(QFile::link(m_home->path("elsewhere/worker_1.log"), path(u"worker_1.log"_s)));
    QVERIFY(QFile::link(m_home->path("elsewhere"), path(u"0"_s)));
    const auto plan = findLogs(m_home->path("logs"));
    QVERIFY(plan);
    QCOMPARE(namesOf(*plan), QStringList{u"proc-rank-0"_s});
}

void LogDirectoryTest::withoutLogsItIsOneSentence()
{
    QVERIFY(findLogs(m_home->path("nothing")).error().what.contains("file or directory not found"_L1));
    write(u"train.py"_s);
    write(u"loss.csv"_s);
    QVERIFY(findLogs(m_home->path("logs")).error().what.contains("no logs found"_L1));
}

void LogDirectoryTest::aRunOfOursIsToBeOpenedAsARun()
{
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    const auto state = LogDirectory(run.directory()).open();
    QVERIFY(!state);
    QVERIFY2(state.error().what.contains("run directory"_L1), qPrintable(state.error().sentence()));
}

void LogDirectoryTest::theErrorAtTheEndOfALogIsRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    QTest::addColumn<bool>("dated");
    QTest::newRow("python") << "step 1\n" + boom << "RuntimeError: boom" << false;
    QTest::newRow("the last of two") << "Traceback (most recent call last):\n  x\nKeyError: 1\n\n"
                                        "During handling of the above exception, another occurred:\n\n" +
                                            boom
                                     << "RuntimeError: boom" << false;
    QTest::newRow("torch's prefix") << QByteArray("[rank3]: Traceback (most recent call last):\n"
                                                  "[rank3]:   File \"t.py\", line 1\n"
                                                  "[rank3]: ValueError: bad\n")
                                    << "ValueError: bad" << false;
    QTest::newRow("hccl") << "[ERROR] HCCL(27,python3):2025-07-23-03:47:57.070.463 [s.cc:100] listen fail\n" +
                                 boom + "EI0006: Getting socket times out. Reason: none\n"
                          << "RuntimeError: boom (EI0006: Getting socket times out. Reason: none)" << true;
    QTest::newRow("torch_npu")
        << QByteArray(
               "[ERROR] 2025-08-06-16:15:27 (PID:2228607, Device:0, RankID:-1) ERR00100 PTA call failed\n")
        << "ERR00100 PTA call failed" << true;
    QTest::newRow("critical") << QByteArray(
                                     "[CRITICAL] ME(1,2,py):2024-12-26-14:22:26.839.923 [a.py:2] gone\n")
                              << "[CRITICAL] ME(1,2,py):2024-12-26-14:22:26.839.923 [a.py:2] gone" << true;
    QTest::newRow("crash") << QByteArray("Fatal Python error: Segmentation fault\n\nThread 0x1:\n")
                           << "Fatal Python error: Segmentation fault" << false;
    QTest::newRow("an error line alone")
        << QByteArray("[ERROR] ME(1,2,py):2024-12-26-14:22:26.839.923 [a.py:2] retrying\n") << "" << false;
    QTest::newRow("none") << QByteArray("step 1\nTraceBack (most recent call last):\n") << "" << false;
    QTest::newRow("empty") << QByteArray() << "" << false;
    QTest::newRow("cut off") << QByteArray("Traceback (most recent call last):\n  File \"t.py\", line 1\n")
                             << "File \"t.py\", line 1" << false;
    QTest::newRow("bytes that are no text")
        << QByteArray("\xff\xfe\x1b[31mE\x00\n", 10) + boom << "RuntimeError: boom" << false;
}

void LogDirectoryTest::theErrorAtTheEndOfALogIsRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    QFETCH(bool, dated);
    write(u"worker_0.log"_s, text);
    const auto error = readLoggedError(path(u"worker_0.log"_s));
    QCOMPARE(error.has_value(), !message.isEmpty());
    if (!error)
        return;
    QCOMPARE(error->message, message);
    QCOMPARE(error->time.has_value(), dated);
}

void LogDirectoryTest::anErrorThatTheRankGotOverIsNone()
{
    QByteArray text = boom;
    for (int step = 0; step < 200; ++step)
        text += "step " + QByteArray::number(step) + '\n';
    write(u"worker_0.log"_s, text);
    QVERIFY(!opened().failure);
    QCOMPARE(opened().ranks[0].phase, RankPhase::Unknown);
}

void LogDirectoryTest::theRankThatWroteItsErrorFirstFailedFirst()
{
    const auto errorAt = [](const char *time) {
        return QByteArray("[ERROR] HCCL(27,python3):2025-07-23-03:47:") + time + " [s.cc:100] fail\n" + boom;
    };
    write(u"scheduler.log"_s);
    write(u"worker_0.log"_s, errorAt("57.070.463"), 7200);
    write(u"worker_1.log"_s, errorAt("57.070.462"));
    write(u"worker_2.log"_s);
    const RunState state = opened();
    QVERIFY(state.failure);
    QCOMPARE(state.failure->rank, Rank(1));
    QCOMPARE(state.failure->role, Role::Worker);
    QCOMPARE(state.failure->reason, u"RuntimeError: boom"_s);
    QCOMPARE(state.failure->traceback.size(), 4);
    QCOMPARE(state.failure->logFile, path(u"worker_1.log"_s));
    QCOMPARE(state.failure->status.text(), u"exit code unknown"_s);
    QCOMPARE(state.count(RankPhase::Failed), 2);
    QCOMPARE(state.count(RankPhase::Unknown), 2);
    QCOMPARE(state.phase, RunPhase::Recorded);
    QVERIFY2(state.notes.last().contains("times in their logs decide"_L1), qPrintable(state.notes.last()));
}

void LogDirectoryTest::anErrorFileCountsMoreThanTheLog()
{
    write(u"none_abc/attempt_0/0/stderr.log"_s, boom);
    write(u"none_abc/attempt_0/1/stderr.log"_s, boom, 1800);
    write(u"none_abc/attempt_0/1/error.json"_s,
          R"({"message": {"message": "ValueError: bad", "extraInfo": {"py_callstack": "Traceback\n  x",
              "timestamp": "1600000000"}}})",
          1800);
    const RunState state = opened();
    QVERIFY(state.failure);
    QCOMPARE(state.failure->rank, Rank(1));
    QCOMPARE(state.failure->reason, u"ValueError: bad"_s);
}

void LogDirectoryTest::withoutTimesTheLogThatEndedFirstCounts()
{
    write(u"worker_0.log"_s, boom, 3600);
    write(u"worker_1.log"_s, boom, 3700);
    const RunState state = opened();
    QVERIFY(state.failure);
    QCOMPARE(state.failure->rank, Rank(1));
    QVERIFY2(state.notes.last().contains("its last change counts"_L1), qPrintable(state.notes.last()));
}

void LogDirectoryTest::aLogThatGrowsIsBeingWritten()
{
    write(u"worker_0.log"_s);
    write(u"worker_1.log"_s);
    LogDirectory logs(m_home->path("logs"));
    QVERIFY(logs.open());
    QCOMPARE(logs.state().phase, RunPhase::Recorded);
    QVERIFY(!logs.update());
    const auto plan = logs.state().plan;

    write(u"worker_1.log"_s, "step 2\n", 0);
    QVERIFY(logs.update());
    QCOMPARE(logs.state().phase, RunPhase::Writing);
    QCOMPARE(logs.state().ranks[0].phase, RankPhase::Unknown);
    QCOMPARE(logs.state().ranks[1].phase, RankPhase::Writing);
    QCOMPARE(logs.state().plan, plan);

    write(u"worker_1.log"_s, boom, 0);
    QVERIFY(logs.update());
    QCOMPARE(logs.state().ranks[1].phase, RankPhase::Failed);
    QCOMPARE(logs.state().failure->rank, Rank(1));
}

void LogDirectoryTest::ranksThatComeLaterAreFound()
{
    write(u"worker_0.log"_s);
    LogDirectory logs(m_home->path("logs"));
    QVERIFY(logs.open());
    write(u"worker_1.log"_s);
    QVERIFY(logs.update());
    QCOMPARE(logs.state().ranks.size(), std::size_t(2));
    QVERIFY(QDir(m_home->path("logs")).removeRecursively());
    QVERIFY(!logs.update());
    QCOMPARE(logs.state().ranks.size(), std::size_t(2));
}

void LogDirectoryTest::aHugeLogIsReadFromItsEnd()
{
    write(u"worker_0.log"_s, "step 1\n");
    QFile file(path(u"worker_0.log"_s));
    QVERIFY(file.open(QIODevice::ReadWrite));
    // A hole: 100 GB that nobody could read in time.
    if (!file.resize(100LL * 1000 * 1000 * 1000))
        QSKIP("this file system has no files of 100 GB with holes");
    file.close();
    write(u"worker_0.log"_s, '\n' + boom);
    const RunState state = opened();
    QVERIFY(state.failure);
    QCOMPARE(state.failure->reason, u"RuntimeError: boom"_s);
}

void LogDirectoryTest::nothingIsWrittenThere()
{
    write(u"scheduler.log"_s);
    write(u"worker_0.log"_s, boom);
    const QFileInfo folder(m_home->path("logs"));
    const QDateTime before = folder.lastModified();
    LogDirectory logs(folder.filePath());
    QVERIFY(logs.open());
    logs.update();
    QCOMPARE(QFileInfo(folder.filePath()).lastModified(), before);
    QCOMPARE(QDir(folder.filePath()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden).size(),
             2);
}

} // namespace tst_logdirectory

RANKDECK_TEST(tst_logdirectory, LogDirectoryTest)
#include "tst_logdirectory.moc"
