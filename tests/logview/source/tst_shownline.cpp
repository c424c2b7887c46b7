#include "logview/source/shownline.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_shownline
{

using namespace rankdeck;

class TestShownLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsAreCountedAcrossRuns();
    void tabsStopAtCellsNotCharacters();
    void aClickFallsOnTheNearestBorder_data();
    void aClickFallsOnTheNearestBorder();
    void aWordIsFoundAtACell_data();
    void aWordIsFoundAtACell();
    void matchesAreInCells();
    void aSelectionRunsOverLines();
};

void TestShownLine::cellsAreCountedAcrossRuns()
{
    const ShownLine line("\x1B[31m训练\x1B[0m ok");
    QCOMPARE(line.runs().size(), 2);
    QCOMPARE(line.text(), u"训练 ok"_s);
    QCOMPARE(line.cells(), 7);
    QCOMPARE(line.textIn({2, 6}), u"练 o"_s);
    QCOMPARE(line.textIn({0, 1000}), u"训练 ok"_s);
    QCOMPARE(line.textIn({3, 3}), QString());
}

void TestShownLine::tabsStopAtCellsNotCharacters()
{
    QCOMPARE(ShownLine("训练\tx").cells(), 9);
}

void TestShownLine::aClickFallsOnTheNearestBorder_data()
{
    QTest::addColumn<int>("halfCell");
    QTest::addColumn<int>("border");
    QTest::newRow("left of the text") << -4 << 0;
    QTest::newRow("left half of a narrow one") << 0 << 0;
    QTest::newRow("right half of a narrow one") << 1 << 1;
    QTest::newRow("left cell of a wide one") << 3 << 1;
    QTest::newRow("right cell of a wide one") << 4 << 3;
    QTest::newRow("behind the end") << 100 << 4;
}

void TestShownLine::aClickFallsOnTheNearestBorder()
{
    QFETCH(int, halfCell);
    QTEST(ShownLine("a训b").borderNear(halfCell), "border");
}

void TestShownLine::aWordIsFoundAtACell_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("cell");
    QTest::addColumn<QString>("word");
    QTest::newRow("word") << QByteArray("loss is 0.25, ok") << 5 << u"is"_s;
    QTest::newRow("number") << QByteArray("loss is 0.25, ok") << 9 << u"0.25"_s;
    QTest::newRow("path") << QByteArray("in /a/b-c_d.py:3") << 7 << u"/a/b-c_d.py"_s;
    QTest::newRow("blank") << QByteArray("a b") << 1 << u" "_s;
    QTest::newRow("bracket") << QByteArray("(ab)") << 0 << u"("_s;
    QTest::newRow("Chinese") << QByteArray("训练完成，好") << 3 << u"训练完成"_s;
    QTest::newRow("last") << QByteArray("a bc") << 3 << u"bc"_s;
    QTest::newRow("behind the end") << QByteArray("abc") << 7 << QString();
}

void TestShownLine::aWordIsFoundAtACell()
{
    QFETCH(QByteArray, line);
    QFETCH(int, cell);
    const ShownLine shown(line);
    QTEST(shown.textIn(shown.wordAt(cell)), "word");
}

void TestShownLine::matchesAreInCells()
{
    const ShownLine line("训练 Ab ab");
    const auto matches = [&line](const char *text, bool isRegex, bool caseSensitive) {
        return line.matches(LogMatcher::create({QString::fromUtf8(text), isRegex, caseSensitive}).value());
    };
    QCOMPARE(matches("ab", false, false), QList<CellRange>({{5, 7}, {8, 10}}));
    QCOMPARE(matches("ab", false, true), QList<CellRange>({{8, 10}}));
    QCOMPARE(matches("练.[aA]", true, true), QList<CellRange>({{2, 6}}));
    QCOMPARE(matches("\\b|b", true, true), QList<CellRange>({{6, 7}, {9, 10}})); // No empty ones.
}

void TestShownLine::aSelectionRunsOverLines()
{
    const LogSelection selection{{5, 2}, {3, 7}};
    QCOMPARE(selection.begin().line, 3);
    QCOMPARE(selection.cellsOf(2), CellRange());
    QCOMPARE(selection.cellsOf(3), CellRange({7, LogSelection::endOfLine}));
    QCOMPARE(selection.cellsOf(4), CellRange({0, LogSelection::endOfLine}));
    QCOMPARE(selection.cellsOf(5), CellRange({0, 2}));
    QVERIFY(LogSelection().isEmpty());
}

} // namespace tst_shownline

RANKDECK_TEST(tst_shownline, TestShownLine)
#include "tst_shownline.moc"
