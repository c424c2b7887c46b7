#include "canvas/drawing/rastercanvas.h"
#include "preflight/pairs/bandwidthplot.h"
#include "preflight/pairs/pairmatrix.h"
#include "preflight/pairs/rankgroups.h"
#include "preflight/pairs/selftestview.h"
#include "support/windowtest.h"

#include <QApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QTest>

namespace tst_rankgroups
{

using namespace rankdeck;

namespace
{

constexpr int deadlineMs = 30'000;

SelfTestResults inGroups(int ranks, int groupSize)
{
    SelfTestResults results(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        results.ranks[rank].stage = SelfTestStage::Collectives;
        if (rank % groupSize == 0)
            results.groups.append(QList<int>());
        results.groups.last().append(rank);
    }
    return results;
}

class DrawnGroups : public RankGroups
{
public:
    struct Recorded : RasterCanvas {
        void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override
        {
            texts << text.toString();
            colors << style.foreground;
            RasterCanvas::text(topLeft, text, style, clip);
        }
        QStringList texts;
        QList<QColor> colors;
    };
    Recorded drawn(bool everything = true)
    {
        Recorded canvas;
        canvas.reset(size(), font(), 1);
        drawCanvas(canvas, everything);
        return canvas;
    }
};

} // namespace

class TestRankGroups : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void groupsHaveLettersAndColors()
    {
        DrawnGroups grid;
        grid.resize(900, 300);
        grid.setResults(inGroups(8, 4), {});
        const auto drawn = grid.drawn();
        const auto first = drawn.texts.indexOf(u"group A of 4"_s);
        const auto second = drawn.texts.indexOf(u"group B of 4"_s);
        QVERIFY(first >= 0 && second >= 0);
        QVERIFY(drawn.colors.at(first) != drawn.colors.at(second));
        QCOMPARE(drawn.texts.count(u"group A of 4"_s), 4);
        QVERIFY(drawn.texts.contains(u"rank 7"_s));
        QVERIFY(drawn.texts.contains(shownStage(SelfTestStage::Collectives)));
    }

    void lettersGoOnBehindZ()
    {
        QCOMPARE(groupLetter(0), u"A"_s);
        QCOMPARE(groupLetter(25), u"Z"_s);
        QCOMPARE(groupLetter(26), u"AA"_s);
        QCOMPARE(groupLetter(51), u"AZ"_s);
        QCOMPARE(groupLetter(52), u"BA"_s);
    }

    void aSingleGroupIsAllRanks()
    {
        RankGroups grid;
        grid.setResults(inGroups(4, 4), {});
        QCOMPARE(grid.cellLines(grid.cell(2)).constLast(), u"all ranks"_s);
        QVERIFY(grid.wordsOf(2).endsWith(u"in one group with all ranks"_s));
    }

    void everyStageHasItsWordAndSign()
    {
        QSet<QString> signs;
        for (const auto stage :
             {SelfTestStage::Missing, SelfTestStage::Arrived, SelfTestStage::Pairs, SelfTestStage::Connecting,
              SelfTestStage::Collectives, SelfTestStage::Done, SelfTestStage::Failed}) {
            const QString shown = shownStage(stage);
            QVERIFY2(shown.endsWith(selfTestStageWord(stage)), qPrintable(shown));
            signs.insert(shown.left(1));
        }
        QCOMPARE(signs.size(), 7);
    }

    void aRankThatFailedSaysWhy()
    {
        SelfTestResults results = inGroups(8, 2);
        results.ranks[3] = {SelfTestStage::Failed, u"rank 2 has <b>gone</b> away"_s};
        DrawnGroups grid;
        grid.resize(900, 300);
        const QString one = u"node1"_s;
        const QString other = u"node2"_s;
        grid.setResults(results, {{one, one, one, one, other, other, other, other}, {}});
        QCOMPARE(grid.wordsOf(3), u"rank 3 on node1: × failed, rank 2 has <b>gone</b> away, "
                                  "in group B: ranks 2-3"_s);
        const QStringList texts = grid.drawn().texts;
        QVERIFY(texts.contains(u"× failed"_s));
        QVERIFY(texts.contains(u"node1: 4 ranks, × 1 failed"_s));
        QVERIFY(texts.contains(u"node2: 4 ranks"_s));
    }

    void onlyWhatChangedIsDrawn()
    {
        SelfTestResults results = inGroups(8, 4);
        DrawnGroups grid;
        grid.resize(900, 300);
        grid.setResults(results, {});
        QVERIFY(grid.drawn(true).texts.size() > 20);
        results.ranks[5].stage = SelfTestStage::Done;
        grid.setResults(results, {});
        QCOMPARE(grid.drawn(false).texts, (QStringList{u"rank 5"_s, u"✓ done"_s, u"group B of 4"_s}));
    }

    void cellsAreSmallWhereLargeOnesHaveNoRoom()
    {
        RankGroups grid;
        grid.resize(900, 300);
        grid.setResults(inGroups(8, 4), {});
        QCOMPARE(grid.cellLines(grid.cell(5)).size(), 3);
        grid.resize(300, 160);
        QResizeEvent narrower({300, 160}, {900, 300});
        QApplication::sendEvent(&grid, &narrower);
        QCOMPARE(grid.cellLines(grid.cell(5)).constFirst(), u"5  B"_s);
    }

    void sixtyFourRanksHaveSmallCells()
    {
        DrawnGroups grid;
        grid.resize(900, 520);
        grid.setResults(inGroups(64, 2), {});
        for (int rank = 0; rank < 64; ++rank)
            QVERIFY2(grid.rect().contains(grid.cellRect(rank)) && !grid.cellRect(rank).isEmpty(),
                     qPrintable(QString::number(rank)));
        QVERIFY(grid.drawn().texts.contains(u"63  AF"_s));
    }

    void theKeyboardReachesEveryRank()
    {
        DrawnGroups grid;
        grid.resize(500, 200);
        grid.setResults(inGroups(64, 8), {});
        QTest::keyClick(&grid, Qt::Key_End);
        QCOMPARE(grid.currentRank(), 63);
        QVERIFY(!grid.cellRect(63).isEmpty());
        QCOMPARE(grid.accessibleDescription(), grid.wordsOf(63));
        QTest::keyClick(&grid, Qt::Key_Left);
        QCOMPARE(grid.currentRank(), 62);
        QTest::keyClick(&grid, Qt::Key_Home);
        QCOMPARE(grid.currentRank(), 0);
    }

    void theViewShowsAllThree()
    {
        SelfTestResults results = inGroups(4, 2);
        results.pairs.push_back({0, 1, 20, 3000, 3000, {}});
        results.collectives.push_back({u"allreduce sum"_s, {0, 1, 2, 3}, 65'536, 1, {}});
        SelfTestView view;
        view.resize(940, 500);
        view.setResults(results, {});
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, deadlineMs));
        QCOMPARE(view.groups()->count(), 4);
        QVERIFY(view.matrix()->table().isMeasured());
        QCOMPARE(view.plot()->curves().size(), 1);
        QCOMPARE(view.findChild<QLabel *>(u"bandwidthWords"_s)->text(), u"64 KiB: 4 ranks 66 MB/s"_s);
        QVERIFY(view.findChild<QLabel *>(u"groupWords"_s)->text().contains("group A"_L1));
        results.pairs.push_back({2, 3, 20, 3000, 3000, {}});
        view.setResults(results, {});
        QCOMPARE(view.matrix()->table().cell(2, 3, PairMeasure::Latency).kind, PairCell::Kind::Measured);
        view.setResults(SelfTestResults(4), {});
        QVERIFY(!view.matrix()->table().isMeasured());
        QVERIFY(view.plot()->curves().isEmpty());
    }
};

} // namespace tst_rankgroups

RANKDECK_WINDOW_TEST(tst_rankgroups, TestRankGroups)
#include "tst_rankgroups.moc"
