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
    QTest::newRow("ASCII") << QStringLiteral("rank 3") << 6;
    QTest::newRow("Chinese") << QStringLiteral("训练完成") << 8;
    QTest::newRow("Chinese and ASCII") << QStringLiteral("第3轮 loss") << 10;
    QTest::newRow("full-width punctuation") << QStringLiteral("，。") << 4;
    QTest::newRow("Hangul from parts") << QStringLiteral("\u1112\u1161\u11AB") << 2;
    QTest::newRow("combining mark") << QStringLiteral("e\u0301x") << 2;
    QTest::newRow("a mark without a character") << QStringLiteral("\u0301") << 1;
    QTest::newRow("emoji") << QStringLiteral("\U0001F600!") << 3;
    QTest::newRow("Han beyond the BMP") << QStringLiteral("\U00020BB7") << 2;
    QTest::newRow("block elements of a progress bar") << QStringLiteral("█▌") << 2;
    QTest::newRow("picture of NUL") << QStringLiteral("\u2400") << 1;
    QTest::newRow("replacement character") << QStringLiteral("\uFFFD") << 1;
    QTest::newRow("unassigned") << QStringLiteral("a\u0378b") << 3;
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
    const QString text = QStringLiteral("ae\u0301\u0323中");
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
