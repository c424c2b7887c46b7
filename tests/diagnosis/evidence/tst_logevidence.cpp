#include "base/times.h"
#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/evidence/logevidence.h"
#include "diagnosis/verdict/handmadecase.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

namespace tst_logevidence
{

using namespace rankdeck;

namespace
{

QByteArray glog(const char *severity, int second, const QByteArray &text)
{
    return QByteArray("[") + severity +
           "] ME(4711,7f1c,python):2026-11-22-10:" + QByteArray::number(second / 60).rightJustified(2, '0') +
           ':' + QByteArray::number(second % 60).rightJustified(2, '0') + ".000.000 [train.cc:1] " + text +
           '\n';
}

QByteArray steps(int count)
{
    QByteArray lines;
    for (int step = 0; step < count; ++step)
        lines += "epoch: 1 step: " + QByteArray::number(step) + ", loss is 0.5\n";
    return lines;
}

/// Of the day of glog()'s stamps.
LogTime clockTime(int hours, int minutes, int seconds)
{
    const QDateTime moment = utcTime(QDate(2026, 11, 22), QTime(hours, minutes, seconds));
    return LogTime(moment.toMSecsSinceEpoch() * 1000);
}

long residentKilobytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

class TestLogEvidence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theErrorsOfTheLastTroubleCount_data();
    void theErrorsOfTheLastTroubleCount();
    void aTracebackThatItGotOverIsKeptApart();
    void anErrorIsReadWhole();
    void howAProcessEndedIsNoNewsBehindWhy();
    void whatFollowsAnErrorNamesOthers();
    void anErrorHasTheTimeOfTheLinesBefore();
    void anErrorWithoutAStampHasTheTimeOfItsPlace();
    void whatHcclSaysOfTheRankIsRead();
    void ofManyErrorsTheFirstAndTheLastAreKept();
    void aLineOf100MegabytesTakesLittleMemory();
    void whoCancelsHasWhatWasRead();
    void aLogThatCannotBeReadIsAnError_data();
    void aLogThatCannotBeReadIsAnError();

private:
    QString write(const QByteArray &content)
    {
        QFile file(m_home.filePath(u"worker_0.log"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the log could not be written");
        return file.fileName();
    }
    LogEvidence read(const QByteArray &content) { return readEvidence(write(content), m_catalogue).value(); }

    QTemporaryDir m_home;
    ErrorCatalogue m_catalogue = smallCatalogue();
};

void TestLogEvidence::theErrorsOfTheLastTroubleCount_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("errors");
    QTest::addColumn<int>("survived");
    const auto row = [](const char *name, const QByteArray &log, const QStringList &errors, int survived) {
        QTest::newRow(name) << log << errors << survived;
    };
    const QString value = u"ValueError: no"_s;
    QByteArray calm;
    for (int line = 0; line < 20; ++line)
        calm += glog("INFO", line, "all is well");
    row("none in a log without", steps(100), {}, 0);
    row("none in an empty log", "", {}, 0);
    row("one at the end", steps(100) + "ValueError: no\n", {value}, 0);
    row("one without a line's end", steps(100) + "ValueError: no", {value}, 0);
    row("one with a step behind it", "ValueError: no\n" + steps(1), {value}, 0);
    row("none after which it went on", "ValueError: no\nValueError: again\n" + steps(3), {}, 2);
    row("one before lines of earlier times, whose stream was held in a buffer",
        glog("ERROR", 59, "it broke") + calm + calm,
        {u"[ERROR] ME(4711,7f1c,python):2026-11-22-10:00:59.000.000 [train.cc:1] it broke"_s}, 0);
    row("none after which it was calm for long", "ValueError: no\n" + calm, {}, 1);
    row("the last only", "ValueError: no\n" + steps(3) + "ValueError: at last\n", {u"ValueError: at last"_s},
        1);
    row("a severity without an entry", glog("ERROR", 1, "it broke"),
        {u"[ERROR] ME(4711,7f1c,python):2026-11-22-10:00:01.000.000 [train.cc:1] it broke"_s}, 0);
    row("no warning of its own", glog("WARNING", 1, "ValueError: none really"), {}, 0);
    row("a warning that blames others", "[WARNING] EI0006 slow\n", {u"[WARNING] EI0006 slow"_s}, 0);
    row("information that a wait lasts", "[INFO] EI0006 slow\n", {u"[INFO] EI0006 slow"_s}, 0);
    row("no word in a line of information", "[INFO] the last Error was long ago\n", {}, 0);
    row("no word in the middle of a line", "we had an Error here\n", {}, 0);
    row("one in GBK", "\xb7\xa2\xc9\xfa\xb4\xed\xce\xf3 EI0005\n", {u"发生错误 EI0005"_s}, 0);
    row("one with bytes that are no text", "ValueError: \xff\xfe\n", {u"ValueError: \uFFFD\uFFFD"_s}, 0);
    row("one with a zero byte", QByteArray("ValueError: a\0b\n", 16), {u"ValueError: a\u2400b"_s}, 0);
    row("one in colour", "\x1b[31mValueError\x1b[0m: no\n", {value}, 0);
    row("one behind a rank", "[rank3]: ValueError: no\n", {value}, 0);
    row("one behind bars", "\r 10%|#| 1/10\r 20%|##| 2/10\rValueError: no\n", {value}, 0);
    row("none in bars", "\r 10%|#| 1/10 [00:01<00:09]\r 20%|##| 2/10 [00:02<00:08]\r\n", {}, 0);
    row("none before bars that went on",
        "ValueError: no\n 10%|#| 1/10 [00:01<00:09, 1.00it/s]\n 20%|##| 2/10 [00:02<00:08, 1.00it/s]\n", {},
        1);
    row("none in what a rank says that is ended with the others",
        "TBE Subprocess[task_distribute] raise error[], main process disappeared!\n"
        "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Terminated.\n"
        "AssertionError: can only test a child process\n"
        "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pymp-x7d0k2'\n"
        "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.\n",
        {}, 0);
    row("one of a data loader's worker that something else killed",
        "ValueError: DataLoader worker (pid 4711) is killed by signal: Killed.\n",
        {u"ValueError: DataLoader worker (pid 4711) is killed by signal: Killed."_s}, 0);
    row("one in a line of Windows", "ValueError: no\r\n", {value}, 0);
}

void TestLogEvidence::theErrorsOfTheLastTroubleCount()
{
    QFETCH(QByteArray, log);
    QFETCH(QStringList, errors);
    QFETCH(int, survived);
    const LogEvidence evidence = read(log);
    QStringList found;
    for (const ErrorLine &error : evidence.errors)
        found << error.text;
    QCOMPARE(found, errors);
    QCOMPARE(int(evidence.survived), survived);
    QCOMPARE(int(evidence.errorCount), int(errors.size()));
    QCOMPARE(evidence.bytes, qint64(log.size()));
}

void TestLogEvidence::aTracebackThatItGotOverIsKeptApart()
{
    const LogEvidence got = read(
        "Traceback (most recent call last):\n  File \"t.py\", line 1, in f\nValueError: no\n" + steps(3));
    QVERIFY(got.errors.empty() && got.traces.empty());
    QCOMPARE(got.survivedErrors.size(), std::size_t(1));
    QCOMPARE(got.survivedTraces.front().exception, u"ValueError: no"_s);
}

void TestLogEvidence::anErrorIsReadWhole()
{
    const LogEvidence evidence = read(
        steps(2) +
        glog("ERROR", 5, "EI0006 remote rank [3] timeout, tag[AllReduce_10.0.0.1], SeqNum=77 ValueError"));
    QCOMPARE(evidence.errors.size(), 1U);
    const ErrorLine &error = evidence.errors.front();
    QCOMPARE(error.file, m_home.filePath(u"worker_0.log"_s));
    QCOMPARE(error.line, LineNumber(2));
    QCOMPARE(error.entryId, u"hccl-EI0006"_s);
    QCOMPARE(error.weight, 50);
    QCOMPARE(error.layer, Layer::Wait);
    QCOMPARE(error.peers.ranks, std::vector{3});
    QCOMPARE(error.operationName, u"AllReduce"_s);
    QCOMPARE(error.operation, std::optional<qint64>(77));
    QCOMPARE(error.time, std::optional(clockTime(10, 0, 5)));
    QVERIFY(!error.isWarning);
    QCOMPARE(evidence.pids, std::set<qint64>{4711});
    QCOMPARE(evidence.lines, 3);
    // Without an entry its words say whether it waited.
    QCOMPARE(read("[ERROR] it timed out\n").errors.front().layer, Layer::Wait);
    QCOMPARE(read("[ERROR] it broke\n").errors.front().layer, Layer::Wrapper);
    QVERIFY(read("[WARNING] EI0006\n").errors.front().isWarning);
    const LogEvidence longer = read("ValueError: " + QByteArray(100'000, 'x') + '\n');
    QCOMPARE(longer.errors.front().text.size(), qsizetype(ErrorLine::mostText));
}

void TestLogEvidence::howAProcessEndedIsNoNewsBehindWhy()
{
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    const auto layerOf = [&](const QByteArray &log) {
        return readEvidence(write(log), catalogue).value().errors.back().layer;
    };
    QCOMPARE(layerOf("Killed\n"), Layer::Own);
    QCOMPARE(layerOf("ValueError: no\nKilled\n"), Layer::Consequence);
    QCOMPARE(layerOf("[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(\nKilled\n"),
             Layer::Consequence);
    QCOMPARE(layerOf("RuntimeError: Connection closed by peer\nKilled\n"), Layer::Own);
}

void TestLogEvidence::whatFollowsAnErrorNamesOthers()
{
    const LogEvidence evidence =
        read("[ERROR] EI0006 timeout\n   the peers: remote rank [3]\n   Failed to connect agent[5,]\n" +
             glog("INFO", 1, "remote rank [6]"));
    QCOMPARE(evidence.errors.size(), 1U);
    QCOMPARE(evidence.errors.front().peers.ranks, (std::vector{3, 5}));
}

void TestLogEvidence::anErrorHasTheTimeOfTheLinesBefore()
{
    const LogEvidence evidence = read(glog("INFO", 1, "begin") + steps(5) + glog("INFO", 7, "go") + steps(5) +
                                      "ValueError: no\n" + glog("INFO", 9, "end"));
    QCOMPARE(evidence.errors.front().time, std::optional(clockTime(10, 0, 7)));
    QCOMPARE(evidence.firstTime, std::optional(clockTime(10, 0, 1)));
    QCOMPARE(evidence.lastTime, std::optional(clockTime(10, 0, 9)));
}

void TestLogEvidence::anErrorWithoutAStampHasTheTimeOfItsPlace()
{
    const QString path = write(steps(5) + "ValueError: no\n");
    const qint64 size = QFile(path).size();
    const auto evidence =
        readEvidence(path, m_catalogue, [](ByteOffset at) { return std::optional(LogTime(at.value)); });
    QVERIFY(evidence);
    // Up to its end, with or without the line's own.
    QVERIFY(std::abs(evidence->errors.front().time.value().value - size) <= 1);
    QVERIFY(!evidence->firstTime);
}

void TestLogEvidence::whatHcclSaysOfTheRankIsRead()
{
    const LogEvidence evidence =
        read("[INFO] Entry-HcclCommInitRootInfo: ranks[8], rank[3], rootinfo: host ip[10.0.0.1] port[60000], "
             "deviceLogicId[2]\n"
             "[INFO] HCCL_CONNECT_TIMEOUT set by environment to [300]s\n"
             "[INFO] alive node num: (3/16)\n"
             "[INFO] Local Information: server 10.0.0.2, device ID 2\n");
    QCOMPARE(evidence.facts.rank, std::optional(3));
    QCOMPARE(evidence.facts.device, std::optional(2));
    QCOMPARE(evidence.facts.server, QByteArray("10.0.0.2"));
    QCOMPARE(evidence.facts.rootServer, QByteArray("10.0.0.1"));
    QCOMPARE(evidence.facts.worldSize, std::optional(16));
    QCOMPARE(evidence.facts.connectTimeout, std::optional(300));
    QCOMPARE(
        read("[ERROR] acltdtSendTensor: [Push][Data]failed to send, tdt result = -1, device is 3, name is "
             "1393be34\n")
            .facts.device,
        std::optional(3));
    const LogEvidence hostile =
        read("[INFO] Entry-HcclCommInitRootInfo: ranks[99999999999], rank[99999999999]\n");
    QVERIFY(!hostile.facts.rank);
    QVERIFY(!hostile.facts.worldSize);
}

void TestLogEvidence::ofManyErrorsTheFirstAndTheLastAreKept()
{
    QByteArray log;
    for (int error = 0; error < 1000; ++error)
        log += "ValueError: " + QByteArray::number(error) + '\n';
    const LogEvidence evidence = read(log);
    QCOMPARE(evidence.errors.size(), LogEvidence::mostErrors);
    QCOMPARE(evidence.errorCount, 1000);
    QCOMPARE(evidence.errors.front().text, u"ValueError: 0"_s);
    QCOMPARE(evidence.errors[LogEvidence::mostErrors / 2 - 1].text, u"ValueError: 99"_s);
    QCOMPARE(evidence.errors.back().text, u"ValueError: 999"_s);
}

void TestLogEvidence::aLineOf100MegabytesTakesLittleMemory()
{
    constexpr qint64 bytes = 100'000'000;
    QFile file(m_home.filePath(u"long.log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("ValueError: ");
    const QByteArray block(1'000'000, 'x');
    while (file.size() < bytes)
        QCOMPARE(file.write(block), block.size());
    file.write("\nValueError: the last\n");
    file.close();
    read("ValueError: so that all is there that the first log needs\n");
    const long before = residentKilobytes();
    const auto evidence = readEvidence(file.fileName(), m_catalogue);
    QVERIFY(residentKilobytes() - before < 30'000);
    QVERIFY(evidence);
    QCOMPARE(evidence->lines, 2);
    QCOMPARE(evidence->errors.size(), 2U);
    QCOMPARE(evidence->errors.back().text, u"ValueError: the last"_s);
    QCOMPARE(evidence->errors.back().line, LineNumber(1));
}

void TestLogEvidence::whoCancelsHasWhatWasRead()
{
    const QString path =
        write("ValueError: early\n" + steps(1) + QByteArray(200'000, '\n') + "ValueError: late\n");
    int questions = 0;
    const auto evidence = readEvidence(path, m_catalogue, {}, [&] { return ++questions == 2; });
    QVERIFY(evidence);
    QCOMPARE(questions, 2);
    QCOMPARE(evidence->errors.size(), 1U);
    QCOMPARE(evidence->errors.front().text, u"ValueError: early"_s);
    QVERIFY(evidence->lines < 100'000);
}

void TestLogEvidence::aLogThatCannotBeReadIsAnError_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("not there") << u"worker_9.log"_s;
    QTest::newRow("a folder") << u"."_s;
}

void TestLogEvidence::aLogThatCannotBeReadIsAnError()
{
    QFETCH(QString, name);
    const QString path = m_home.filePath(name);
    const auto evidence = readEvidence(path, m_catalogue);
    QVERIFY(!evidence);
    QCOMPARE(evidence.error().where, path);
    QVERIFY(evidence.error().what.startsWith("cannot be read"_L1));
}

} // namespace tst_logevidence

RANKDECK_TEST(tst_logevidence, TestLogEvidence)
#include "tst_logevidence.moc"
