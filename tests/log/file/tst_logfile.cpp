#include "log/file/logfile.h"
#include "log/file/logfollower.h"
#include "log/growingfile.h"
#include "support/testmain.h"

#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>

namespace tst_logfile
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

LogGrowth pollAll(LogFile &file)
{
    LogGrowth all;
    for (bool more = true; more;) {
        const Result<LogGrowth> growth = file.poll();
        if (!growth)
            qFatal("%s", qPrintable(growth.error().sentence()));
        all.changed |= growth->changed;
        all.restarted |= growth->restarted;
        more = growth->more;
    }
    return all;
}

QByteArray lineOf(const LogFile &file, qint64 number)
{
    const LogPage page = file.read(LineNumber(number), 1);
    return page.lines.value(0, "nothing");
}

} // namespace

class TestLogFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileThatIsNotThereYetIsEmpty();
    void growthIsSeen();
    void anUnfinishedLastLineCounts();
    void everyLineIsFoundAcrossCheckpoints_data();
    void everyLineIsFoundAcrossCheckpoints();
    void aPageNeverReachesBeyondTheEnd_data();
    void aPageNeverReachesBeyondTheEnd();
    void theIndexIsSparse();
    void aBacklogIsReadInSlices();
    void aCutFileStartsAgain();
    void aReplacedFileStartsAgain();
    void aRemovedFileStaysReadable();
    void aLongLineIsCutAndItsLengthSaid();
    void aCutLineEndsWithAWholeCharacter();
    void aHundredMegabyteLineCostsNoMemory();
    void ofALongProgressBarTheEndIsShown();
    void whatIsNoFileIsRefusedInASentence_data();
    void whatIsNoFileIsRefusedInASentence();
};

void TestLogFile::aFileThatIsNotThereYetIsEmpty()
{
    GrowingFile disk;
    LogFile file(disk.path());
    QVERIFY(!pollAll(file).changed);
    QVERIFY(!file.exists());
    QCOMPARE(file.totalLines(), 0);
    QVERIFY(file.read(LineNumber(0), 10).lines.isEmpty());
    disk.append("now\n");
    QVERIFY(pollAll(file).changed);
    QCOMPARE(lineOf(file, 0), "now");
}

void TestLogFile::growthIsSeen()
{
    GrowingFile disk;
    LogFile file(disk.path());
    disk.append("one\ntwo\n");
    QVERIFY(pollAll(file).changed);
    QCOMPARE(file.totalLines(), 2);
    QVERIFY(!pollAll(file).changed);
    disk.append("three\n");
    QVERIFY(pollAll(file).changed);
    const LogPage page = file.read(LineNumber(1), 5);
    QCOMPARE(page.lines, QList<QByteArray>({"two", "three"}));
    QCOMPARE(page.first, LineNumber(1));
    QCOMPARE(page.totalLines, 3);
    QCOMPARE(page.totalBytes, 14);
    QVERIFY(page.atEnd);
}

void TestLogFile::anUnfinishedLastLineCounts()
{
    GrowingFile disk;
    LogFile file(disk.path());
    disk.append("one\ntw");
    pollAll(file);
    QCOMPARE(file.totalLines(), 2);
    QCOMPARE(lineOf(file, 1), "tw");
    disk.append("o");
    pollAll(file);
    QCOMPARE(file.totalLines(), 2);
    QCOMPARE(lineOf(file, 1), "two");
    disk.append("\n");
    pollAll(file);
    QCOMPARE(file.totalLines(), 2);
    QCOMPARE(lineOf(file, 1), "two");
}

void TestLogFile::everyLineIsFoundAcrossCheckpoints_data()
{
    QTest::addColumn<int>("lineBytes");
    QTest::addColumn<int>("lines");
    QTest::newRow("empty lines") << 0 << 300000;
    QTest::newRow("short lines") << 20 << 30000;
    QTest::newRow("lines of a checkpoint less one") << int(LogFile::checkpointSpacing) - 2 << 12;
    QTest::newRow("lines of a checkpoint") << int(LogFile::checkpointSpacing) - 1 << 12;
    QTest::newRow("lines of a checkpoint and one") << int(LogFile::checkpointSpacing) << 12;
    QTest::newRow("lines of two checkpoints and more") << int(2 * LogFile::checkpointSpacing) + 77 << 12;
    QTest::newRow("lines longer than a block") << 1500000 << 6;
}

void TestLogFile::everyLineIsFoundAcrossCheckpoints()
{
    QFETCH(int, lineBytes);
    QFETCH(int, lines);
    GrowingFile disk;
    QByteArray all;
    for (int i = 0; i < lines; ++i) {
        const QByteArray number = QByteArray::number(i);
        all += (lineBytes == 0 ? QByteArray() : number.leftJustified(lineBytes, '.')) + '\n';
    }
    disk.append(all);
    LogFile file(disk.path());
    pollAll(file);
    QCOMPARE(file.totalLines(), lines);
    const int step = std::max(1, lines / 97);
    for (int i = 0; i < lines; i += step) {
        const LogPage page = file.read(LineNumber(i), 3);
        QCOMPARE(page.lines.size(), std::min(3, lines - i));
        for (int j = 0; j < page.lines.size() && lineBytes > 0; ++j)
            QVERIFY2(page.lines[j].startsWith(QByteArray::number(i + j) + '.'),
                     qPrintable(QString::number(i)));
    }
}

void TestLogFile::aPageNeverReachesBeyondTheEnd_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("lines");
    QTest::addColumn<bool>("atEnd");
    QTest::newRow("inside") << 2 << 3 << 3 << false;
    QTest::newRow("up to the end") << 7 << 3 << 3 << true;
    QTest::newRow("over the end") << 7 << 30 << 3 << true;
    QTest::newRow("behind the end") << 10 << 5 << 0 << false;
    QTest::newRow("far behind the end") << 1000000000 << 5 << 0 << false;
    QTest::newRow("before the start") << -5 << 2 << 2 << false;
    QTest::newRow("no lines") << 2 << 0 << 0 << false;
    QTest::newRow("fewer than none") << 2 << -3 << 0 << false;
    QTest::newRow("as many as an int holds") << 0 << std::numeric_limits<int>::max() << 10 << true;
}

void TestLogFile::aPageNeverReachesBeyondTheEnd()
{
    QFETCH(int, first);
    QFETCH(int, count);
    GrowingFile disk;
    disk.append(numberedLines(0, 10));
    LogFile file(disk.path());
    pollAll(file);
    const LogPage page = file.read(LineNumber(first), count);
    QTEST(int(page.lines.size()), "lines");
    if (!page.lines.isEmpty())
        QTEST(page.atEnd, "atEnd");
}

void TestLogFile::theIndexIsSparse()
{
    GrowingFile disk;
    disk.append(QByteArray(20 * 1024 * 1024, '\n'));
    LogFile file(disk.path());
    pollAll(file);
    QCOMPARE(file.totalLines(), 20 * 1024 * 1024);
    QVERIFY(file.stretchCount() <= 20 * 1024 * 1024 / LogFile::checkpointSpacing + 1);
}

void TestLogFile::aBacklogIsReadInSlices()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 1000));
    LogFile file(disk.path());
    const Result<LogGrowth> first = file.poll(100);
    QVERIFY(first && first->more);
    QCOMPARE(file.totalBytes(), 100);
    int slices = 1;
    for (bool more = true; more; ++slices)
        more = file.poll(100)->more;
    QCOMPARE(file.totalLines(), 1000);
    QVERIFY(slices > 50);
    QCOMPARE(lineOf(file, 999), "line 999");
}

void TestLogFile::aCutFileStartsAgain()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 50000));
    LogFile file(disk.path());
    pollAll(file);
    disk.cut("new\n");
    QVERIFY(pollAll(file).restarted);
    QCOMPARE(file.totalLines(), 1);
    QCOMPARE(lineOf(file, 0), "new");
    disk.cut("");
    QVERIFY(pollAll(file).restarted);
    QCOMPARE(file.totalLines(), 0);
}

void TestLogFile::aReplacedFileStartsAgain()
{
    GrowingFile disk;
    disk.append("old\n");
    LogFile file(disk.path());
    pollAll(file);
    disk.replace("another one\nand longer\n");
    QVERIFY(pollAll(file).restarted);
    QCOMPARE(file.totalLines(), 2);
    QCOMPARE(lineOf(file, 0), "another one");
}

void TestLogFile::aRemovedFileStaysReadable()
{
    GrowingFile disk;
    disk.append("kept\n");
    LogFile file(disk.path());
    pollAll(file);
    disk.remove();
    QVERIFY(!pollAll(file).changed);
    QCOMPARE(lineOf(file, 0), "kept");
}

void TestLogFile::aLongLineIsCutAndItsLengthSaid()
{
    GrowingFile disk;
    const int most = LogLines::maxShownLineBytes;
    disk.append(QByteArray(most, 'a') + '\n' + QByteArray(most + 1, 'b') + '\n' + QByteArray(200000, 'c') +
                "\nend\n");
    LogFile file(disk.path());
    pollAll(file);
    const QList<QByteArray> lines = file.read(LineNumber(0), 9).lines;
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[0], QByteArray(most, 'a'));
    QCOMPARE(lines[1], QByteArray(most, 'b') + " … (16.4 kB line)");
    QCOMPARE(lines[2], QByteArray(most, 'c') + " … (200.0 kB line)");
    QCOMPARE(lines[3], "end");
}

void TestLogFile::aCutLineEndsWithAWholeCharacter()
{
    GrowingFile disk;
    disk.append("a" + QByteArray("训").repeated(20000) + "\n");
    LogFile file(disk.path());
    pollAll(file);
    const QString shown = QString::fromUtf8(lineOf(file, 0));
    QVERIFY(!shown.contains(QChar::ReplacementCharacter));
    QVERIFY(shown.contains(u"训 … (60.0 kB line)"_s));
}

void TestLogFile::aHundredMegabyteLineCostsNoMemory()
{
    GrowingFile disk;
    disk.append("before\n");
    disk.appendHole(100 * 1000 * 1000);
    disk.append("\nafter\n");
    LogFile file(disk.path());
    rusage before;
    getrusage(RUSAGE_SELF, &before);
    pollAll(file);
    QCOMPARE(file.totalLines(), 3);
    const LogPage page = file.read(LineNumber(0), 100);
    rusage after;
    getrusage(RUSAGE_SELF, &after);
    QCOMPARE(page.lines.size(), 3);
    QVERIFY(page.lines[1].size() < LogLines::maxShownLineBytes + 100);
    QVERIFY(page.lines[1].endsWith(" … (100.0 MB line)"));
    QCOMPARE(page.lines[2], "after");
    // Peak resident size, kB. Far less than the line, though sanitizers take their share.
    QVERIFY2(after.ru_maxrss - before.ru_maxrss < 30 * 1024, qPrintable(QString::number(after.ru_maxrss)));
}

void TestLogFile::ofALongProgressBarTheEndIsShown()
{
    GrowingFile disk;
    QByteArray bar;
    for (int i = 0; i <= 5000; ++i)
        bar += "\r" + QByteArray::number(i) + "/5000 [00:01<00:02]";
    disk.append(bar);
    LogFile file(disk.path());
    pollAll(file);
    const QByteArray shown = lineOf(file, 0);
    QVERIFY(shown.contains("\r5000/5000"));
    QVERIFY(!shown.contains("\r1/5000"));
    QVERIFY(shown.endsWith("kB line)"));
}

void TestLogFile::whatIsNoFileIsRefusedInASentence_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("a directory") << u"directory"_s;
    QTest::newRow("a named pipe") << u"pipe"_s;
}

void TestLogFile::whatIsNoFileIsRefusedInASentence()
{
    QFETCH(QString, kind);
    QTemporaryDir directory;
    QString path = directory.path();
    if (kind == u"pipe"_s) {
        path = directory.filePath(u"pipe"_s);
        QCOMPARE(mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    }
    LogFile file(path);
    const Result<LogGrowth> growth = file.poll();
    QVERIFY(!growth);
    QVERIFY(growth.error().sentence().startsWith(path));
}

} // namespace tst_logfile

RANKDECK_TEST(tst_logfile, TestLogFile)
#include "tst_logfile.moc"
