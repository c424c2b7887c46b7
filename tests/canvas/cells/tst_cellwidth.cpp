#include "canvas/cells/celltext.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_cellwidth
{

using namespace rankdeck;

class TestCellWidth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTextTakesTheCellsOfItsClusters_data();
    void aTextTakesTheCellsOfItsClusters();
    void aClusterHoldsItsMarks();
};

void TestCellWidth::aTextTakesTheCellsOfItsClusters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("cells");
    QTest::newRow("nothing") << QString() << 0;
    QTest::newRow("ASCII") << u"rank 3"_s << 6;
    QTest::newRow("Chinese") << u"训练完成"_s << 8;
    QTest::newRow("Chinese and ASCII") << u"第3轮 loss"_s << 10;
    QTest::newRow("full-width punctuation") << u"，。"_s << 4;
    QTest::newRow("Hangul from parts") << u"\u1112\u1161\u11AB"_s << 2;
    QTest::newRow("combining mark") << u"e\u0301x"_s << 2;
    QTest::newRow("a mark without a character") << u"\u0301"_s << 1;
    QTest::newRow("emoji") << u"\U0001F600!"_s << 3;
    QTest::newRow("Han beyond the BMP") << u"\U00020BB7"_s << 2;
    QTest::newRow("block elements of a progress bar") << u"█▌"_s << 2;
    QTest::newRow("picture of NUL") << u"\u2400"_s << 1;
    QTest::newRow("replacement character") << u"\uFFFD"_s << 1;
    QTest::newRow("unassigned") << u"a\u0378b"_s << 3;
    QTest::newRow("half of a surrogate pair") << QString(QChar(0xD83D)) << 1;
}

void TestCellWidth::aTextTakesTheCellsOfItsClusters()
{
    QFETCH(QString, text);
    QFETCH(int, cells);
    QCOMPARE(cellWidth(text), cells);
}

void TestCellWidth::aClusterHoldsItsMarks()
{
    const QString text = u"ae\u0301\u0323中"_s;
    Cluster cluster = clusterAt(text, 1);
    QCOMPARE(cluster.size, 3);
    QCOMPARE(cluster.cells, 1);
    cluster = clusterAt(text, 4);
    QCOMPARE(cluster.size, 1);
    QCOMPARE(cluster.cells, 2);
}

} // namespace tst_cellwidth

RANKDECK_TEST(tst_cellwidth, TestCellWidth)
#include "tst_cellwidth.moc"
