#include "log/file/logtail.h"
#include "log/growingfile.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_logtail
{

using namespace rankdeck;
using namespace rankdeck::test;

class TestLogTail : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachWholeLineIsHandedOnOnce();
    void aFileThatIsNotThereYetIsNoError();
    void aReadIsBounded();
    void aLongLineComesInPieces();
    void aCutFileIsReadFromItsStart();
    void aReplacedFileIsReadFromItsStart();
    void aRotatedFileIsReadToItsEnd();
    void aRenamedFileIsReadOnWhileItHasNoSuccessor();
    void aFileThatIsCutAndGrowsIsReadFromItsStart();
    void aHoleAtTheStartIsPassedOver();
    void theUnfinishedRestIsHandedOnAtTheEnd();
    void whatCannotBeReadIsSaid();
    void carriageReturnsEndLinesWhereThatIsWanted();
    void aReleasedFileIsReadOn();

private:
    QList<QByteArray> m_lines;
    LogTail::Sink m_sink = [this](QByteArrayView line) {
        m_lines.append(line.toByteArray());
    };

private Q_SLOTS:
    void init() { m_lines.clear(); }
};

void TestLogTail::eachWholeLineIsHandedOnOnce()
{
    GrowingFile disk;
    disk.append("one\n\ntw");
    LogTail tail(disk.path());
    QCOMPARE(tail.readLines(m_sink, 1000), 7);
    QCOMPARE(m_lines, QList<QByteArray>({"one", ""}));
    disk.append("o\nthree\n");
    QCOMPARE(tail.readLines(m_sink, 1000), 8);
    QCOMPARE(tail.readLines(m_sink, 1000), 0);
    QCOMPARE(m_lines, QList<QByteArray>({"one", "", "two", "three"}));
}

void TestLogTail::aFileThatIsNotThereYetIsNoError()
{
    GrowingFile disk;
    LogTail tail(disk.path());
    QCOMPARE(tail.readLines(m_sink, 1000), 0);
    QVERIFY(tail.error().isEmpty());
    disk.append("here\n");
    QCOMPARE(tail.readLines(m_sink, 1000), 5);
    QCOMPARE(m_lines, QList<QByteArray>({"here"}));
}

void TestLogTail::aReadIsBounded()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 1000));
    LogTail tail(disk.path());
    QCOMPARE(tail.readLines(m_sink, 100), 100);
    while (tail.readLines(m_sink, 100) > 0)
        continue;
    QCOMPARE(m_lines.size(), 1000);
    QCOMPARE(m_lines.back(), "line 999");
}

void TestLogTail::aLongLineComesInPieces()
{
    GrowingFile disk;
    disk.append(QByteArray(int(2 * LogTail::longestPiece) + 5, 'x') + "\nend\n");
    LogTail tail(disk.path());
    while (tail.readLines(m_sink, 300000) > 0)
        continue;
    QCOMPARE(m_lines.size(), 4);
    QCOMPARE(m_lines[0].size(), LogTail::longestPiece);
    QCOMPARE(m_lines[1].size(), LogTail::longestPiece);
    QCOMPARE(m_lines[2], "xxxxx");
    QCOMPARE(m_lines[3], "end");
}

void TestLogTail::aCutFileIsReadFromItsStart()
{
    GrowingFile disk;
    disk.append("a long first line\nrest");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    disk.cut("new\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"a long first line", "rest", "new"}));
}

void TestLogTail::aReplacedFileIsReadFromItsStart()
{
    GrowingFile disk;
    disk.append("old\n");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    disk.replace("a new and longer file\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"old", "a new and longer file"}));
}

void TestLogTail::aRotatedFileIsReadToItsEnd()
{
    GrowingFile disk;
    disk.append("one\n");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    disk.append("two\nthr");
    disk.moveAway();
    disk.append("four\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"one", "two", "thr", "four"}));
    // One of several writers has not noticed yet.
    disk.appendToMoved("ee\n");
    disk.append("five\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines.mid(4), QList<QByteArray>({"ee", "five"}));
    disk.append("six\n");
    disk.moveAway();
    disk.append("seven\n");
    while (tail.readLines(m_sink, 3) > 0)
        continue;
    QCOMPARE(m_lines.mid(6), QList<QByteArray>({"six", "seven"}));
}

void TestLogTail::aRenamedFileIsReadOnWhileItHasNoSuccessor()
{
    GrowingFile disk;
    disk.append("on");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    disk.moveAway();
    disk.appendToMoved("e\nt");
    tail.readLines(m_sink, 1000);
    disk.append(""); // A rank has its log open, and knows nothing of the new file.
    tail.readLines(m_sink, 1000);
    disk.appendToMoved("wo\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"one", "two"}));
}

void TestLogTail::aFileThatIsCutAndGrowsIsReadFromItsStart()
{
    GrowingFile disk;
    disk.append("line 1\nline 2\nrest");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    disk.cut("line 3\nline 4\nline 5\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"line 1", "line 2", "rest", "line 3", "line 4", "line 5"}));
    disk.cut("line 6\nline 7\nline 8\n"); // As large as before, but later, even if the clock is coarse.
    QFile file(disk.path());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(10), QFileDevice::FileModificationTime));
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines.mid(6), QList<QByteArray>({"line 6", "line 7", "line 8"}));
}

void TestLogTail::aHoleAtTheStartIsPassedOver()
{
    GrowingFile disk;
    disk.append("one\n");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    disk.cut({});
    tail.readLines(m_sink, 1000);
    disk.appendHole(qint64(1) << 30);
    disk.append("two\n");
    QVERIFY(tail.readLines(m_sink, 1 << 20) < (1 << 20));
    QCOMPARE(m_lines, QList<QByteArray>({"one", "two"}));
    // Not seen while it was empty.
    disk.cut({});
    disk.appendHole(2'000'000'000);
    disk.append("three\n");
    while (tail.readLines(m_sink, 1 << 20) > 0)
        continue;
    QCOMPARE(m_lines, QList<QByteArray>({"one", "two", "three"}));
}

void TestLogTail::theUnfinishedRestIsHandedOnAtTheEnd()
{
    GrowingFile disk;
    disk.append("one\nlast words");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    QVERIFY(tail.flushRest(m_sink));
    QVERIFY(!tail.flushRest(m_sink));
    QCOMPARE(m_lines, QList<QByteArray>({"one", "last words"}));
}

void TestLogTail::whatCannotBeReadIsSaid()
{
    QTemporaryDir directory;
    LogTail tail(directory.path());
    QCOMPARE(tail.readLines(m_sink, 1000), -1);
    QVERIFY(tail.error().startsWith(directory.path()));
}

void TestLogTail::carriageReturnsEndLinesWhereThatIsWanted()
{
    GrowingFile disk;
    disk.append("one\r\ntwo\rthree\rfo");
    LogTail tail(disk.path(), {}, LogTail::LineEnd::NewlineOrReturn);
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"one", "", "two", "three"}));
    QCOMPARE(tail.unfinished().toByteArray(), QByteArray("fo"));
    disk.append("ur\nfive\r");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"one", "", "two", "three", "four", "five"}));
    QVERIFY(tail.unfinished().isEmpty());
}

void TestLogTail::aReleasedFileIsReadOn()
{
    GrowingFile disk;
    disk.append("one\ntw");
    LogTail tail(disk.path());
    tail.readLines(m_sink, 1000);
    tail.release();
    QCOMPARE(tail.readLines(m_sink, 1000), 0);
    disk.append("o\n");
    QCOMPARE(tail.readLines(m_sink, 1000), 2);
    tail.release();
    disk.replace("three\n");
    tail.readLines(m_sink, 1000);
    tail.release();
    disk.cut("4\n");
    tail.readLines(m_sink, 1000);
    QCOMPARE(m_lines, QList<QByteArray>({"one", "two", "three", "4"}));
    tail.release();
    disk.remove();
    QCOMPARE(tail.readLines(m_sink, 1000), 0);
}

} // namespace tst_logtail

RANKDECK_TEST(tst_logtail, TestLogTail)
#include "tst_logtail.moc"
