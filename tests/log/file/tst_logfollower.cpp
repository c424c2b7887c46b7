#include "log/file/logfollower.h"
#include "log/growingfile.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

namespace tst_logfollower
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

LogPage lastPage(const QSignalSpy &spy)
{
    return spy.isEmpty() ? LogPage() : spy.back().front().value<LogPage>();
}

LogPattern pattern(const char *text, bool caseSensitive)
{
    return {QString::fromLatin1(text), false, caseSensitive};
}

} // namespace

class TestLogFollower : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void growthIsAnnouncedWithTheLastLine_data();
    void growthIsAnnouncedWithTheLastLine();
    void theFileMayAppearLater();
    void aRequestIsAnsweredAtOnce();
    void theTailIsSentWhileFollowed();
    void finishReadsToTheEndAndStops();
    void aLogThatNeverCameIsSaidAtTheEnd();
    void aCutFileStartsAgain();
    void whatCannotBeReadIsSaidOnceAndLookedAtAgain();
    void findAnswersEachWay();
    void whatIsNoRegularExpressionIsNotFound();
    void timesAreFound();
    void allMatchesAreCollected();
    void pagesSayWhatTheirLinesSay();
    void requestsAreServedWhileASearchRuns();
    void aSearchIsCancelledByAnother();
    void itWorksFromItsOwnThread();
    void marksStandBeforeTheLineOfTheirByte();
};

void TestLogFollower::growthIsAnnouncedWithTheLastLine_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("lastLine");
    QTest::newRow("whole") << QByteArray("one\ntwo\n") << u"two"_s;
    QTest::newRow("unfinished") << QByteArray("one\ntw") << u"tw"_s;
    QTest::newRow("blank ones behind it") << QByteArray("one\n\n  \n\x1B[0m\n") << u"one"_s;
    QTest::newRow("coloured") << QByteArray("\x1B[31mred\x1B[0m\n") << u"red"_s;
    QTest::newRow("bar") << QByteArray("\r1/2\r2/2") << u"2/2"_s;
    QTest::newRow("long bar") << QByteArray("\r1/2").repeated(10000) + "\r2/2" << u"2/2"_s;
    QTest::newRow("long") << QByteArray(100000, 'x') << QString(500, 'x'_L1);
    QTest::newRow("long and Chinese") << QByteArray("训").repeated(1000) << u"训"_s.repeated(166);
}

void TestLogFollower::growthIsAnnouncedWithTheLastLine()
{
    QFETCH(QByteArray, bytes);
    GrowingFile disk;
    disk.append(bytes);
    LogFollower follower(disk.path());
    QSignalSpy grew(&follower, &LogFollower::grew);
    follower.start();
    QTRY_COMPARE(grew.size(), 1);
    QCOMPARE(grew[0][1].toLongLong(), bytes.size());
    QTEST(grew[0][2].toString(), "lastLine");
    disk.append("\nmore\n");
    QTRY_COMPARE(grew.size(), 2);
    QCOMPARE(grew[1][2].toString(), u"more"_s);
}

void TestLogFollower::theFileMayAppearLater()
{
    GrowingFile disk;
    LogFollower follower(disk.path());
    QSignalSpy grew(&follower, &LogFollower::grew);
    QSignalSpy unreadable(&follower, &LogFollower::unreadable);
    follower.start();
    disk.append("here\n");
    QTRY_COMPARE(grew.size(), 1);
    QVERIFY(unreadable.isEmpty());
}

void TestLogFollower::aRequestIsAnsweredAtOnce()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 100));
    LogFollower follower(disk.path());
    QSignalSpy pages(&follower, &LogFollower::page);
    follower.start();
    follower.request(LineNumber(98), 10);
    QCOMPARE(pages.size(), 1);
    QCOMPARE(lastPage(pages).lines, QList<QByteArray>({"line 98", "line 99"}));
    QVERIFY(lastPage(pages).atEnd);
}

void TestLogFollower::theTailIsSentWhileFollowed()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 100));
    LogFollower follower(disk.path());
    QSignalSpy pages(&follower, &LogFollower::page);
    QSignalSpy grew(&follower, &LogFollower::grew);
    follower.start();
    follower.followTail(2);
    QCOMPARE(lastPage(pages).lines, QList<QByteArray>({"line 98", "line 99"}));
    disk.append("line 100\n");
    QTRY_COMPARE(lastPage(pages).totalLines, 101);
    QCOMPARE(lastPage(pages).first, LineNumber(99));
    QCOMPARE(lastPage(pages).lines, QList<QByteArray>({"line 99", "line 100"}));
    follower.followTail(0);
    const auto sent = pages.size();
    const auto announced = grew.size();
    disk.append("line 101\n");
    QTRY_VERIFY(grew.size() > announced);
    QCOMPARE(pages.size(), sent);
}

void TestLogFollower::finishReadsToTheEndAndStops()
{
    GrowingFile disk;
    LogFollower follower(disk.path());
    QSignalSpy grew(&follower, &LogFollower::grew);
    follower.start();
    disk.append("last words");
    follower.finish();
    QTRY_COMPARE(grew.size(), 1);
    disk.append("\nnobody reads this\n");
    LogFollower other(disk.path());
    QSignalSpy otherGrew(&other, &LogFollower::grew);
    other.start();
    disk.append("nor this\n");
    QTRY_COMPARE(otherGrew.size(), 2);
    QCOMPARE(grew.size(), 1);
    follower.start();
    QCOMPARE(grew.size(), 2);
}

void TestLogFollower::aLogThatNeverCameIsSaidAtTheEnd()
{
    GrowingFile disk;
    LogFollower follower(disk.path());
    QSignalSpy unreadable(&follower, &LogFollower::unreadable);
    follower.start();
    QVERIFY(unreadable.isEmpty());
    follower.finish();
    QCOMPARE(unreadable.size(), 1);
    QVERIFY(unreadable[0][0].toString().contains(disk.path()));
}

void TestLogFollower::aCutFileStartsAgain()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 10));
    LogFollower follower(disk.path());
    QSignalSpy restarted(&follower, &LogFollower::restarted);
    QSignalSpy grew(&follower, &LogFollower::grew);
    follower.start();
    disk.cut("again\n");
    QTRY_COMPARE(restarted.size(), 1);
    QTRY_COMPARE(grew.back()[0].toLongLong(), 1);
    QCOMPARE(grew.back()[2].toString(), u"again"_s);
}

void TestLogFollower::whatCannotBeReadIsSaidOnceAndLookedAtAgain()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(u"log"_s);
    QVERIFY(QDir().mkdir(path));
    LogFollower follower(path);
    QSignalSpy unreadable(&follower, &LogFollower::unreadable);
    QSignalSpy grew(&follower, &LogFollower::grew);
    follower.start();
    QCOMPARE(unreadable.size(), 1);
    follower.start();
    QCOMPARE(unreadable.size(), 1);
    follower.request(LineNumber(0), 1);
    QCOMPARE(unreadable.size(), 2);

    QVERIFY(QDir().rmdir(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("readable\n");
    file.close();
    QTRY_COMPARE(grew.size(), 1);
    QCOMPARE(unreadable.size(), 3);
    QVERIFY(unreadable[2][0].toString().isEmpty());
}

void TestLogFollower::findAnswersEachWay()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 20000));
    LogFollower follower(disk.path());
    QSignalSpy found(&follower, &LogFollower::found);
    QSignalSpy notFound(&follower, &LogFollower::notFound);
    follower.start();
    follower.find(pattern("LINE 1999", false), LineNumber(0), false);
    QTRY_COMPARE(found.size(), 1);
    QCOMPARE(found[0][0].value<LineNumber>(), LineNumber(1999));
    follower.find(pattern("line 1999", true), LineNumber(20000), true);
    QTRY_COMPARE(found.size(), 2);
    QCOMPARE(found[1][0].value<LineNumber>(), LineNumber(19999));
    follower.find(pattern("LINE 1999", true), LineNumber(0), false);
    QTRY_COMPARE(notFound.size(), 1);
}

void TestLogFollower::whatIsNoRegularExpressionIsNotFound()
{
    GrowingFile disk;
    disk.append("a(b\n");
    LogFollower follower(disk.path());
    QSignalSpy found(&follower, &LogFollower::found);
    QSignalSpy notFound(&follower, &LogFollower::notFound);
    follower.start();
    follower.find({u"a(b"_s}, LineNumber(0), false);
    QCOMPARE(notFound.size(), 1);
    QVERIFY(found.isEmpty());
}

void TestLogFollower::allMatchesAreCollected()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 20000)); // Several blocks of the index.
    LogFollower follower(disk.path());
    QSignalSpy collected(&follower, &LogFollower::collected);
    follower.start();
    const auto hits = [&] {
        QList<qint64> all;
        for (const QList<QVariant> &each : std::as_const(collected))
            all += each[1].value<QList<qint64>>();
        return all;
    };
    follower.collect(pattern("line 1999", false));
    const QList<qint64> expected{1999, 19990, 19991, 19992, 19993, 19994, 19995, 19996, 19997, 19998, 19999};
    QTRY_COMPARE(hits(), expected);
    QVERIFY(collected.constLast()[2].toBool());
    // An unfinished line that matches counts once, and what comes later counts too.
    disk.append("line 1999");
    QTRY_COMPARE(hits(), expected + QList<qint64>{20000});
    disk.append(" again\nhay\nline 1999\n");
    QTRY_COMPARE(hits(), expected + QList<qint64>({20000, 20002}));
    // Another pattern begins anew; none ends it.
    collected.clear();
    follower.collect(pattern("hay", false));
    QTRY_COMPARE(hits(), QList<qint64>{20001});
    QCOMPARE(collected.constLast()[0].value<LogPattern>().text, u"hay"_s);
    follower.collect({});
    disk.append("hay\n");
    QSignalSpy grew(&follower, &LogFollower::grew);
    QTRY_VERIFY(!grew.isEmpty());
    QCOMPARE(hits().size(), 1);
}

void TestLogFollower::timesAreFound()
{
    // A line a second from 08:00:00 on, then one without a stamp, over many stretches of the index.
    QByteArray bytes = numberedLines(0, 3);
    const QDateTime begin(QDate(2024, 12, 26), QTime(8, 0));
    for (int second = 0; second < 20000; ++second)
        bytes +=
            begin.addSecs(second).toString(u"yyyy-MM-dd HH:mm:ss"_s).toLatin1() + " - INFO - step\nplain\n";
    GrowingFile disk;
    disk.append(bytes);
    LogFollower follower(disk.path());
    QSignalSpy found(&follower, &LogFollower::found);
    QSignalSpy notFound(&follower, &LogFollower::notFound);
    follower.start();
    for (const int second : {0, 1, 777, 9999, 19999}) {
        found.clear();
        follower.findTime(logTimeOf(begin.addSecs(second)));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0][0].value<LineNumber>(), LineNumber(3 + 2 * second));
    }
    follower.findTime(logTimeOf(begin.addMSecs(500)));
    QCOMPARE(found.back()[0].value<LineNumber>(), LineNumber(5));
    follower.findTime(logTimeOf(begin.addDays(-1)));
    QCOMPARE(found.back()[0].value<LineNumber>(), LineNumber(3));
    QVERIFY(notFound.isEmpty());
    follower.findTime(logTimeOf(begin.addSecs(20000)));
    QCOMPARE(notFound.size(), 1);
}

void TestLogFollower::pagesSayWhatTheirLinesSay()
{
    GrowingFile disk;
    disk.append(
        "WARNING:root:slow\nplain\nTraceback (most recent call last):\n  File \"a.py\"\nValueError: no\n");
    LogFollower follower(disk.path());
    QSignalSpy pages(&follower, &LogFollower::page);
    follower.start();
    follower.request(LineNumber(0), 5);
    const auto severities = [&pages] {
        QList<LogSeverity> found;
        for (const LogLineReader::Line &said : lastPage(pages).said)
            found.append(said.ownSeverity());
        return found;
    };
    const QList<LogSeverity> all{LogSeverity::Warning, LogSeverity::None, LogSeverity::Error,
                                 LogSeverity::Error, LogSeverity::Error};
    QCOMPARE(severities(), all);
    // Of a page that begins within a traceback as well.
    follower.request(LineNumber(3), 5);
    QCOMPARE(lastPage(pages).first, LineNumber(3));
    QCOMPARE(severities(), all.sliced(3));
}

void TestLogFollower::requestsAreServedWhileASearchRuns()
{
    GrowingFile disk;
    disk.append(QByteArray("a line of some length, as they are in training\n").repeated(1000000));
    LogFollower follower(disk.path());
    QSignalSpy progress(&follower, &LogFollower::searchProgress);
    QSignalSpy pages(&follower, &LogFollower::page);
    QSignalSpy notFound(&follower, &LogFollower::notFound);
    follower.start();
    follower.find(pattern("no such text", false), LineNumber(0), false);
    QTRY_VERIFY(!progress.isEmpty());
    QVERIFY(notFound.isEmpty());
    follower.request(LineNumber(999999), 1);
    QCOMPARE(pages.size(), 1);
    QTRY_COMPARE(notFound.size(), 1);
    QVERIFY(progress.size() > 1);
}

void TestLogFollower::aSearchIsCancelledByAnother()
{
    GrowingFile disk;
    disk.append(QByteArray("a line of some length, as they are in training\n").repeated(1000000) +
                "needle\n");
    LogFollower follower(disk.path());
    QSignalSpy found(&follower, &LogFollower::found);
    QSignalSpy notFound(&follower, &LogFollower::notFound);
    follower.start();
    follower.find(pattern("no such text", true), LineNumber(0), false);
    follower.find({}, LineNumber(0), false);
    follower.find(pattern("no such text either", true), LineNumber(0), false);
    follower.find(pattern("needle", true), LineNumber(0), false);
    QTRY_COMPARE(found.size(), 1);
    QCOMPARE(notFound.size(), 2); // Each that was replaced or cancelled is answered too.
}

void TestLogFollower::itWorksFromItsOwnThread()
{
    GrowingFile disk;
    disk.append("one\n");
    QThread thread;
    auto *const follower = new LogFollower(disk.path());
    follower->moveToThread(&thread);
    connect(&thread, &QThread::started, follower, &LogFollower::start);
    connect(&thread, &QThread::finished, follower, &QObject::deleteLater);
    qint64 lines = 0;
    connect(follower, &LogFollower::grew, this, [&lines](qint64 totalLines) { lines = totalLines; });
    thread.start();
    QTRY_COMPARE(lines, 1);
    disk.append("two\n");
    QTRY_COMPARE(lines, 2);
    thread.quit();
    thread.wait();
}

void TestLogFollower::marksStandBeforeTheLineOfTheirByte()
{
    GrowingFile disk;
    disk.append("one\ntwo\nth");
    LogFollower follower(disk.path());
    QSignalSpy pages(&follower, &LogFollower::page);
    QSignalSpy marked(&follower, &LogFollower::marked);
    follower.start();
    follower.setMarks({{ByteOffset(4), u"first"_s, {}},
                       {ByteOffset(10), u"second"_s, {}},
                       {ByteOffset(14), u"later"_s, {}}});
    QCOMPARE(marked.count(), 1);
    follower.request(LineNumber(0), 1);
    QList<LogMark> marks = lastPage(pages).marks;
    QCOMPARE(marks.size(), 2);
    QCOMPARE(marks[0].line, LineNumber(1));
    QCOMPARE(marks[1].line, LineNumber(2));
    QCOMPARE(marks[1].text, u"second"_s);

    follower.followTail(1);
    disk.append("ree\nfour\n");
    QTRY_COMPARE(lastPage(pages).marks.size(), 3);
    QCOMPARE(lastPage(pages).marks[2].line, LineNumber(3));
}

} // namespace tst_logfollower

RANKDECK_TEST(tst_logfollower, TestLogFollower)
#include "tst_logfollower.moc"
