#include "canvas/drawing/rastercanvas.h"
#include "preflight/pairs/bandwidthplot.h"
#include "support/windowtest.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>

namespace tst_bandwidthplot
{

using namespace rankdeck;

namespace
{

/// @param mbs so that `ms` comes out right.
CollectiveResult allreduce(const QList<int> &ranks, qint64 bytes, double mbs)
{
    return {u"allreduce sum"_s, ranks, bytes, double(bytes) / mbs / 1000, {}};
}

std::vector<CollectiveResult> measured()
{
    std::vector<CollectiveResult> results;
    for (const qint64 bytes : {4LL, 65'536LL, 1'048'576LL, 16'777'216LL}) {
        results.push_back(allreduce({0, 1, 2, 3}, bytes, bytes == 4 ? 0.02 : 800));
        results.push_back(allreduce({0, 1}, bytes, bytes == 4 ? 0.05 : 1500));
        results.push_back(allreduce({2, 3}, bytes, bytes == 4 ? 0.05 : 1240));
    }
    return results;
}

class DrawnPlot : public BandwidthPlot
{
public:
    struct Recorded : RasterCanvas {
        void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override
        {
            texts << text.toString();
            RasterCanvas::text(topLeft, text, style, clip);
        }
        QStringList texts;
    };
    Recorded drawn()
    {
        Recorded canvas;
        canvas.reset(size(), font(), 1);
        drawCanvas(canvas, true);
        return canvas;
    }
};

} // namespace

class TestBandwidthPlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCurveForEachNumberOfRanks()
    {
        const QList<BandwidthCurve> curves = bandwidthCurves(measured());
        QCOMPARE(curves.size(), 2);
        QCOMPARE(curves.at(0).ranks, 4);
        QCOMPARE(curves.at(1).ranks, 2);
        QCOMPARE(curves.at(0).points.size(), 4);
        // Of two groups the slower.
        QCOMPARE(qRound(curves.at(1).points.constLast().mbs), 1240);
    }

    void whatIsToldAgainCountsAndWhatIsWrongDoesNot()
    {
        std::vector<CollectiveResult> results = measured();
        results.push_back(allreduce({0, 1, 2, 3}, 65'536, 400));
        CollectiveResult wrong = allreduce({0, 1, 2, 3}, 1'048'576, 9000);
        wrong.problem = u"rank 2: 3 instead of 6"_s;
        results.push_back(wrong);
        CollectiveResult other = allreduce({0, 1, 2, 3}, 1'048'576, 9000);
        other.operation = u"broadcast"_s;
        results.push_back(other);
        results.push_back({u"allreduce sum"_s, {0, 1}, 0, 0, {}});
        const QList<BandwidthCurve> curves = bandwidthCurves(results);
        QCOMPARE(qRound(curves.at(0).points.at(1).mbs), 400);
        QCOMPARE(qRound(curves.at(0).points.at(2).mbs), 800);
        QCOMPARE(sizesOf(curves), (QList<qint64>{4, 65'536, 1'048'576, 16'777'216}));
    }

    void sizesHaveUnits_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("bytes") << qint64(4) << u"4 B"_s;
        QTest::newRow("odd") << qint64(1500) << u"1,500 B"_s;
        QTest::newRow("KiB") << qint64(65'536) << u"64 KiB"_s;
        QTest::newRow("MiB") << qint64(64 << 20) << u"64 MiB"_s;
    }
    void sizesHaveUnits()
    {
        QFETCH(qint64, bytes);
        QTEST(dataSizeText(bytes), "text");
    }

    void theScalesAndTheLinesAreNamed()
    {
        DrawnPlot plot;
        plot.resize(700, 300);
        plot.setCurves(bandwidthCurves(measured()));
        const QStringList texts = plot.drawn().texts;
        for (const char *text : {"4 B", "64 KiB", "16 MiB", "1,500", "4 ranks", "2 ranks"})
            QVERIFY2(texts.contains(QLatin1String(text)), text);
    }

    void pointsAreWhereTheirValuesAre()
    {
        DrawnPlot plot;
        plot.resize(700, 300);
        const QList<BandwidthCurve> curves = bandwidthCurves(measured());
        plot.setCurves(curves);
        const QImage image = plot.drawn().image();
        for (int curve = 0; curve < curves.size(); ++curve) {
            for (const BandwidthCurve::Point &point : curves.at(curve).points) {
                QVERIFY(plot.chart().contains(plot.placeOf(point)));
                // At 4 bytes both are next to nothing.
                if (point.bytes > 4)
                    QCOMPARE(image.pixelColor(plot.placeOf(point)), plot.colorOf(curve));
            }
        }
        QVERIFY(plot.colorOf(0) != plot.colorOf(1));
        // By ratio: 64 KiB is 14 of 22 doublings of 4 bytes on the way to 16 MiB.
        const int width = plot.chart().width() - 1;
        QCOMPARE(plot.placeOf(curves.at(0).points.at(1)).x() - plot.chart().left(),
                 qRound(width * 14 / 22.0));
    }

    void valuesAreReadByKeyboard()
    {
        BandwidthPlot plot;
        plot.resize(700, 300);
        plot.setCurves(bandwidthCurves(measured()));
        QCOMPARE(plot.words(), u"16 MiB: 4 ranks 800 MB/s; 2 ranks 1,240 MB/s"_s);
        QTest::keyClick(&plot, Qt::Key_Home);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(plot.words(), u"64 KiB: 4 ranks 800 MB/s; 2 ranks 1,240 MB/s"_s);
        QCOMPARE(plot.accessibleDescription(), plot.words());
        QTest::keyClick(&plot, Qt::Key_Left);
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(plot.cursor(), 0);
        QTest::keyClick(&plot, Qt::Key_End);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(plot.cursor(), 3);
        QTest::keyClick(&plot, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n'_L1);
        QCOMPARE(lines.at(0), u"bytes\t4 ranks, MB/s\t2 ranks, MB/s"_s);
        QCOMPARE(lines.at(2), u"65536\t800.0\t1240.0"_s);
    }

    void theCursorStaysAtItsSize()
    {
        BandwidthPlot plot;
        plot.resize(700, 300);
        plot.setCurves(bandwidthCurves({allreduce({0, 1}, 65'536, 100)}));
        QTest::keyClick(&plot, Qt::Key_Home);
        plot.setCurves(bandwidthCurves(measured()));
        QCOMPARE(plot.cursor(), 1);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.placeOf({1'048'576, 10}) + QPoint(3, 0));
        QCOMPARE(plot.cursor(), 2);
    }

    void nothingMeasuredIsSaid()
    {
        DrawnPlot plot;
        plot.resize(700, 300);
        QCOMPARE(plot.drawn().texts, QStringList{u"No allreduce has ended yet."_s});
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(plot.cursor(), -1);
    }
};

} // namespace tst_bandwidthplot

RANKDECK_WINDOW_TEST(tst_bandwidthplot, TestBandwidthPlot)
#include "tst_bandwidthplot.moc"
