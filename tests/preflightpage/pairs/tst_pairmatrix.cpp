#include "canvas/drawing/rastercanvas.h"
#include "preflight/pairs/pairmatrix.h"
#include "preflight/pairs/selftestview.h"
#include "support/windowtest.h"
#include "widgets/tone.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QToolTip>

namespace tst_pairmatrix
{

using namespace rankdeck;

namespace
{

constexpr int deadlineMs = 30'000;

SelfTestResults pairsOf(int ranks)
{
    SelfTestResults results(ranks);
    for (int from = 0; from < ranks; ++from) {
        for (int to = from + 1; to < ranks; ++to)
            results.pairs.push_back({from, to, 20.0 + to % 3, 3100, 3000, {}});
    }
    return results;
}

PairResult &pairIn(SelfTestResults &results, int from, int to)
{
    return *std::find_if(results.pairs.begin(), results.pairs.end(),
                         [=](const PairResult &pair) { return pair.from == from && pair.to == to; });
}

QStringList twoNodes(int ranks)
{
    QStringList nodes;
    for (int rank = 0; rank < ranks; ++rank)
        nodes << (rank < ranks / 2 ? u"node1"_s : u"node2"_s);
    return nodes;
}

/// What a matrix draws, and how much of it.
class DrawnMatrix : public PairMatrix
{
public:
    struct Counted : RasterCanvas {
        void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override
        {
            texts << text.toString();
            if (style.background.isValid())
                leastContrast = std::min(leastContrast, contrastRatio(style.foreground, style.background));
            RasterCanvas::text(topLeft, text, style, clip);
        }
        QStringList texts;
        double leastContrast = 21;
    };
    Counted drawn(bool everything = true)
    {
        Counted canvas;
        canvas.reset(size(), font(), 1);
        drawCanvas(canvas, everything);
        return canvas;
    }
};

PairTable tableOf(const SelfTestResults &results, const RankNames &names = {})
{
    return {static_cast<int>(results.ranks.size()), results.pairs, names};
}

} // namespace

class TestPairMatrix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsSayWhatWasMeasured()
    {
        SelfTestResults results = pairsOf(4);
        pairIn(results, 0, 3).thereMBs = 3100;
        pairIn(results, 0, 3).backMBs = 2900;
        const PairTable table = tableOf(results);
        QCOMPARE(table.words(0, 3), u"rank 0 – rank 3: 20 us, 3,100 MB/s there, 2,900 MB/s back"_s);
        QCOMPARE(table.words(3, 0), u"rank 3 – rank 0: 20 us, 2,900 MB/s there, 3,100 MB/s back"_s);
        QCOMPARE(table.cell(3, 0, PairMeasure::Bandwidth).value, 2900.0);
        QCOMPARE(table.cell(0, 3, PairMeasure::Bandwidth).value, 3100.0);
        QCOMPARE(table.cell(2, 2, PairMeasure::Latency).kind, PairCell::Kind::Diagonal);
        QCOMPARE(pairCellText(table.cell(0, 3, PairMeasure::Latency)), u"20"_s);
    }

    void aPairThatWasNotMeasuredIsADot()
    {
        SelfTestResults results(4);
        results.pairs.push_back({0, 1, 20, 100, 100, {}});
        const PairTable table = tableOf(results);
        QCOMPARE(pairCellText(table.cell(2, 3, PairMeasure::Latency)), u"·"_s);
        QCOMPARE(table.words(2, 3), u"rank 2 – rank 3: not measured"_s);
    }

    void aSlowPairStandsOut()
    {
        SelfTestResults results = pairsOf(8);
        pairIn(results, 2, 5).latencyUs = 250;
        const PairTable table = tableOf(results, {twoNodes(8), {}});
        QCOMPARE(table.oddCount(PairMeasure::Latency), 1);
        QCOMPARE(table.oddCount(PairMeasure::Bandwidth), 0);
        QCOMPARE(table.oddPlace(0, PairMeasure::Latency), std::pair(2, 5));
        QVERIFY(!table.cell(5, 2, PairMeasure::Bandwidth).isOdd);
        QVERIFY(table.cell(5, 2, PairMeasure::Latency).isOdd);
        QCOMPARE(pairCellText(table.cell(2, 5, PairMeasure::Latency)), u"! 250"_s);
        const QString why = oddPairs(results.pairs).front().why;
        QVERIFY(!why.isEmpty());
        const QString words = table.words(2, 5);
        QVERIFY2(words.startsWith(u"rank 2 (node1) – rank 5 (node2): 250 us"_s), qPrintable(words));
        QVERIFY2(words.endsWith(why), qPrintable(words));
    }

    void aPairWithoutAWayHasItsProblem()
    {
        SelfTestResults results = pairsOf(4);
        pairIn(results, 1, 2) = {1, 2, 0, 0, 0, u"no connection to 10.0.0.3:40123 within 3 s"_s};
        const PairTable table = tableOf(results);
        QCOMPARE(pairCellText(table.cell(2, 1, PairMeasure::Bandwidth)), u"× fail"_s);
        QCOMPARE(table.words(1, 2), u"rank 1 – rank 2: × no connection to 10.0.0.3:40123 within 3 s"_s);
        // It counts for nothing on the scale.
        QCOMPARE(table.range(PairMeasure::Latency), std::pair(20.0, 22.0));
        QVERIFY(table.text(PairMeasure::Latency).contains(u"1\t21.0\t\tx\t20.0\n"_s));
    }

    void anAsymmetricPairIsSeenInBandwidth()
    {
        SelfTestResults results = pairsOf(8);
        pairIn(results, 1, 6).backMBs = 200;
        DrawnMatrix matrix;
        matrix.resize(900, 500);
        matrix.setMeasure(PairMeasure::Bandwidth);
        matrix.setTable(tableOf(results));
        const QStringList texts = matrix.drawn().texts;
        QVERIFY(texts.contains(u"! 200"_s));
        QVERIFY(texts.contains(u"! 3100"_s));
        QVERIFY(matrix.scale().color(200) != matrix.scale().color(3100));
    }

    void narrowCellsKeepTheirNumbers()
    {
        SelfTestResults results = pairsOf(8);
        pairIn(results, 2, 5).thereMBs = 500;
        DrawnMatrix matrix;
        matrix.setMeasure(PairMeasure::Bandwidth);
        matrix.setTable(tableOf(results));
        const int wide = matrix.canvas().cellSize().width();
        matrix.resize((PairGeometry::cellCharacters * wide) * 8 + 8 * wide + 18, 500);
        const QStringList texts = matrix.drawn().texts;
        QVERIFY2(texts.contains(u"!3000"_s), qPrintable(texts.join(u' ')));
        QVERIFY(texts.contains(u"3100"_s));
    }

    void numbersAreLegible_data()
    {
        QTest::addColumn<QColor>("base");
        QTest::addColumn<QColor>("text");
        QTest::newRow("light") << QColor(Qt::white) << QColor(Qt::black);
        QTest::newRow("dark") << QColor(0x1b1b1b) << QColor(0xeeeeee);
    }
    void numbersAreLegible()
    {
        QFETCH(QColor, base);
        QFETCH(QColor, text);
        QPalette palette;
        palette.setColor(QPalette::Base, base);
        palette.setColor(QPalette::Text, text);
        SelfTestResults results = pairsOf(8);
        for (std::size_t at = 0; at < results.pairs.size(); ++at)
            results.pairs[at].latencyUs = 10 * std::pow(1.2, double(at));
        pairIn(results, 3, 4).problem = u"no way"_s;
        DrawnMatrix matrix;
        matrix.resize(900, 500);
        matrix.setPalette(palette);
        matrix.setTable(tableOf(results));
        const auto drawn = matrix.drawn();
        QVERIFY2(drawn.leastContrast >= 4.5, qPrintable(QString::number(drawn.leastContrast)));
        QVERIFY(drawn.texts.contains(u"× fail"_s));
    }

    void whatStandsOutHasAFrame()
    {
        SelfTestResults results = pairsOf(8);
        pairIn(results, 2, 5).latencyUs = 250;
        for (const QSize size : {QSize(900, 500), QSize(200, 160)}) {
            DrawnMatrix matrix;
            matrix.resize(size);
            matrix.setTable(tableOf(results));
            const QImage image = matrix.drawn().image();
            const PairGeometry parts = matrix.geometryOfParts();
            const QColor frame = toneColor(Tone::Bad, matrix.palette());
            QCOMPARE(image.pixelColor(parts.cell(2, 5).topLeft()), frame);
            QCOMPARE(image.pixelColor(parts.cell(5, 2).bottomRight()), frame);
            QVERIFY(image.pixelColor(parts.cell(2, 4).topLeft()) != frame);
        }
    }

    void onlyWhatChangedIsDrawn()
    {
        SelfTestResults results = pairsOf(8);
        DrawnMatrix matrix;
        matrix.resize(900, 500);
        matrix.setTable(tableOf(results));
        QVERIFY(matrix.drawn(true).texts.size() > 56);
        pairIn(results, 0, 1).latencyUs = 21.4;
        matrix.setTable(tableOf(results));
        QCOMPARE(matrix.drawn(false).texts, (QStringList{u"21"_s, u"21"_s}));
        QVERIFY(matrix.drawn(false).texts.isEmpty());
    }

    void sixtyFourRanksAreAllSeen()
    {
        SelfTestResults results = pairsOf(64);
        pairIn(results, 0, 63).latencyUs = 400;
        DrawnMatrix matrix;
        matrix.resize(900, 620);
        matrix.setTable(tableOf(results));
        const PairGeometry parts = matrix.geometryOfParts();
        QVERIFY(!parts.isScrolled());
        QVERIFY(!parts.hasNumbers());
        QVERIFY(matrix.rect().contains(parts.cell(63, 63)));
        QVERIFY(!parts.cell(0, 0).intersects(parts.cell(0, 1)));
        matrix.setCursorTo(0, 63);
        QVERIFY2(matrix.words().contains(u"400 us"_s), qPrintable(matrix.words()));
        const QImage image = matrix.drawn().image();
        QCOMPARE(image.pixelColor(parts.cell(0, 63).topLeft()), toneColor(Tone::Bad, matrix.palette()));
    }

    void moreThanFitIsScrolledToTheCursor()
    {
        DrawnMatrix matrix;
        matrix.resize(400, 300);
        matrix.setTable(tableOf(pairsOf(64)));
        QVERIFY(matrix.geometryOfParts().isScrolled());
        matrix.setCursorTo(63, 63);
        QVERIFY(!matrix.geometryOfParts().cell(63, 63).isEmpty());
        QVERIFY(matrix.geometryOfParts().cell(0, 0).isEmpty());
        matrix.setCursorTo(0, 0);
        QVERIFY(!matrix.geometryOfParts().cell(0, 0).isEmpty());
    }

    void ofManyRanksThoseThatWereMeasuredHaveARow()
    {
        SelfTestResults results(1024);
        for (int node = 0; node < 128; ++node)
            results.pairs.push_back(
                {node * 8, (node * 8 + 8) % 1024 ? node * 8 + 8 : 1023, 20, 100, 100, {}});
        const PairTable table = tableOf(results);
        QCOMPARE(table.count(), 129);
        QCOMPARE(table.ranks().at(1), 8);
        QCOMPARE(table.cell(0, 1, PairMeasure::Latency).kind, PairCell::Kind::Measured);
    }

    void ranksAreNumberedAsTheLaunchDoes()
    {
        const PairTable table = tableOf(pairsOf(3), {{}, {0, 8, 16}});
        QVERIFY(table.words(1, 2).startsWith(u"rank 8 – rank 16: "_s));
        QVERIFY(table.text(PairMeasure::Latency).startsWith(u"us\t0\t8\t16\n0\t"_s));
    }

    void hostilePairsAreLeftOut()
    {
        const PairTable table(4, {{-1, 2, 1, 1, 1, {}}, {2, 9, 1, 1, 1, {}}, {3, 3, 1, 1, 1, {}}}, {});
        QVERIFY(!table.isMeasured());
        QCOMPARE(table.count(), 4);
    }

    void theKeyboardReachesEverything()
    {
        SelfTestResults results = pairsOf(8);
        pairIn(results, 2, 5).latencyUs = 250;
        PairPane pane;
        pane.resize(800, 500);
        pane.setResults(results, {});
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane, deadlineMs));
        PairMatrix *matrix = pane.matrix();
        auto *words = pane.findChild<QLabel *>(u"pairWords"_s);
        QCOMPARE(matrix->cursor(), QPoint(1, 0));
        QTest::keyClick(matrix, Qt::Key_Right);
        QCOMPARE(matrix->cursor(), QPoint(2, 0));
        QVERIFY(words->text().startsWith(u"rank 0 – rank 2: 22 us"_s));
        QCOMPARE(matrix->accessibleDescription(), words->text());
        QTest::keyClick(matrix, Qt::Key_Down);
        QTest::keyClick(matrix, Qt::Key_End);
        QCOMPARE(matrix->cursor(), QPoint(7, 1));
        QTest::keyClick(matrix, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(matrix, Qt::Key_Left);
        QCOMPARE(matrix->cursor(), QPoint(0, 0));
        QTest::keyClick(matrix, Qt::Key_N);
        QCOMPARE(matrix->cursor(), QPoint(5, 2));
        QTest::keyClick(matrix, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n'_L1);
        QCOMPARE(lines.at(0), u"us\t0\t1\t2\t3\t4\t5\t6\t7"_s);
        QVERIFY(lines.at(3).contains(u"\t250.0\t"_s));
        pane.findChild<QComboBox *>(u"measureChoice"_s)->setCurrentIndex(1);
        QCOMPARE(matrix->measure(), PairMeasure::Bandwidth);
        auto *next = pane.findChild<QPushButton *>(u"nextOddButton"_s);
        QVERIFY(!next->isVisible());
        auto *choice = pane.findChild<QComboBox *>(u"measureChoice"_s);
        QCOMPARE(choice->itemText(0), u"Latency, us (! 1)"_s);
        QCOMPARE(choice->itemText(1), u"Bandwidth, MB/s"_s);
        choice->setCurrentIndex(0);
        QVERIFY(next->isVisible());
        QVERIFY(next->text().contains("1 pair"_L1));
    }

    void aToolTipSaysTheCellAsPlainText()
    {
        SelfTestResults results = pairsOf(4);
        pairIn(results, 0, 1).problem = u"<b>no</b> way"_s;
        PairMatrix matrix;
        matrix.resize(800, 500);
        matrix.setTable(tableOf(results));
        matrix.show();
        QVERIFY(QTest::qWaitForWindowExposed(&matrix, deadlineMs));
        const QPoint place = matrix.geometryOfParts().cell(0, 1).center();
        QHelpEvent help(QEvent::ToolTip, place, matrix.mapToGlobal(place));
        QApplication::sendEvent(&matrix, &help);
        QVERIFY2(QToolTip::text().contains("&lt;b&gt;no&lt;/b&gt; way"_L1), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void aPressMovesTheCursor()
    {
        PairMatrix matrix;
        matrix.resize(800, 500);
        matrix.setTable(tableOf(pairsOf(8)));
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.geometryOfParts().cell(3, 6).center());
        QCOMPARE(matrix.cursor(), QPoint(6, 3));
    }

    void nothingMeasuredIsSaid()
    {
        PairPane pane;
        pane.setResults(SelfTestResults(8), {});
        QCOMPARE(pane.findChild<QLabel *>(u"pairWords"_s)->text(),
                 u"No pair of ranks has been measured yet."_s);
        QVERIFY(pane.findChild<QPushButton *>(u"nextOddButton"_s)->isHidden());
    }

    void numbersOfCellsAreShort_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("small") << 8.26 << u"8.3"_s;
        QTest::newRow("usual") << 123.4 << u"123"_s;
        QTest::newRow("thousands") << 3100.0 << u"3100"_s;
        QTest::newRow("more") << 12'400.0 << u"12k"_s;
        QTest::newRow("millions") << 3.2e6 << u"3M"_s;
        QTest::newRow("absurd") << 1e30 << u">1G"_s;
    }
    void numbersOfCellsAreShort()
    {
        QFETCH(double, value);
        QTEST(shortNumber(value), "text");
    }
};

} // namespace tst_pairmatrix

RANKDECK_WINDOW_TEST(tst_pairmatrix, TestPairMatrix)
#include "tst_pairmatrix.moc"
