#include "log/growingfile.h"
#include "log/line/filelines.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_lastlines
{

using namespace rankdeck;
using namespace rankdeck::test;

class TestLastLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLastLinesAreReturned_data();
    void theLastLinesAreReturned();
    void manyLinesAreReadBackwards();
    void theBytesLookedAtAreBounded();
    void noFileHasNoLines();
};

void TestLastLines::theLastLinesAreReturned_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("count");
    QTest::addColumn<QList<QByteArray>>("lines");
    QTest::newRow("empty") << QByteArray() << 3 << QList<QByteArray>();
    QTest::newRow("fewer than asked for") << QByteArray("a\nb\n") << 3 << QList<QByteArray>({"a", "b"});
    QTest::newRow("more than asked for") << QByteArray("a\nb\nc\n") << 2 << QList<QByteArray>({"b", "c"});
    QTest::newRow("unfinished") << QByteArray("a\nb\nc") << 2 << QList<QByteArray>({"b", "c"});
    QTest::newRow("empty lines") << QByteArray("a\n\n\n") << 2 << QList<QByteArray>({"", ""});
    QTest::newRow("one empty line") << QByteArray("\n") << 2 << QList<QByteArray>({""});
    QTest::newRow("none asked for") << QByteArray("a\n") << 0 << QList<QByteArray>();
    QTest::newRow("raw bytes") << QByteArray("\x1B[31m\0\xFF\r\n", 9) << 1
                               << QList<QByteArray>({QByteArray("\x1B[31m\0\xFF\r", 8)});
}

void TestLastLines::theLastLinesAreReturned()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, count);
    GrowingFile disk;
    disk.append(bytes);
    QTEST(lastLines(disk.path(), count, 1000000), "lines");
}

void TestLastLines::manyLinesAreReadBackwards()
{
    GrowingFile disk;
    disk.append(numberedLines(0, 100000));
    const QList<QByteArray> lines = lastLines(disk.path(), 50000, 10000000);
    QCOMPARE(lines.size(), 50000);
    QCOMPARE(lines.front(), "line 50000");
    QCOMPARE(lines.back(), "line 99999");
}

void TestLastLines::theBytesLookedAtAreBounded()
{
    GrowingFile disk;
    disk.appendHole(100 * 1000 * 1000);
    disk.append("end\nlast\n");
    const QList<QByteArray> lines = lastLines(disk.path(), 10, 1000);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.front().size(), 1000 - 6);
    QVERIFY(lines.front().endsWith("end"));
    QCOMPARE(lines.back(), "last");
}

void TestLastLines::noFileHasNoLines()
{
    GrowingFile disk;
    QVERIFY(lastLines(disk.path(), 10, 1000).isEmpty());
}

} // namespace tst_lastlines

RANKDECK_TEST(tst_lastlines, TestLastLines)
#include "tst_lastlines.moc"
