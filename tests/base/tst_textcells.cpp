#include "base/textcells.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_textcells
{

using namespace rankdeck;

class TextCellsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChineseCharacterIsTwoCellsWide();
    void textFillsItsCells();
    void aLineBreaksBetweenChineseCharacters();
    void aLineDoesNotBeginWithAComma();
    void englishBreaksAtBlanks();
};

void TextCellsTest::aChineseCharacterIsTwoCellsWide()
{
    QCOMPARE(cellWidth(u"rank"), 4);
    QCOMPARE(cellWidth(u"节点"), 4);
    QCOMPARE(cellWidth(u"，"), 2);
    // An emoji, and a letter with a mark that joins it: as in the window, whatever the locale says.
    QCOMPARE(cellWidth(u"\U0001F600"), 2);
    QCOMPARE(cellWidth(u"e\u0301"), 1);
}

void TextCellsTest::textFillsItsCells()
{
    QCOMPARE(filled(QStringLiteral("节点"), 6), QStringLiteral("节点  "));
    QCOMPARE(filled(QStringLiteral("节点"), 6, true), QStringLiteral("  节点"));
    QCOMPARE(filled(QStringLiteral("节点"), 3), QStringLiteral("节点"));
    QCOMPARE(inCells(QStringLiteral("集合通信"), 6), QStringLiteral("集合… "));
}

void TextCellsTest::aLineBreaksBetweenChineseCharacters()
{
    QCOMPARE(brokenLines(QStringLiteral("启动 rank 失败"), 7, 10),
             QStringList({QStringLiteral("启动"), QStringLiteral("rank 失败")}));
    QCOMPARE(brokenLines(QStringLiteral("集合通信超时"), 4, 8),
             QStringList({QStringLiteral("集合"), QStringLiteral("通信超时")}));
}

void TextCellsTest::aLineDoesNotBeginWithAComma()
{
    QCOMPARE(brokenLines(QStringLiteral("任务结束，退出"), 8, 8),
             QStringList({QStringLiteral("任务结"), QStringLiteral("束，退出")}));
}

void TextCellsTest::englishBreaksAtBlanks()
{
    QCOMPARE(brokenLines(QStringLiteral("a run that ended"), 5, 10),
             QStringList({QStringLiteral("a run"), QStringLiteral("that ended")}));
    QCOMPARE(brokenLines(QString(), 5, 10), QStringList({QString()}));
}

} // namespace tst_textcells

RANKDECK_TEST(tst_textcells, TextCellsTest)

#include "tst_textcells.moc"
