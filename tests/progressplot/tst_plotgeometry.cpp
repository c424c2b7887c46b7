#include "plot/plotgeometry.h"
#include "support/testmain.h"

#include <QPair>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tst_plotgeometry
{

using namespace rankdeck;

/// Where what is in a plot stands.
class TestPlotGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAxisHasRoundMarks_data();
    void anAxisHasRoundMarks();
    void stepsAreSeldomPassed();
    void partsDoNotOverlap_data();
    void partsDoNotOverlap();
    void eachColumnReachesFromItsLeastToItsMost();
    void aCurveHangsTogether();
    void aGapIsNotBridged();
    void aSpikeIsNotLost();
    void whatIsNoNumberIsMarked();
    void columnsAndStepsBelongTogether();
    void chartsStandBesideEachOther();
    void timesHaveRoundMarks_data();
    void timesHaveRoundMarks();
    void numbersStandApart();
    void powersOfTenAreEquallyFar();
    void aPartOfACurveReachesItsEnds();
    void smoothingKeepsTheFirstValueAndTheMean();
};

void TestPlotGeometry::anAxisHasRoundMarks_data()
{
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::addColumn<QString>("marks");
    QTest::newRow("loss") << 1.83 << 10.53 << "0 5 10 15";
    QTest::newRow("small") << 1e-7 << 4e-7 << "1e-07 2e-07 3e-07 4e-07";
    QTest::newRow("thousands") << 0.0 << 1950.0 << "0 1,000 2,000";
    QTest::newRow("fractions") << 0.21 << 0.34 << "0.20 0.25 0.30 0.35";
    QTest::newRow("negative") << -0.5 << 0.9 << "-0.5 0.0 0.5 1.0";
    QTest::newRow("all the same") << 2.0 << 2.0 << "1.8 2.0 2.2";
    QTest::newRow("nothing but 0") << 0.0 << 0.0 << "-1e-09 0 1e-09";
    QTest::newRow("large") << 0.0 << 3e12 << "0 1e+12 2e+12 3e+12";
}

void TestPlotGeometry::anAxisHasRoundMarks()
{
    QFETCH(double, least);
    QFETCH(double, most);
    QFETCH(QString, marks);
    const PlotAxis axis = plotAxis(least, most, 4);
    QStringList texts;
    for (const double mark : axis.marks)
        texts << markText(axis, mark);
    // 0 is shorter where others have decimals; either is readable.
    QCOMPARE(texts.join(' '_L1).replace(u"0.0"_s, u"0"_s), marks.replace(u"0.0"_s, u"0"_s));
    QVERIFY(axis.least <= least && axis.most >= most);
}

void TestPlotGeometry::stepsAreSeldomPassed()
{
    QSet<QPair<double, double>> seen;
    for (qint64 step = 1; step <= 1'000'000; step += 7) {
        const PlotAxis axis = stepAxis(0, roomySteps(step), 6);
        QVERIFY(axis.most >= double(step));
        QVERIFY(step < 10 || axis.most <= 1.1 * double(step) + 1);
        QVERIFY(axis.marks.size() >= 2 && axis.marks.size() <= 12);
        seen.insert({axis.least, axis.most});
    }
    QVERIFY2(seen.size() < 300, qPrintable(QString::number(seen.size())));
}

void TestPlotGeometry::partsDoNotOverlap_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(900, 400);
    QTest::newRow("large") << QSize(3000, 2000);
    QTest::newRow("narrow") << QSize(300, 300);
    QTest::newRow("too small") << QSize(40, 30);
    QTest::newRow("nothing") << QSize(0, 0);
}

void TestPlotGeometry::partsDoNotOverlap()
{
    QFETCH(QSize, size);
    const PlotGeometry parts(size, QSize(8, 16), 2);
    QVERIFY(parts.valueMarks() >= 2 && parts.marksAlong() >= 2);
    const QList<QRect> areas{parts.legend(), parts.readout(), parts.title(0),     parts.chart(0),
                             parts.title(1), parts.chart(1),  parts.scaleBelow(1)};
    for (int chart = 0; chart < 2; ++chart) {
        QVERIFY(parts.chart(chart).width() >= 0 && parts.chart(chart).height() >= 0);
        QVERIFY(!parts.scale(chart).intersects(parts.chart(chart)));
        QVERIFY(!parts.numbers(chart).intersects(parts.chart(chart)));
    }
    if (size.height() < 200)
        return;
    for (int at = 1; at < areas.size(); ++at)
        QVERIFY2(areas[at].top() > areas[at - 1].bottom(), qPrintable(QString::number(at)));
    QVERIFY(QRect(QPoint(), size).contains(areas.last()));
}

void TestPlotGeometry::eachColumnReachesFromItsLeastToItsMost()
{
    ValueSeries series(1024);
    for (int step = 0; step < 1000; ++step)
        series.add(step, step % 10 == 0 ? 10 : 0);
    const PlotAxis steps = stepAxis(0, 1000, 5);
    const QRect area(20, 30, 100, 101);
    const auto spans = plotSpans(plotPoints(series), steps, plotAxis(0, 10, 3), area);
    QCOMPARE(int(spans.size()), area.width());
    for (const PlotSpan &span : spans) {
        QCOMPARE(span.top, float(area.top()));
        QCOMPARE(span.bottom, float(area.bottom()));
    }
}

void TestPlotGeometry::aCurveHangsTogether()
{
    ValueSeries series;
    series.add(0, 0);
    series.add(400, 10);
    series.add(1000, 5);
    const QRect area(0, 0, 100, 101);
    const auto spans = plotSpans(plotPoints(series), stepAxis(0, 1000, 5), plotAxis(0, 10, 3), area);
    for (std::size_t x = 1; x < spans.size(); ++x) {
        QVERIFY2(!spans[x].isEmpty(), qPrintable(QString::number(x)));
        QVERIFY(spans[x].top <= spans[x - 1].bottom + 1 && spans[x].bottom >= spans[x - 1].top - 1);
    }
    // Halfway up it is at half the height.
    QVERIFY(std::abs((spans[20].top + spans[20].bottom) / 2 - 50) <= 3);
    // Before the first and behind the last there is nothing.
    ValueSeries later;
    later.add(500, 5);
    const auto alone = plotSpans(plotPoints(later), stepAxis(0, 1000, 5), plotAxis(0, 10, 3), area);
    QCOMPARE(std::count_if(alone.begin(), alone.end(), [](const PlotSpan &span) { return !span.isEmpty(); }),
             1);
}

void TestPlotGeometry::aGapIsNotBridged()
{
    std::vector<PlotPoint> points{{0, 0, 1, 1, 1, true, false, false},
                                  {300, 300, 1, 1, 1, true, false, false},
                                  {800, 800, 1, 1, 1, true, false, true},
                                  {1000, 1000, 1, 1, 1, true, false, false}};
    const QRect area(0, 0, 100, 50);
    const auto spans = plotSpans(points, stepAxis(0, 1000, 5), plotAxis(0, 2, 3), area);
    QVERIFY(!spans[15].isEmpty() && !spans[90].isEmpty());
    for (std::size_t x = 31; x < 80; ++x)
        QVERIFY2(spans[x].isEmpty(), qPrintable(QString::number(x)));
}

void TestPlotGeometry::aSpikeIsNotLost()
{
    ValueSeries series(256);
    constexpr int spike = 123'456;
    for (int step = 0; step < 200'000; ++step)
        series.add(step, step == spike ? 100 : 1);
    const PlotAxis steps = stepAxis(0, 200'000, 5);
    const QRect area(0, 0, 50, 101);
    const auto spans = plotSpans(plotPoints(series), steps, plotAxis(0, 100, 3), area);
    QCOMPARE(spans[std::size_t(plotColumn(steps, spike, area.width()))].top, float(area.top()));
}

void TestPlotGeometry::whatIsNoNumberIsMarked()
{
    ValueSeries series;
    series.add(0, 1);
    series.add(50, std::numeric_limits<double>::quiet_NaN());
    series.add(100, 1);
    const QRect area(0, 0, 100, 50);
    const auto spans = plotSpans(plotPoints(series), stepAxis(0, 100, 5), plotAxis(0, 2, 3), area);
    QVERIFY(spans[50].isOdd);
    QVERIFY(!spans[49].isOdd && !spans[51].isOdd);
    QVERIFY(plotSpans(plotPoints(series), stepAxis(0, 100, 5), plotAxis(0, 2, 3), QRect()).empty());
}

void TestPlotGeometry::columnsAndStepsBelongTogether()
{
    const PlotAxis axis = stepAxis(0, 5000, 5);
    for (int column = 0; column < 777; ++column)
        QCOMPARE(plotColumn(axis, plotPlace(axis, column, 777), 777), column);
    QCOMPARE(plotColumn(axis, 1'000'000, 777), 776);
}

void TestPlotGeometry::chartsStandBesideEachOther()
{
    const QSize size(1000, 400);
    const QSize cell(8, 16);
    QCOMPARE(PlotGeometry::columnsFor(QSize(900, 400), cell, 5), 2);
    QCOMPARE(PlotGeometry::columnsFor(QSize(1100, 400), cell, 5), 3);
    QCOMPARE(PlotGeometry::columnsFor(QSize(1100, 400), cell, 4), 2);
    QCOMPARE(PlotGeometry::columnsFor(size, cell, 1), 1);
    QCOMPARE(PlotGeometry::columnsFor(QSize(10, 10), cell, 5), 1);
    const PlotGeometry parts(size, cell, 5, 2);
    for (int one = 0; one < 5; ++one) {
        const QRect whole = parts.scale(one) | parts.title(one) | parts.chart(one) | parts.numbers(one);
        QVERIFY(QRect(QPoint(), size).contains(whole));
        QCOMPARE(parts.chartAt(parts.chart(one).center()), one);
        for (int other = one + 1; other < 5; ++other)
            QVERIFY(!whole.intersects(parts.scale(other) | parts.title(other) | parts.chart(other) |
                                      parts.numbers(other)));
        // Below the last of each column.
        QCOMPARE(parts.hasScaleBelow(one), one >= 3);
    }
    QVERIFY(QRect(QPoint(), size).contains(parts.scaleBelow(4)));
}

void TestPlotGeometry::timesHaveRoundMarks_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<QString>("marks");
    QTest::newRow("a moment") << 0 << "14:20:07 14:20:08";
    QTest::newRow("seconds") << 50 << "14:20:15 14:20:30 14:20:45 14:21:00";
    QTest::newRow("an hour") << 3600 << "14:30 14:45 15:00 15:15";
    QTest::newRow("a night") << 12 * 3600 << "15:00 18:00 21:00 00:00 03:00";
    QTest::newRow("two days") << 48 * 3600 << "11-24 00:00 11-24 12:00 11-25 00:00 11-25 12:00";
    QTest::newRow("months") << 100 * 86400 << "2025-12-28 2026-02-16";
}

void TestPlotGeometry::timesHaveRoundMarks()
{
    QFETCH(int, seconds);
    QFETCH(QString, marks);
    const qint64 first = QDateTime(QDate(2025, 11, 23), QTime(14, 20, 7)).toMSecsSinceEpoch();
    const qint64 last = first + qint64(seconds) * 1000;
    const PlotAxis axis = timeAxis(first, last, 5);
    QStringList texts;
    for (const double mark : axis.marks)
        texts << timeMarkText(axis, mark);
    QCOMPARE(texts.join(' '_L1), marks);
    QVERIFY(axis.least <= double(first) && axis.most >= double(last));
}

void TestPlotGeometry::numbersStandApart()
{
    QCOMPARE(spreadRows({50, 0, 52, noRow, 51}, 0, 100, 10), (std::vector<int>{50, 0, 70, noRow, 60}));
    // At the edges they give way inwards.
    QCOMPARE(spreadRows({99, 95}, 0, 100, 10), (std::vector<int>{90, 80}));
    QCOMPARE(spreadRows({-5, -5}, 0, 100, 10), (std::vector<int>{0, 10}));
    // Without room for all some are left out.
    QCOMPARE(spreadRows({0, 5, 10, 11}, 0, 30, 10), (std::vector<int>{0, noRow, 10, noRow}));
    QCOMPARE(spreadRows({}, 0, 0, 10), std::vector<int>());
}

void TestPlotGeometry::powersOfTenAreEquallyFar()
{
    const PlotAxis axis = logAxis(0.02, 70, 5);
    QCOMPARE(axis.least, 0.01);
    QCOMPARE(axis.most, 100.0);
    QVERIFY(std::abs(axis.fraction(0.1) - 0.25) < 1e-9 && std::abs(axis.fraction(10) - 0.75) < 1e-9);
    QVERIFY(axis.fraction(0) < 0 && axis.fraction(-3) < 0);
    QCOMPARE(markText(axis, 0.01), u"0.01"_s);
    // One decade has marks between its ends.
    QCOMPARE(logAxis(1.5, 8, 5).marks, (QList<double>{1, 2, 5, 10}));
    // Many have few.
    QVERIFY(logAxis(1e-9, 1e9, 4).marks.size() <= 4);
}

void TestPlotGeometry::aPartOfACurveReachesItsEnds()
{
    const std::vector<PlotPoint> points{{0, 0, 0, 0, 0, true, false, false},
                                        {100, 100, 10, 10, 10, true, false, false},
                                        {200, 200, 0, 0, 0, true, false, false}};
    const auto part = pointsWithin(points, stepAxis(50, 150, 3));
    QCOMPARE(int(part.size()), 3);
    QCOMPARE(part.front().from, 50);
    QCOMPARE(part.front().last, 5.0F);
    QCOMPARE(part.back().from, 150);
    QCOMPARE(part.back().last, 5.0F);
    // Also where no point is between them.
    QCOMPARE(int(pointsWithin(points, stepAxis(20, 40, 3)).size()), 2);
    QVERIFY(pointsWithin(points, stepAxis(300, 400, 3)).empty());
    std::vector<PlotPoint> apart = points;
    apart[1].isAfterGap = true;
    QVERIFY(pointsWithin(apart, stepAxis(20, 40, 3)).empty());
}

void TestPlotGeometry::smoothingKeepsTheFirstValueAndTheMean()
{
    std::vector<PlotPoint> points;
    for (int step = 0; step < 1000; ++step)
        points.push_back({step, step, 0, 2, step % 2 == 0 ? 2.0F : 0.0F, true, false, false});
    QCOMPARE(smoothed(points, 0).front().last, 2.0F);
    const auto made = smoothed(points, 0.9);
    QCOMPARE(made.front().last, 2.0F);
    QVERIFY(std::abs(made.back().last - 1) < 0.1F);
    QCOMPARE(made.back().least, made.back().most);
}

} // namespace tst_plotgeometry

RANKDECK_TEST(tst_plotgeometry, TestPlotGeometry)
#include "tst_plotgeometry.moc"
