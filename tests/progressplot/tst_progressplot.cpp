#include "canvas/drawing/rastercanvas.h"
#include "progressplot/progressplot.h"
#include "support/windowtest.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QHelpEvent>
#include <QLayout>
#include <QPushButton>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

namespace tst_progressplot
{

using namespace rankdeck;

namespace
{

constexpr int deadlineMs = 30'000;

ProgressCurves::Curve curve(int process, int steps, double loss)
{
    ProgressCurves::Curve made{process, ValueSeries(), ValueSeries(), 0};
    for (int step = 1; step <= steps; ++step) {
        made.loss.add(step, loss + 1.0 / step);
        made.stepTime.add(step, 1900);
    }
    return made;
}

ProgressCurves::Curve none(int process)
{
    return {process, ValueSeries(), ValueSeries(), 0};
}

std::shared_ptr<const LaunchPlan> planOf(int ranks)
{
    auto plan = std::make_shared<LaunchPlan>();
    for (int rank = 0; rank < ranks; ++rank) {
        ProcessPlan process;
        process.rank = Rank(rank);
        plan->processes.push_back(process);
    }
    return plan;
}

/// Counts what is drawn.
class CountedPlot : public ProgressPlot
{
public:
    struct Counted : RasterCanvas {
        void fill(const QRect &area, const QColor &color) override
        {
            ++fills;
            RasterCanvas::fill(area, color);
        }
        int fills = 0;
    };
    int fillsOfDrawing(bool everything)
    {
        Counted canvas;
        canvas.reset(size(), font(), 1);
        drawCanvas(canvas, everything);
        return canvas.fills;
    }
};

QSet<QRgb> colorsIn(const QImage &image, const QRect &area)
{
    QSet<QRgb> colors;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x)
            colors.insert(image.pixel(x, y));
    }
    return colors;
}

} // namespace

class TestProgressPlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotThereIsSaidInWords();
    void eachRankIsDrawnInItsColour();
    void onlyColumnsThatChangedAreDrawn();
    void theCursorIsMovedByKeys();
    void aRangeIsZoomedAndLeft();
    void thePointersValuesAreTold();
    void theScaleAndTheSmoothingAreChosen();
    void thePlotEndsAtThePlannedStep();
    void theReadoutSaysWhatTheRanksHad();
    void valuesAndPictureAreSaved();
    void aPlaceThatCannotBeWrittenIsTold();
    void schedulersAreNotDrawn();
};

void TestProgressPlot::whatIsNotThereIsSaidInWords()
{
    ProgressPane pane;
    QVERIFY(pane.plot()->isEmpty());
    QVERIFY(!pane.plot()->accessibleDescription().isEmpty());
    for (const QPushButton *button : pane.findChildren<QPushButton *>())
        QVERIFY(!button->isEnabled());
    // Ranks that printed none are not at 0.
    pane.setCurves(planOf(2), {{none(0), none(1)}});
    QVERIFY(pane.plot()->isEmpty());
    QVERIFY(pane.plot()->readout().isEmpty());
    pane.setCurves(planOf(2), {{none(0), curve(1, 3, 0.5)}});
    QVERIFY(!pane.plot()->isEmpty());
    QVERIFY(!pane.plot()->readout().contains(u"rank 0"_s));
    for (const QPushButton *button : pane.findChildren<QPushButton *>())
        QVERIFY(button->isEnabled());
}

void TestProgressPlot::eachRankIsDrawnInItsColour()
{
    ProgressPane pane;
    pane.resize(900, 500);
    pane.layout()->activate();
    pane.setCurves(planOf(1), {{curve(0, 100, 1)}});
    const QRect chart = pane.plot()->geometryOfParts().chart(0);
    const auto isDrawn = [&](int curve) {
        return colorsIn(pictureImage(pane.plot()->picture({}), 1), chart)
            .contains(pane.plot()->colorOf(curve).rgb());
    };
    QVERIFY(isDrawn(0) && !isDrawn(1));
    pane.setCurves(planOf(2), {{curve(0, 100, 1), curve(1, 100, 2)}});
    QVERIFY(isDrawn(0) && isDrawn(1));
}

void TestProgressPlot::onlyColumnsThatChangedAreDrawn()
{
    CountedPlot plot;
    plot.resize(900, 500);
    const auto curveOf = [](int steps) {
        const auto made = curve(0, steps, 1);
        return QList<PlotCurve>{{0, made.loss, made.stepTime}};
    };
    plot.setCurves(curveOf(601));
    const int whole = plot.fillsOfDrawing(true);
    QVERIFY(whole > 500);
    QCOMPARE(plot.fillsOfDrawing(false), 0);
    plot.setCurves(curveOf(610));
    const int more = plot.fillsOfDrawing(false);
    QVERIFY2(more > 0 && more < whole / 4, qPrintable(u"%1 of %2"_s.arg(more).arg(whole)));
}

void TestProgressPlot::theCursorIsMovedByKeys()
{
    ProgressPane pane;
    pane.resize(900, 500);
    pane.show();
    pane.setCurves(planOf(1), {{curve(0, 600, 1)}});
    ProgressPlot *const plot = pane.plot();
    QVERIFY(!plot->cursor());
    QTest::keyClick(plot, Qt::Key_End);
    QCOMPARE(plot->cursor(), qint64(600));
    QTest::keyClick(plot, Qt::Key_Left);
    QVERIFY(*plot->cursor() < 600);
    QTest::keyClick(plot, Qt::Key_Right);
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(plot->cursor(), qint64(600)); // Behind the last step is nothing.
    QTest::keyClick(plot, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(plot->cursor(), qint64(540));
    QTest::keyClick(plot, Qt::Key_Home);
    QTest::keyClick(plot, Qt::Key_Left);
    QCOMPARE(plot->cursor(), qint64(0));
    const QRect chart = plot->geometryOfParts().chart(0);
    QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, chart.center());
    QVERIFY(std::abs(*plot->cursor() - qint64(plot->axisAlong().most / 2)) <= 2);
    QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, chart.center() + QPoint(chart.width() / 3, 0));
    const auto wanted = qint64(plot->axisAlong().most * 5 / 6);
    QVERIFY2(std::abs(*plot->cursor() - wanted) <= 2, qPrintable(QString::number(*plot->cursor())));
}

void TestProgressPlot::aRangeIsZoomedAndLeft()
{
    ProgressPane pane;
    pane.resize(900, 500);
    pane.show();
    pane.setCurves(planOf(1), {{curve(0, 600, 1)}});
    ProgressPlot *const plot = pane.plot();
    const QRect chart = plot->geometryOfParts().chart(0);
    const auto at = [&](double share) {
        return QPoint(chart.left() + int(chart.width() * share), chart.center().y());
    };
    QTest::mousePress(plot, Qt::LeftButton, Qt::NoModifier, at(0.25));
    QTest::mouseMove(plot, at(0.5));
    QMouseEvent move(QEvent::MouseMove, at(0.5), plot->mapToGlobal(at(0.5)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(plot, &move);
    QTest::mouseRelease(plot, Qt::LeftButton, Qt::NoModifier, at(0.5));
    QVERIFY2(plot->range(), qPrintable(QString::number(plot->cursor().value_or(-1))));
    QVERIFY(std::abs(plot->range()->first - 150) <= 2 && std::abs(plot->range()->last - 300) <= 2);
    QCOMPARE(plot->axisAlong().least, double(plot->range()->first));
    // The values' scale is that of what is seen: 1/step is small there.
    QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(std::abs(plot->range()->first - 187) <= 3);
    QTest::keyClick(plot, Qt::Key_Minus);
    QTest::keyClick(plot, Qt::Key_Minus);
    QTest::keyClick(plot, Qt::Key_Minus);
    QVERIFY(!plot->range()); // It cannot show more than all.
    QTest::keyClick(plot, Qt::Key_Plus);
    QVERIFY(plot->range());
    QTest::keyClick(plot, Qt::Key_0);
    QVERIFY(!plot->range());
    // A press without a drag only sets the cursor.
    QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, at(0.3));
    QVERIFY(!plot->range());
    QWheelEvent wheel(at(0.5), plot->mapToGlobal(at(0.5)), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(plot, &wheel);
    QVERIFY(plot->range() && plot->range()->first < 300 && plot->range()->last > 300);
    // Other curves are shown whole.
    pane.setCurves(planOf(1), {{curve(0, 20, 1)}});
    QVERIFY(!plot->range());
}

void TestProgressPlot::thePointersValuesAreTold()
{
    ProgressPane pane;
    pane.resize(900, 500);
    pane.show();
    pane.setCurves(planOf(3), {{curve(0, 100, 1), curve(2, 100, 3)}});
    const QPoint at = pane.plot()->geometryOfParts().chart(0).center();
    QHelpEvent help(QEvent::ToolTip, at, pane.plot()->mapToGlobal(at));
    QCoreApplication::sendEvent(pane.plot(), &help);
    const QStringList lines = QToolTip::text().split('\n'_L1);
    QVERIFY2(lines.size() >= 3 && lines.at(0).startsWith(u"step 5"_s), qPrintable(QToolTip::text()));
    QVERIFY2(lines.at(1).startsWith(u"rank 2: loss 3."_s), qPrintable(lines.at(1)));
    QVERIFY(!pane.plot()->cursor());
    QToolTip::hideText();
}

void TestProgressPlot::theScaleAndTheSmoothingAreChosen()
{
    ProgressPane pane;
    pane.resize(900, 500);
    pane.layout()->activate();
    pane.setCurves(planOf(1), {{curve(0, 100, 1)}});
    const QImage plain = pictureImage(pane.plot()->picture({}), 1);
    pane.findChild<QCheckBox *>(u"logScale"_s)->setChecked(true);
    QVERIFY(pane.plot()->charts().at(0).isLog);
    QVERIFY(pictureImage(pane.plot()->picture({}), 1) != plain);
    pane.findChild<QCheckBox *>(u"logScale"_s)->setChecked(false);
    QCOMPARE(pictureImage(pane.plot()->picture({}), 1), plain);
    pane.findChild<QComboBox *>(u"smoothing"_s)->setCurrentIndex(3);
    QCOMPARE(pane.plot()->charts().at(0).title, u"loss, smoothed"_s);
    // A falling curve lies higher.
    QVERIFY(pane.plot()->charts().at(0).curves[0].back().last >
            plotPoints(pane.plot()->curves().at(0).loss).back().last);
}

void TestProgressPlot::thePlotEndsAtThePlannedStep()
{
    ProgressPlot plot;
    plot.resize(900, 500);
    const auto made = curve(0, 611, 1);
    plot.setCurves({{0, made.loss, made.stepTime}});
    QVERIFY(plot.axisAlong().most >= 611 && plot.axisAlong().most < 672);
    plot.setCurves({{0, made.loss, made.stepTime, 615}});
    QCOMPARE(plot.axisAlong().most, 615.0);
    // A plan that is far off leaves no empty plot.
    plot.setCurves({{0, made.loss, made.stepTime, 100'000}});
    QVERIFY(plot.axisAlong().most < 672);
}

void TestProgressPlot::theReadoutSaysWhatTheRanksHad()
{
    ProgressPane pane;
    pane.setCurves(planOf(3), {{curve(0, 4, 1), curve(2, 2, 3)}});
    ProgressPlot *const plot = pane.plot();
    QCOMPARE(plot->readout(), u"last: rank 0: loss 1.25, 1.9 s; rank 2: loss 3.5, 1.9 s"_s);
    pane.resize(900, 500);
    pane.show();
    QTest::keyClick(plot, Qt::Key_Home);
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(plot->readout(), u"step 1: rank 0: loss 2, 1.9 s; rank 2: loss 4, 1.9 s"_s);
    QCOMPARE(plot->accessibleDescription(), plot->readout());
}

void TestProgressPlot::valuesAndPictureAreSaved()
{
    QTemporaryDir folder;
    ProgressPane pane;
    pane.resize(800, 400);
    pane.layout()->activate();
    pane.setCurves(planOf(2), {{curve(1, 2, 0.5)}});
    const QString values = folder.filePath(u"values.csv"_s);
    pane.saveCsv(values);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(values), deadlineMs);
    QFile file(values);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("rank,quantity,first_step,last_step,min,max,last,values,not_numbers\n"
                                        "1,loss,1,1,1.5,1.5,1.5,1,0\n"
                                        "1,loss,2,2,1,1,1,1,0\n"
                                        "1,step_time_ms,1,1,1900,1900,1900,1,0\n"
                                        "1,step_time_ms,2,2,1900,1900,1900,1,0\n"));
    const QString picture = folder.filePath(u"picture.png"_s);
    writePicture(&pane, pane.plot()->picture({}), picture);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(picture), deadlineMs);
    const QImage image(picture);
    QCOMPARE(image.size(), pane.plot()->size() * 2);
    QVERIFY(colorsIn(image, pane.plot()->geometryOfParts().chart(0)).size() > 1);
}

void TestProgressPlot::aPlaceThatCannotBeWrittenIsTold()
{
    ProgressPane pane;
    pane.setCurves(planOf(1), {{curve(0, 2, 0.5)}});
    pane.saveCsv(u"/nonexistent/values.csv"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!pane.findChildren<QDialog *>().isEmpty(), deadlineMs);
}

void TestProgressPlot::schedulersAreNotDrawn()
{
    auto plan = std::make_shared<LaunchPlan>(*planOf(2));
    plan->processes[0].role = Role::Scheduler;
    ProgressPane pane;
    pane.setCurves(plan, {{none(0), curve(1, 2, 0.5)}});
    QCOMPARE(pane.plot()->curves().size(), 1);
    QCOMPARE(pane.plot()->curves().first().rank, 1);
}

} // namespace tst_progressplot

RANKDECK_WINDOW_TEST(tst_progressplot, TestProgressPlot)
#include "launch/plan/launchplan.h"
#include "tst_progressplot.moc"
