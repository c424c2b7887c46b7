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
    QCOMPARE(filled(u"节点"_s, 6), u"节点  "_s);
    QCOMPARE(filled(u"节点"_s, 6, true), u"  节点"_s);
    QCOMPARE(filled(u"节点"_s, 3), u"节点"_s);
    QCOMPARE(inCells(u"集合通信"_s, 6), u"集合… "_s);
}

void TextCellsTest::aLineBreaksBetweenChineseCharacters()
{
    QCOMPARE(brokenLines(u"启动 rank 失败"_s, 7, 10), QStringList({u"启动"_s, u"rank 失败"_s}));
    QCOMPARE(brokenLines(u"集合通信超时"_s, 4, 8), QStringList({u"集合"_s, u"通信超时"_s}));
}

void TextCellsTest::aLineDoesNotBeginWithAComma()
{
    QCOMPARE(brokenLines(u"任务结束，退出"_s, 8, 8), QStringList({u"任务结"_s, u"束，退出"_s}));
}

void TextCellsTest::englishBreaksAtBlanks()
{
    QCOMPARE(brokenLines(u"a run that ended"_s, 5, 10), QStringList({u"a run"_s, u"that ended"_s}));
    QCOMPARE(brokenLines(QString(), 5, 10), QStringList({QString()}));
}

} // namespace tst_textcells

RANKDECK_TEST(tst_textcells, TextCellsTest)

#include "tst_textcells.moc"
