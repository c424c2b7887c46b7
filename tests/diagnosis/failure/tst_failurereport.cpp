#include "diagnosis/failure/failurereport.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "sdk/distributedruntimeerror.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace tst_failurereport
{

using namespace rankdeck;

class FailureReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitStatusesAreSaidInWords_data();
    void exitStatusesAreSaidInWords();
    void theTailOfTheLogIsPlainText();
    void theTailIsBoundedHoweverLongTheLog();
    void aLogThatIsNotThereGivesNoTail();
    void theErrorReadsWellInATerminal();
    void aKnownErrorIsExplained();
    void whatRankdeckSaysItselfIsNoKnownError();
    void theAdviceOfAMessageIsFound_data();
    void theAdviceOfAMessageIsFound();
    void aRunThatFailedWithoutARankSaysWhy();
    void aFailedHookIsToldWithItsLog();

private:
    static LaunchPlan planWithLog(const QString &log)
    {
        LaunchPlan plan;
        plan.processes.resize(4);
        plan.processes[3].rank = Rank(3);
        plan.processes[3].device = DeviceId(3);
        plan.processes[3].node = u"10.0.0.1"_s;
        plan.processes[3].logFile = log;
        return plan;
    }
};

void FailureReportTest::exitStatusesAreSaidInWords_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, ExitStatus::Kind kind, int number, const char *expected) {
        QTest::newRow(name) << static_cast<int>(kind) << number << QString::fromLatin1(expected);
    };
    row("exit code", ExitStatus::Kind::Exited, 3, "exit code 3");
    row("success", ExitStatus::Kind::Exited, 0, "succeeded");
    row("126", ExitStatus::Kind::Exited, 126, "may not be executed");
    row("127", ExitStatus::Kind::Exited, 127, "not found");
    row("a shell's signal", ExitStatus::Kind::Exited, 139, "SIGSEGV");
    row("killed", ExitStatus::Kind::Signalled, SIGKILL, "out of memory");
    row("bus error", ExitStatus::Kind::Signalled, SIGBUS, "/dev/shm");
    row("a rare signal", ExitStatus::Kind::Signalled, SIGUSR1, "SIGUSR1");
    row("not started", ExitStatus::Kind::NotStarted, ENOENT, "could not be started: No such file");
}

void FailureReportTest::exitStatusesAreSaidInWords()
{
    QFETCH(int, kind);
    QFETCH(int, number);
    QFETCH(QString, expected);
    const QString words = describeExit({static_cast<ExitStatus::Kind>(kind), number});
    QVERIFY2(words.contains(expected), qPrintable(words));
}

void FailureReportTest::theTailOfTheLogIsPlainText()
{
    const QTemporaryDir home;
    const QString path = home.filePath(u"log"_s);
    QFile log(path);
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("first\n\x1b[31mred\x1b[0m <b>\xff\0 end\nlast", 31);
    log.close();
    const Failure failure = failureOf(planWithLog(path), 3, 42, {ExitStatus::Kind::Exited, 3}, {});
    QCOMPARE(failure.rank, Rank(3));
    QCOMPARE(failure.pid, 42);
    QCOMPARE(failure.logTail.size(), 3);
    QCOMPARE(failure.logTail[0], u"first"_s);
    QCOMPARE(failure.logTail[1], u"red <b>\ufffd\u2400 end"_s);
}

void FailureReportTest::theTailIsBoundedHoweverLongTheLog()
{
    const QTemporaryDir home;
    const QString path = home.filePath(u"log"_s);
    QFile log(path);
    QVERIFY(log.open(QIODevice::WriteOnly));
    for (int line = 0; line < 100; ++line)
        log.write("line " + QByteArray::number(line) + '\n');
    log.write(QByteArray(1024 * 1024, 'x'));
    log.close();
    const Failure failure = failureOf(planWithLog(path), 3, 42, {ExitStatus::Kind::Exited, 3}, {});
    QVERIFY(failure.logTail.size() <= 40);
    QVERIFY(failure.logTail.join(QString()).size() <= 16 * 1024);
}

void FailureReportTest::aLogThatIsNotThereGivesNoTail()
{
    const Failure failure = failureOf(planWithLog(u"/no/such/log"_s), 3, 0,
                                      {ExitStatus::Kind::NotStarted, ENOENT}, Sentence(u"x: No such file"_s));
    QVERIFY(failure.logTail.isEmpty());
}

void FailureReportTest::theErrorReadsWellInATerminal()
{
    RunState state;
    state.name = u"r"_s;
    state.directory = u"/runs/r"_s;
    state.phase = RunPhase::Failed;
    state.plan = std::make_shared<const LaunchPlan>(planWithLog(u"/logs/3"_s));
    state.ranks.resize(4);
    Failure failure = failureOf(*state.plan, 3, 42, {ExitStatus::Kind::Exited, 3}, {});
    failure.logTail = {u"RuntimeError: boom"_s};
    state.failure = failure;
    const DistributedRuntimeError error(state, diagnose(state));
    const QString what = QString::fromUtf8(error.what());
    QVERIFY(what.startsWith("DistributedRuntimeError: Rank 3 failed first: exit code 3\n"_L1));
    QVERIFY(what.contains("device 3 on 10.0.0.1, pid 42"_L1));
    QVERIFY(what.contains("RuntimeError: boom"_L1));
    QVERIFY(what.contains("/logs/3"_L1));
    QCOMPARE(error.failure().rank, Rank(3));
    QCOMPARE(error.runDirectory(), state.directory);
}

void FailureReportTest::aKnownErrorIsExplained()
{
    const QTemporaryDir config;
    qputenv("XDG_CONFIG_HOME", config.path().toLocal8Bit());
    QLocale::setDefault(QLocale::c());
    RunState state;
    state.plan = std::make_shared<const LaunchPlan>(planWithLog(u"/logs/3"_s));
    state.ranks.resize(4);
    Failure failure = failureOf(*state.plan, 3, 42, {ExitStatus::Kind::Exited, 1}, {});
    failure.logTail = {u"RuntimeError: NPU out of memory. Tried to allocate 386.00 MiB"_s};
    state.failure = failure;
    const QString what = QString::fromUtf8(DistributedRuntimeError(state, diagnose(state)).what());
    for (const char *part : {"Known error torch_npu-out-of-memory: The NPU ran out of memory\n",
                             "\nLower the batch size or sequence length", "\n    npu-smi info\n"})
        QVERIFY2(what.contains(QLatin1String(part)), qPrintable(what));

    // What is wrong with the user's own catalogue is said, and the rest is used.
    QVERIFY(QDir(config.path()).mkpath(u"rankdeck"_s));
    QFile own(config.filePath(u"rankdeck/errors.json"_s));
    QVERIFY(own.open(QIODevice::WriteOnly) && own.write("{") > 0);
    own.close();
    const QString report = verdictText(diagnose(state), state);
    QVERIFY(report.contains("Known error torch_npu-out-of-memory"_L1));
    QVERIFY(report.contains(own.fileName() + ": this is not an error catalogue"_L1));
}

void FailureReportTest::whatRankdeckSaysItselfIsNoKnownError()
{
    QLocale::setDefault(QLocale::c());
    const QString quoted = u"train.py: No such file or directory"_s;
    Failure failure;
    failure.logTail = {quoted};
    QVERIFY(explainFailure(failure, ErrorCatalogue::load(), QLocale()).isKnown()); // Of a hook, say.
    failure.logTail.clear();
    failure.reason = Sentence(quoted);
    QVERIFY(!explainFailure(failure, ErrorCatalogue::load(), QLocale()).isKnown());
    failure.rank = Rank(0);
    QVERIFY(explainFailure(failure, ErrorCatalogue::load(), QLocale())
                .isKnown()); // What the rank wrote in its error.json.
    failure.status = {ExitStatus::Kind::NotStarted, ENOENT};
    QVERIFY(!explainFailure(failure, ErrorCatalogue::load(), QLocale()).isKnown());
}

void FailureReportTest::theAdviceOfAMessageIsFound_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("advice");
    QTest::newRow("a sentence of its own")
        << u"NotImplementedError: 'gkd' needs one group. Please set --sequence_parallel_size to 1."_s
        << u"Please set --sequence_parallel_size to 1."_s;
    QTest::newRow("behind a comma")
        << u"ValueError: the cache is too small, try to increase it to 0.9 GB or more"_s
        << u"try to increase it to 0.9 GB or more"_s;
    QTest::newRow("with a number of a version")
        << u"ImportError: too old. Install flash-attn 2.3 or newer (see README). Bye."_s
        << u"Install flash-attn 2.3 or newer (see README)."_s;
    QTest::newRow("Chinese") << u"配置错误，请检查 rank_table_file。之后再试"_s
                             << u"请检查 rank_table_file"_s;
    QTest::newRow("a request to report it is no advice")
        << u"RuntimeError: no. Please report this to the developers."_s << QString();
    QTest::newRow("none") << u"ValueError: the run is set to use 3 cards"_s << QString();
    QTest::newRow("no text") << QString() << QString();
}

void FailureReportTest::theAdviceOfAMessageIsFound()
{
    QFETCH(QString, message);
    QTEST(adviceIn(message), "advice");
}

void FailureReportTest::aRunThatFailedWithoutARankSaysWhy()
{
    Failure failure;
    failure.reason = Sentence(u"Lost the agent of n: SIGKILL."_s);
    QCOMPARE(failureTitle(failure), u"The run failed: Lost the agent of n: SIGKILL."_s);
}

void FailureReportTest::aFailedHookIsToldWithItsLog()
{
    const QTemporaryDir home;
    QFile log(home.filePath(u"before.log"_s));
    QVERIFY(log.open(QIODevice::WriteOnly) && log.write("the store is not there\n") > 0);
    log.close();
    LaunchPlan plan = planWithLog({});
    plan.before.resize(1);
    plan.before[0].logFile = log.fileName();
    const Sentence reason(u"A command before the launch failed (exit code 3): fetch."_s);
    RunState state;
    state.plan = std::make_shared<const LaunchPlan>(plan);
    state.failure = failureOfHook(plan, {}, 0, {ExitStatus::Kind::Exited, 3}, reason);
    QCOMPARE(state.failure->status.shellCode(), 3);
    const QString report = verdictText(diagnose(state), state);
    for (const QString &part :
         {reason.text(), log.fileName(), u"the store is not there"_s, u"no process was started"_s})
        QVERIFY2(report.contains(part), qPrintable(report));
}

} // namespace tst_failurereport

RANKDECK_TEST(tst_failurereport, FailureReportTest)
#include "tst_failurereport.moc"
