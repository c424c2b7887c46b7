#include "growingfile.h"
#include "log/logfile.h"
#include "log/logsearch.h"

#include <QTest>

#include <optional>

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

/// The line found, or -1.
qint64 search(const LogFile &file, const QString &text, qint64 from, bool backward = false,
              bool caseSensitive = true, qint64 budget = 1000)
{
    LogSearch search(file, text, LineNumber(from), backward, caseSensitive);
    for (int steps = 0; steps < 10000000; ++steps) {
        const LogSearch::State state = search.step(file, budget);
        if (state == LogSearch::State::Found)
            return search.line().value;
        if (state == LogSearch::State::NotFound)
            return -1;
    }
    return -2;
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
};

void TestLogSearch::textIsFoundAsItIsShown_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("caseSensitive");
    QTest::addColumn<bool>("found");
    QTest::newRow("plain") << QByteArray("loss is 0.3") << QStringLiteral("is 0") << true << true;
    QTest::newRow("other case") << QByteArray("Traceback") << QStringLiteral("traceBACK") << true << false;
    QTest::newRow("other case, folded")
        << QByteArray("Traceback") << QStringLiteral("traceBACK") << false << true;
    QTest::newRow("not a pattern") << QByteArray("abc") << QStringLiteral("a.c") << true << false;
    QTest::newRow("Chinese") << QByteArray("训练完成") << QStringLiteral("完成") << true << true;
    QTest::newRow("Chinese, folded") << QByteArray("训练完成OK") << QStringLiteral("完成ok") << false << true;
    QTest::newRow("letters beyond ASCII") << QByteArray("ÄRGER") << QStringLiteral("ärger") << false << true;
    QTest::newRow("across a colour") << QByteArray("\x1B[31mRuntime\x1B[1mError\x1B[0m")
                                     << QStringLiteral("RuntimeError") << true << true;
    QTest::newRow("the escape itself") << QByteArray("\x1B[31mred") << QStringLiteral("31m") << true << false;
    QTest::newRow("what was overwritten") << QByteArray("10%\r20%") << QStringLiteral("10%") << true << false;
    QTest::newRow("what is on top") << QByteArray("10%\r20%") << QStringLiteral("20%") << true << true;
    QTest::newRow("picture of NUL") << QByteArray("a\0b", 3) << QStringLiteral("a\u2400b") << true << true;
    QTest::newRow("bytes that are not UTF-8")
        << QByteArray("a\xFF") << QStringLiteral("\uFFFD") << true << true;
    QTest::newRow("nothing") << QByteArray("a") << QString() << true << false;
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
    const QString hit = QStringLiteral("hit");
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
    QCOMPARE(search(file, QStringLiteral("needle"), 0, false, true, 1000000), 1);
    QCOMPARE(search(file, QStringLiteral("needle"), 2, true, true, 1000000), 1);
    QCOMPARE(search(file, QStringLiteral("NEEDLE"), 0, false, false, 1000000), 1);
    QCOMPARE(search(file, QStringLiteral("last"), 0, false, true, 1000000), 2);
    QCOMPARE(search(file, QStringLiteral("first"), 2, true, true, 1000000), 0);
}

void TestLogSearch::aMatchAcrossTwoReadsIsFound()
{
    // Every place a read of a long line may end falls inside one of these.
    GrowingFile disk;
    disk.append(QByteArray(1, '.') + QByteArray("0123456789").repeated(400000) + "\n");
    LogFile file(disk.path());
    readAll(file);
    QCOMPARE(search(file, QStringLiteral("9012345678901"), 0, false, true, 100000), 0);
    for (const qint64 border : {262144, 1048576, 1310720, 2097152}) {
        GrowingFile other;
        other.append(QByteArray(int(border) - 3, '.') + "needle" + QByteArray(1500000, '.'));
        LogFile otherFile(other.path());
        readAll(otherFile);
        QCOMPARE(search(otherFile, QStringLiteral("needle"), 0, false, true, 100000), 0);
    }
}

void TestLogSearch::progressGrowsToTheEnd()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 400000));
    LogFile file(disk.path());
    readAll(file);
    LogSearch search(file, QStringLiteral("none of them"), LineNumber(0), false, true);
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

QTEST_GUILESS_MAIN(TestLogSearch)
#include "tst_logsearch.moc"
