#include "canvas/cells/celltext.h"
#include "canvas/drawing/rastercanvas.h"
#include "support/windowtest.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTest>

#include <cmath>

namespace tst_rastercanvas
{

using namespace rankdeck;

namespace
{

const TextStyle blackOnWhite{Qt::black, Qt::white};
constexpr QRect everywhere(0, 0, 10000, 10000);

/// How many pixels of `area` (device-independent) have another colour than `background`.
int inkIn(const RasterCanvas &canvas, const QRect &area, const QColor &background = Qt::white)
{
    const QImage &image = canvas.image();
    const qreal ratio = image.devicePixelRatio();
    int ink = 0;
    for (int y = int(area.top() * ratio); y < int((area.bottom() + 1) * ratio); ++y) {
        for (int x = int(area.left() * ratio); x < int((area.right() + 1) * ratio); ++x)
            ink += image.pixelColor(x, y) != background;
    }
    return ink;
}

} // namespace

class TestRasterCanvas : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyClusterKeepsToItsCells_data();
    void everyClusterKeepsToItsCells();
    void aCharacterLooksAsAPainterDrawsIt();
    void aCharacterLooksTheSameInARunAndAlone();
    void textStaysInsideItsClip();
    void anInvalidBackgroundLeavesWhatIsThere();
    void underlineSpansTheText();
    void scrollMovesPixels_data();
    void scrollMovesPixels();
    void scrollMovesWhatIsNotShownYet();
    void aLineIsWholeDevicePixels_data();
    void aLineIsWholeDevicePixels();
    void onlyWhatWasDrawnIsDirty();
};

void TestRasterCanvas::everyClusterKeepsToItsCells_data()
{
    QTest::addColumn<qreal>("ratio");
    QTest::newRow("1") << 1.0;
    QTest::newRow("1.25") << 1.25;
    QTest::newRow("2") << 2.0;
}

void TestRasterCanvas::everyClusterKeepsToItsCells()
{
    QFETCH(qreal, ratio);
    RasterCanvas canvas;
    canvas.reset({800, 40}, QFont(), ratio);
    const QSize cell = canvas.cellSize();

    // A blank between any two: ink in the blank would mean that a character ran out of its cells.
    const QString text = u"第 3 轮 a 训 M 练 i"_s;
    canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
    canvas.text({0, 0}, text, blackOnWhite, everywhere);
    int x = 0;
    for (qsizetype at = 0; at < text.size();) {
        const Cluster cluster = clusterAt(text, at);
        const QRect cells(x, 0, cluster.cells * cell.width(), cell.height());
        // The outermost device pixel may be shared where the ratio is not whole.
        if (text[at] == ' '_L1)
            QCOMPARE(inkIn(canvas, cells.adjusted(1, 0, -1, 0)), 0);
        else
            QVERIFY2(inkIn(canvas, cells) > 0, qPrintable(text.mid(at, cluster.size)));
        x += cells.width();
        at += cluster.size;
    }
    QCOMPARE(inkIn(canvas, QRect(x, 0, canvas.size().width() - x, cell.height())), 0);
}

void TestRasterCanvas::aCharacterLooksAsAPainterDrawsIt()
{
    RasterCanvas canvas;
    canvas.reset({400, 40}, QFont(), 1.0);
    const QSize cell = canvas.cellSize();
    QFont plain;
    plain.setFamilies({u"DejaVu Sans Mono"_s, u"Noto Sans Mono CJK SC"_s, u"Noto Sans CJK SC"_s,
                       u"WenQuanYi Zen Hei Mono"_s, u"monospace"_s});
    plain.setStyleHint(QFont::Monospace);
    plain.setFixedPitch(true);
    const int margin = cell.width();
    // Alone in the middle of its cells, a cell's width of white around.
    const auto painted = [&](const QString &cluster) {
        QImage image(QSize(cellWidth(cluster) * cell.width() + 2 * margin, cell.height()),
                     QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setFont(plain);
        const QFontMetricsF metrics(plain);
        const qreal spare = cellWidth(cluster) * cell.width() - metrics.horizontalAdvance(cluster);
        painter.drawText(QPointF(margin + std::max(0.0, std::floor(spare / 2)), std::ceil(metrics.ascent())),
                         cluster);
        return image;
    };
    const auto drawn = [&](const QString &cluster) {
        canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
        canvas.text({margin, 0}, cluster, blackOnWhite, everywhere);
        return canvas.image().copy(0, 0, cellWidth(cluster) * cell.width() + 2 * margin, cell.height());
    };
    // How much of the ink of both differs, 0 .. 1, with the best fit of a pixel up or down.
    const auto difference = [](const QImage &one, const QImage &other) {
        double least = 1;
        for (const int dy : {-1, 0, 1}) {
            double differs = 0;
            double ink = 0;
            for (int y = 1; y < one.height() - 1; ++y) {
                for (int x = 0; x < one.width(); ++x) {
                    const int a = 255 - qGray(one.pixel(x, y));
                    const int b = 255 - qGray(other.pixel(x, y + dy));
                    differs += std::abs(a - b);
                    ink += a + b;
                }
            }
            least = std::min(least, ink > 0 ? differs / ink : 1);
        }
        return least;
    };
    const QStringList clusters{u"a"_s, u"W"_s, u"g"_s, u"3"_s, u"\u4e2d"_s, u"\u8bad"_s, u"e\u0301"_s};
    constexpr double tolerance = 0.15;
    for (const QString &cluster : clusters) {
        for (const QString &other : clusters) {
            if (cellWidth(cluster) != cellWidth(other))
                continue;
            const double differs = difference(drawn(cluster), painted(other));
            QVERIFY2((differs <= tolerance) == (cluster == other),
                     qPrintable(u"%1 beside %2: %3"_s.arg(cluster, other).arg(differs)));
        }
    }
}

void TestRasterCanvas::aCharacterLooksTheSameInARunAndAlone()
{
    RasterCanvas canvas;
    canvas.reset({2000, 60}, QFont(), 1.0);
    const QSize cell = canvas.cellSize();
    canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
    const QString run = u"x"_s.repeated(200);
    canvas.text({0, 0}, run, blackOnWhite, everywhere);
    canvas.text({199 * cell.width(), cell.height()}, u"x", blackOnWhite, everywhere);
    const QImage inRun = canvas.image().copy(QRect(QPoint(199 * cell.width(), 0), cell));
    const QImage alone = canvas.image().copy(QRect(QPoint(199 * cell.width(), cell.height()), cell));
    QVERIFY(inkIn(canvas, QRect(QPoint(199 * cell.width(), 0), cell)) > 0);
    QCOMPARE(inRun, alone);
}

void TestRasterCanvas::textStaysInsideItsClip()
{
    RasterCanvas canvas;
    canvas.reset({200, 40}, QFont(), 1.0);
    canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
    canvas.text({0, 0}, u"MMMMMMMM", {Qt::black, Qt::yellow}, QRect(0, 0, 20, 40));
    QVERIFY(inkIn(canvas, QRect(0, 0, 20, 40)) > 0);
    QCOMPARE(inkIn(canvas, QRect(20, 0, 180, 40)), 0);
}

void TestRasterCanvas::anInvalidBackgroundLeavesWhatIsThere()
{
    RasterCanvas canvas;
    canvas.reset({100, 40}, QFont(), 1.0);
    canvas.fill(QRect(QPoint(), canvas.size()), Qt::green);
    canvas.text({0, 0}, u" ", {Qt::black, QColor()}, everywhere);
    QCOMPARE(inkIn(canvas, QRect(QPoint(), canvas.size()), Qt::green), 0);
}

void TestRasterCanvas::underlineSpansTheText()
{
    RasterCanvas canvas;
    canvas.reset({100, 40}, QFont(), 1.0);
    canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
    TextStyle style = blackOnWhite;
    style.underline = true;
    canvas.text({0, 0}, u"   ", style, everywhere);
    const int width = 3 * canvas.cellSize().width();
    QVERIFY(inkIn(canvas, QRect(0, 0, width, canvas.cellSize().height())) >= width);
}

void TestRasterCanvas::scrollMovesPixels_data()
{
    QTest::addColumn<int>("dy");
    QTest::addColumn<int>("redAt");
    QTest::newRow("up") << -10 << 20;
    QTest::newRow("down") << 10 << 40;
    QTest::newRow("out of the area") << -60 << -1;
}

void TestRasterCanvas::scrollMovesPixels()
{
    QFETCH(int, dy);
    QFETCH(int, redAt);
    RasterCanvas canvas;
    canvas.reset({50, 100}, QFont(), 1.0);
    canvas.fill(QRect(0, 0, 50, 100), Qt::white);
    canvas.fill(QRect(0, 30, 50, 10), Qt::red);
    canvas.fill(QRect(0, 80, 50, 10), Qt::blue);
    const QRect area(5, 10, 40, 60);
    canvas.scroll(area, dy);
    if (redAt >= 0) {
        QCOMPARE(canvas.image().pixelColor(5, redAt), QColor(Qt::red));
        QCOMPARE(canvas.image().pixelColor(44, redAt + 9), QColor(Qt::red));
    }
    QCOMPARE(canvas.image().pixelColor(4, 30), QColor(Qt::red));
    QCOMPARE(canvas.image().pixelColor(45, 39), QColor(Qt::red));
    QCOMPARE(canvas.image().pixelColor(20, 80), QColor(Qt::blue));
}

void TestRasterCanvas::scrollMovesWhatIsNotShownYet()
{
    RasterCanvas canvas;
    canvas.reset({50, 100}, QFont(), 1.0);
    canvas.present();
    canvas.fill(QRect(0, 50, 50, 10), Qt::red);
    canvas.scroll(QRect(0, 0, 50, 100), -20);
    QCOMPARE(canvas.dirtyRegion(), QRegion(0, 30, 50, 10) + QRegion(0, 80, 50, 20));
}

void TestRasterCanvas::aLineIsWholeDevicePixels_data()
{
    QTest::addColumn<qreal>("ratio");
    for (const qreal ratio : {1.0, 1.25, 1.5, 1.75, 2.0, 3.0})
        QTest::addRow("%.2f", ratio) << ratio;
}

void TestRasterCanvas::aLineIsWholeDevicePixels()
{
    QFETCH(qreal, ratio);
    RasterCanvas canvas;
    canvas.reset({100, 100}, QFont(), ratio);
    const qreal height = canvas.cellSize().height() * ratio;
    QCOMPARE(height, qreal(qRound(height)));
}

void TestRasterCanvas::onlyWhatWasDrawnIsDirty()
{
    RasterCanvas canvas;
    canvas.reset({200, 100}, QFont(), 1.0);
    canvas.present();
    QVERIFY(canvas.dirtyRegion().isEmpty());
    canvas.fill(QRect(10, 10, 20, 20), Qt::red);
    canvas.text({100, 50}, u"ab", blackOnWhite, everywhere);
    const QSize cell = canvas.cellSize();
    QCOMPARE(canvas.dirtyRegion(),
             QRegion(10, 10, 20, 20) + QRegion(100, 50, 2 * cell.width(), cell.height()));
    canvas.present();
    QVERIFY(canvas.dirtyRegion().isEmpty());
}

} // namespace tst_rastercanvas

RANKDECK_WINDOW_TEST(tst_rastercanvas, TestRasterCanvas)
#include "tst_rastercanvas.moc"
