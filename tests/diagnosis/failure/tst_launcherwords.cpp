#include "diagnosis/failure/launcherwords.h"
#include "support/testmain.h"

#include <QTest>

#include <csignal>

namespace tst_launcherwords
{

using namespace rankdeck;

namespace
{

LauncherWords wordsIn(const QByteArray &text)
{
    LauncherWords words;
    for (const QByteArray &line : text.split('\n'))
        words.take(line);
    return words;
}

/// "0 exit code 1, 3 SIGKILL"
QString endsIn(const LauncherWords &words)
{
    QStringList ends;
    for (const auto &[rank, end] : words.ends())
        ends << u"%1 %2"_s.arg(rank).arg(end.status.text());
    return ends.join(u", "_s);
}

/// A failure as torchrun lists it.
QByteArray listed(int rank, int code, const char *time)
{
    return QByteArray("[") + QByteArray::number(rank) + "]:\n  time      : " + time +
           "\n  host      : host-1\n  rank      : " + QByteArray::number(rank) +
           " (local_rank: 1)\n  exitcode  : " + QByteArray::number(code) + " (pid: 7" +
           QByteArray::number(rank) + ")\n  error_file: <N/A>\n";
}

} // namespace

class TestLauncherWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void launchersTellHowRanksEnded_data();
    void launchersTellHowRanksEnded();
    void aSignalBeatsAnExitCodeOfTheSameSeconds_data();
    void aSignalBeatsAnExitCodeOfTheSameSeconds();
    void whereTheRankIsNotToldItIsThePid();
    void whatRanksPrintIsNoWordOfALauncher_data();
    void whatRanksPrintIsNoWordOfALauncher();
};

void TestLauncherWords::launchersTellHowRanksEnded_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("ends");
    QTest::addColumn<int>("first");
    const auto row = [](const char *name, const QByteArray &text, const char *ends, int first) {
        QTest::newRow(name) << text << QString::fromLatin1(ends) << first;
    };
    row("torchrun", "Root Cause (first observed failure):\n" + listed(4, -9, "2023-08-01_01:06:47"),
        "4 SIGKILL", 4);
    row("torchrun, several",
        "Failures:\n" + listed(2, 1, "2023-08-01_01:06:49") + "Root Cause (first observed failure):\n" +
            listed(0, 1, "2023-08-01_01:06:47"),
        "0 exit code 1, 2 exit code 1", 0);
    row("srun", "srun: error: host-2: task 9: Killed", "9 SIGKILL", 9);
    row("srun, several", "srun: error: host-1: tasks 0-1,7: Exited with exit code 3",
        "0 exit code 3, 1 exit code 3, 7 exit code 3", 0);
    row("mpirun",
        "mpirun noticed that process rank 3 with PID 22 on node host-1 exited on signal 9 (Killed).",
        "3 SIGKILL", 3);
    row("mpirun, exit code", "  Process name: [[5130,1],2]\n  Exit code:    3", "2 exit code 3", 2);
    row("Open MPI 5",
        "prterun noticed that process rank 3 with PID 22408 on node vm exited on\nsignal 9 (Killed).",
        "3 SIGKILL", 3);
    row("Open MPI 5, exit code", "   Process name: [prterun-vm-22431@1,2]\n   Exit code:    4",
        "2 exit code 4", 2);
    row("Open MPI 5, MPI_ABORT",
        "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD\n  Proc: [[18137,1],2]\n  Errorcode: "
        "3",
        "2 exit code 3", 2);
    row("MPI_ABORT", "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 7.",
        "1 exit code 7", 1);
    row("the exit code is another's",
        "Process name: [[5130,1],1]\n  Exit code:    3\nsaved\nExit code: 5\nsignal 9 was sent",
        "1 exit code 3", 1);
    row("DeepSpeed",
        "[launch.py:322:sigkill_handler] ['/usr/bin/python', '-u', 'train.py', '--local_rank=1'] exits with "
        "return code = -9",
        "1 SIGKILL", 1);
    row("vLLM",
        "ERROR [multiproc_executor.py:246] Worker proc VllmWorker-3 died unexpectedly (exit code: -11)",
        "3 SIGSEGV", 3);
    row("torch.multiprocessing", "-- Process 2 terminated with the following error:", "2 exit code 1", 2);
    row("torch.multiprocessing, signal",
        "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL",
        "1 SIGKILL", 1);
}

void TestLauncherWords::launchersTellHowRanksEnded()
{
    QFETCH(QByteArray, text);
    const LauncherWords words = wordsIn(text);
    QTEST(endsIn(words), "ends");
    QTEST(words.first().value_or(-1), "first");
    QVERIFY(!words.isEmpty());
}

void TestLauncherWords::aSignalBeatsAnExitCodeOfTheSameSeconds_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("time");
    QTest::addColumn<int>("first");
    QTest::newRow("killed in the same second") << -9 << QByteArray("2023-08-01_01:06:47") << 3;
    QTest::newRow("killed long after") << -9 << QByteArray("2023-08-01_01:08:47") << 0;
    QTest::newRow("asked to end") << -15 << QByteArray("2023-08-01_01:06:47") << 0;
    QTest::newRow("another exit code") << 2 << QByteArray("2023-08-01_01:06:47") << 0;
}

void TestLauncherWords::aSignalBeatsAnExitCodeOfTheSameSeconds()
{
    QFETCH(int, code);
    QFETCH(QByteArray, time);
    const LauncherWords words =
        wordsIn("Failures:\n" + listed(3, code, time.constData()) + "Root Cause (first observed failure):\n" +
                listed(0, 1, "2023-08-01_01:06:47"));
    QTEST(words.first().value_or(-1), "first");
}

void TestLauncherWords::whereTheRankIsNotToldItIsThePid()
{
    const LauncherWords words = wordsIn(
        "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -11) local_rank: 0 (pid: 71) "
        "of binary: /usr/bin/python\n"
        "[ERROR] Worker process 72 exit with exception. Error code: 1");
    QVERIFY(words.ends().empty());
    QCOMPARE(words.endsByPid().at(71).status, (ExitStatus{ExitStatus::Kind::Signalled, SIGSEGV}));
    QCOMPARE(words.endsByPid().at(72).status, (ExitStatus{ExitStatus::Kind::Exited, 1}));
    QVERIFY(!words.first());
}

void TestLauncherWords::whatRanksPrintIsNoWordOfALauncher_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line : {"RuntimeError: boom", "rank 3 exited", "step 3, loss 1.5", "task 9: Killed",
                             "DistributedRuntimeError: peer lost (retrying)", ""})
        QTest::newRow(line) << QByteArray(line);
}

void TestLauncherWords::whatRanksPrintIsNoWordOfALauncher()
{
    QFETCH(QByteArray, line);
    LauncherWords words;
    QVERIFY(!words.take(line));
    QVERIFY(words.isEmpty());
}

} // namespace tst_launcherwords

RANKDECK_TEST(tst_launcherwords, TestLauncherWords)
#include "tst_launcherwords.moc"
