#include "log/file/logfile.h"
#include "log/file/logsearch.h"
#include "log/growingfile.h"
#include "support/testmain.h"

#include <QTest>

#include <memory>

namespace tst_logsearch
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

std::unique_ptr<LineFinder> finderOf(const LogPattern &pattern)
{
    return std::make_unique<PatternFinder>(LogMatcher::create(pattern).value());
}

/// The line found, or -1.
qint64 search(const LogFile &file, std::unique_ptr<LineFinder> finder, qint64 from, bool backward = false,
              qint64 budget = 1000)
{
    LogSearch search(file, std::move(finder), LineNumber(from), backward);
    for (int steps = 0; steps < 10000000; ++steps) {
        const LogSearch::State state = search.step(file, budget);
        if (state == LogSearch::State::Found)
            return search.line().value;
        if (state == LogSearch::State::NotFound)
            return -1;
    }
    return -2;
}

qint64 search(const LogFile &file, const QString &text, qint64 from, bool backward = false,
              bool caseSensitive = true, qint64 budget = 1000)
{
    return search(file, finderOf({text, false, caseSensitive}), from, backward, budget);
}

qint64 searchRegex(const LogFile &file, const char *text, qint64 from, bool backward = false)
{
    return search(file, finderOf({QString::fromUtf8(text), true, true}), from, backward);
}

void readAll(LogFile &file)
{
    for (bool more = true; more;)
        more = file.poll()->more;
}

} // namespace

class TestLogSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textIsFoundAsItIsShown_data();
    void textIsFoundAsItIsShown();
    void theNextMatchEachWayIsFound();
    void aMatchInTheCutPartOfALineCounts();
    void aMatchAcrossTwoReadsIsFound();
    void progressGrowsToTheEnd();
    void regularExpressionsMatchWithinALine_data();
    void regularExpressionsMatchWithinALine();
    void theNextErrorEachWayIsFound();
};

void TestLogSearch::textIsFoundAsItIsShown_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("caseSensitive");
    QTest::addColumn<bool>("found");
    QTest::newRow("plain") << QByteArray("loss is 0.3") << u"is 0"_s << true << true;
    QTest::newRow("other case") << QByteArray("Traceback") << u"traceBACK"_s << true << false;
    QTest::newRow("other case, folded") << QByteArray("Traceback") << u"traceBACK"_s << false << true;
    QTest::newRow("not a pattern") << QByteArray("abc") << u"a.c"_s << true << false;
    QTest::newRow("Chinese") << QByteArray("训练完成") << u"完成"_s << true << true;
    QTest::newRow("Chinese, folded") << QByteArray("训练完成OK") << u"完成ok"_s << false << true;
    QTest::newRow("letters beyond ASCII") << QByteArray("ÄRGER") << u"ärger"_s << false << true;
    QTest::newRow("across a colour") << QByteArray("\x1B[31mRuntime\x1B[1mError\x1B[0m") << u"RuntimeError"_s
                                     << true << true;
    QTest::newRow("the escape itself") << QByteArray("\x1B[31mred") << u"31m"_s << true << false;
    QTest::newRow("what was overwritten") << QByteArray("10%\r20%") << u"10%"_s << true << false;
    QTest::newRow("what is on top") << QByteArray("10%\r20%") << u"20%"_s << true << true;
    QTest::newRow("picture of NUL") << QByteArray("a\0b", 3) << u"a\u2400b"_s << true << true;
    QTest::newRow("bytes that are not UTF-8") << QByteArray("a\xFF") << u"\uFFFD"_s << true << true;
}

void TestLogSearch::textIsFoundAsItIsShown()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, text);
    QFETCH(bool, caseSensitive);
    QFETCH(bool, found);
    GrowingFile disk;
    disk.append("first\n" + line + "\nlast");
    LogFile file(disk.path());
    readAll(file);
    QCOMPARE(search(file, text, 0, false, caseSensitive), found ? 1 : -1);
    QCOMPARE(search(file, text, 2, true, caseSensitive), found ? 1 : -1);
}

void TestLogSearch::theNextMatchEachWayIsFound()
{
    GrowingFile disk;
    QByteArray bytes;
    for (int i = 0; i < 40000; ++i)
        bytes += "step " + QByteArray::number(i) + (i % 10000 == 5 ? " hit" : "") + '\n';
    disk.append(bytes);
    LogFile file(disk.path());
    readAll(file);
    QVERIFY(file.stretchCount() > 5);
    const QString hit = u"hit"_s;
    QCOMPARE(search(file, hit, 0), 5);
    QCOMPARE(search(file, hit, 5), 5);
    QCOMPARE(search(file, hit, 6), 10005);
    QCOMPARE(search(file, hit, 30006), -1);
    QCOMPARE(search(file, hit, 40000), -1);
    QCOMPARE(search(file, hit, 99999, true), 30005);
    QCOMPARE(search(file, hit, 30005, true), 30005);
    QCOMPARE(search(file, hit, 30004, true), 20005);
    QCOMPARE(search(file, hit, 4, true), -1);
    QCOMPARE(search(file, hit, -1, true), -1);
}

void TestLogSearch::aMatchInTheCutPartOfALineCounts()
{
    GrowingFile disk;
    disk.append("first\n" + QByteArray(5000000, 'x') + "needle" + QByteArray(5000000, 'y') + "\nlast\n");
    LogFile file(disk.path());
    readAll(file);
    QCOMPARE(search(file, u"needle"_s, 0, false, true, 1000000), 1);
    QCOMPARE(search(file, u"needle"_s, 2, true, true, 1000000), 1);
    QCOMPARE(search(file, u"NEEDLE"_s, 0, false, false, 1000000), 1);
    QCOMPARE(search(file, u"last"_s, 0, false, true, 1000000), 2);
    QCOMPARE(search(file, u"first"_s, 2, true, true, 1000000), 0);
}

void TestLogSearch::aMatchAcrossTwoReadsIsFound()
{
    // Every place a read of a long line may end falls inside one of these.
    GrowingFile disk;
    disk.append(QByteArray(1, '.') + QByteArray("0123456789").repeated(400000) + "\n");
    LogFile file(disk.path());
    readAll(file);
    QCOMPARE(search(file, u"9012345678901"_s, 0, false, true, 100000), 0);
    for (const qint64 border : {262144, 1048576, 1310720, 2097152}) {
        GrowingFile other;
        other.append(QByteArray(int(border) - 3, '.') + "needle" + QByteArray(1500000, '.'));
        LogFile otherFile(other.path());
        readAll(otherFile);
        QCOMPARE(search(otherFile, u"needle"_s, 0, false, true, 100000), 0);
    }
}

void TestLogSearch::progressGrowsToTheEnd()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 400000));
    LogFile file(disk.path());
    readAll(file);
    LogSearch search(file, finderOf({u"none of them"_s, false}), LineNumber(0), false);
    int last = -1;
    int steps = 0;
    while (search.step(file, 300000) == LogSearch::State::Running) {
        QVERIFY(search.progress() >= last && search.progress() <= 100);
        last = search.progress();
        ++steps;
    }
    QVERIFY(steps > 5);
    QCOMPARE(search.progress(), 100);
}

void TestLogSearch::regularExpressionsMatchWithinALine_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<qint64>("line"); // The first and only one, or -1.
    QTest::newRow("begin of a line") << QByteArray("^two") << qint64(1);
    QTest::newRow("end of a line") << QByteArray("one$") << qint64(0);
    QTest::newRow("an empty line") << QByteArray("^$") << qint64(2);
    QTest::newRow("a dot takes no line end") << QByteArray("one.two") << qint64(-1);
    QTest::newRow("a class takes none") << QByteArray("one[^x]two") << qint64(-1);
    QTest::newRow("nor a space") << QByteArray("one\\stwo") << qint64(-1);
    QTest::newRow("begin of the text") << QByteArray("\\Afour") << qint64(4);
    QTest::newRow("end of the text") << QByteArray("three\\z") << qint64(3);
    QTest::newRow("either case") << QByteArray("(?i)ERROR") << qint64(5);
    QTest::newRow("its own case") << QByteArray("ERROR") << qint64(-1);
    QTest::newRow("a choice of words") << QByteArray("(nowhere|error): \\d+ of .*GB") << qint64(5);
    QTest::newRow("words of which one is missing") << QByteArray("error: .*nowhere") << qint64(-1);
    QTest::newRow("Chinese") << QByteArray("失败.{2}\\d") << qint64(6);
    QTest::newRow("across a colour") << QByteArray("Runtime\\w+r$") << qint64(7);
    QTest::newRow("nothing but what may be empty") << QByteArray("x*") << qint64(0);
}

void TestLogSearch::regularExpressionsMatchWithinALine()
{
    QFETCH(QByteArray, pattern);
    QFETCH(qint64, line);
    const QByteArray lines = "one\ntwo\n\nthree\nfour\nout of memory error: 3 of 32 GB\n训练失败：第3轮\n";
    const QByteArray coloured = "\x1B[31mRuntime\x1B[1mErr\x1B[0m\n";
    GrowingFile disk;
    disk.append(lines + coloured + "last");
    LogFile file(disk.path());
    readAll(file);
    QCOMPARE(searchRegex(file, pattern.constData(), 0), line);
    // Without the colour all lines are searched at once.
    GrowingFile plain;
    plain.append(lines + "last");
    LogFile plainFile(plain.path());
    readAll(plainFile);
    QCOMPARE(searchRegex(plainFile, pattern.constData(), 0), line == 7 ? -1 : line);
    if (line > 0)
        QCOMPARE(searchRegex(file, pattern.constData(), 7, true), line);
}

void TestLogSearch::theNextErrorEachWayIsFound()
{
    GrowingFile disk;
    const QByteArray steps = numberedLines(0, 20000);
    const QByteArray traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n"
                                 "ValueError: no\n";
    disk.append(steps + traceback + steps + "ERROR:root:failed\n" + traceback + "WARNING:root:late\n");
    LogFile file(disk.path());
    readAll(file);
    const auto findError = [&](qint64 from, bool backward = false) {
        return search(file, std::make_unique<ErrorFinder>(), from, backward);
    };
    QCOMPARE(findError(0), 20000);
    QCOMPARE(findError(20000), 20000);
    QCOMPARE(findError(20001), 40003); // A traceback is one error,
    QCOMPARE(findError(40004), -1);    // and that of a logged one is a part of it.
    QCOMPARE(findError(40008, true), 40003);
    QCOMPARE(findError(40002, true), 20000);
    QCOMPARE(findError(19999, true), -1);
}

} // namespace tst_logsearch

RANKDECK_TEST(tst_logsearch, TestLogSearch)
#include "tst_logsearch.moc"
