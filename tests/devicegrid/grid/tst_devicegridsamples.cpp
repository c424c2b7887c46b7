#include "base/times.h"
#include "canvas/drawing/rastercanvas.h"
#include "devicegrid/grid/devicegrid.h"
#include "support/handmaderun.h"
#include "support/madesamples.h"
#include "support/windowtest.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

namespace tst_devicegridsamples
{

using namespace rankdeck;

namespace
{

const QString node = u"10.0.0.1"_s;
const QList<int> ranks{0, 1, 2, 3, 4, 5, 6, 7};

NodeSample sampleNow(int step = 0)
{
    return madeNodeSample(node, ranks, QDateTime::currentDateTimeUtc(), step);
}

/// No elapsed time that ticks.
RunState stillRun()
{
    RunState state = running(handMadeRun());
    for (RankState &rank : state.ranks)
        rank.started = {};
    return state;
}

/// A grid that is drawn when a test says so, on a canvas that remembers what was.
class DrawnGrid : public DeviceGrid
{
public:
    explicit DrawnGrid(const RunState &state = stillRun())
    {
        resize(1000, 900);
        setState(state);
        ensurePolished();
        canvas.reset(size(), font(), 1);
    }

    void drawAll() { drawCanvas(canvas, true); }
    void drawChanges() { drawCanvas(canvas, false); }

    RasterCanvas canvas;
};

} // namespace

/// Samples in the device grid: its rows, and what is drawn of them.
class TestDeviceGridSamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAreAddedOnceAndGoWithTheRun();
    void aDigitIsDrawnAloneAndABarAtItsEnd();
    void aSparklineIsDrawnWhereItChanged();
    void whatHasNotChangedIsNotDrawn();
    void aCellDrawnInPartsLooksLikeOneDrawnAtOnce();
    void theLastLineStaysBelowANote();
    void aToolTipSaysWhatANoteHasNoRoomFor();
    void aScreenReaderHearsWhatIsSoNow();
    void aHeadingSaysWhyNpusOfItsNodeAreNotRead();
    void aHeadingSaysThatNpusAreInvented();
};

void TestDeviceGridSamples::aHeadingSaysThatNpusAreInvented()
{
    DrawnGrid grid;
    QVERIFY(grid.isHeadingItem(0));
    RunSamples samples;
    NodeSample sample = sampleNow();
    samples.take(sample);
    grid.setSamples(samples);
    QVERIFY(!grid.spokenItem(0).contains(u"invented"_s));
    sample = sampleNow(1);
    for (DeviceSample &device : sample.devices->samples)
        device.isInvented = true;
    samples.take(sample);
    grid.setSamples(samples);
    QVERIFY2(grid.spokenItem(0).endsWith(u"NPUs invented"_s), qPrintable(grid.spokenItem(0)));
}

void TestDeviceGridSamples::rowsAreAddedOnceAndGoWithTheRun()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    const RunState state = stillRun();
    grid.setState(state);
    const int bare = grid.cellRect(0).height();
    RunSamples samples;
    samples.take(sampleNow());
    grid.setSamples(samples);
    const QRect cell = grid.cellRect(0);
    QVERIFY(cell.height() > bare);
    samples.take(sampleNow(1));
    grid.setSamples(samples);
    QCOMPARE(grid.cellRect(0), cell);
    grid.setShownSamples(ShownSamples::Neither);
    QCOMPARE(grid.cellRect(0).height(), bare);
    grid.setShownSamples(ShownSamples::Both);
    grid.setState(failed(state, 3, ExitStatus{ExitStatus::Kind::Exited, 3}));
    QCOMPARE(grid.cellRect(0).height(), bare);
}

void TestDeviceGridSamples::aDigitIsDrawnAloneAndABarAtItsEnd()
{
    DrawnGrid grid;
    RunSamples samples;
    NodeSample sample = sampleNow();
    sample.devices->samples[3].rates.aiCore = 87;
    samples.take(sample);
    grid.setSamples(samples);
    grid.drawAll();
    grid.canvas.present();

    sample.time = sample.time.addMSecs(1);
    sample.devices->samples[3].rates.aiCore = 86; // Less: the stretch's largest stays.
    samples.take(sample);
    grid.setSamples(samples);
    grid.drawChanges();
    const QRegion drawn = grid.canvas.dirtyRegion();
    QVERIFY(grid.cellRect(3).contains(drawn.boundingRect()));
    QCOMPARE(drawn.rectCount(), 2);
    const QRect digit = *drawn.begin();
    QCOMPARE(digit.size(), grid.canvas.cellSize());
    const QRect bar = *(drawn.begin() + 1);
    QVERIFY2(bar.width() <= grid.cellRect(3).width() / 50 &&
                 bar.height() < grid.canvas.cellSize().height() / 2,
             qPrintable(u"%1 x %2"_s.arg(bar.width()).arg(bar.height())));
}

void TestDeviceGridSamples::aSparklineIsDrawnWhereItChanged()
{
    DrawnGrid grid;
    // Within one stretch of RunSamples.
    const QDateTime time = utcTime(1'700'000'000'000);
    RunSamples samples;
    NodeSample sample = madeNodeSample(node, ranks, time);
    for (DeviceSample &device : sample.devices->samples)
        device.rates.aiCore = 10;
    samples.take(sample);
    grid.setSamples(samples);
    grid.drawAll();
    grid.canvas.present();
    sample.time = time.addSecs(2);
    sample.devices->time = time.addSecs(2);
    sample.devices->samples[3].rates.aiCore = 90;
    samples.take(sample);
    grid.setSamples(samples);
    grid.drawChanges();
    const QRect cell = grid.cellRect(3);
    bool isLastDrawn = false;
    for (const QRect &part : grid.canvas.dirtyRegion()) {
        QVERIFY(cell.contains(part));
        QVERIFY(part.height() <= grid.canvas.cellSize().height());
        isLastDrawn = isLastDrawn || (part.right() > cell.right() - 3 * grid.canvas.cellSize().width() &&
                                      part.width() == grid.canvas.cellSize().width());
    }
    QVERIFY(isLastDrawn);
}

void TestDeviceGridSamples::whatHasNotChangedIsNotDrawn()
{
    DrawnGrid grid;
    const QDateTime time = utcTime(1'700'000'000'000);
    RunSamples samples;
    samples.take(madeNodeSample(node, ranks, time));
    grid.setSamples(samples);
    grid.drawAll();
    grid.canvas.present();
    samples.take(madeNodeSample(node, ranks, time.addSecs(2)));
    grid.setSamples(samples);
    grid.drawChanges();
    QVERIFY(grid.canvas.dirtyRegion().isEmpty());
}

void TestDeviceGridSamples::aCellDrawnInPartsLooksLikeOneDrawnAtOnce()
{
    DrawnGrid grid;
    RunSamples samples;
    const QStringList logs{u"step 99 损失 2.5"_s, u"step 99 训失 2.5"_s, u"step 100 训失 2.5"_s,
                           u"epoch 训练 begins now with a long line of text"_s, QString()};
    for (int step = 0; step < 12; ++step) {
        NodeSample sample = sampleNow(step);
        sample.devices->samples[step % 8].rates.aiCore.reset();
        sample.devices->samples[(step + 1) % 8].hbm = {};
        if (step % 3 == 1)
            sample.users[2] << madeStranger();
        samples.take(sample);
        grid.setSamples(samples);
        grid.setLastLine(2, logs.at(step % logs.size()));
        grid.setLastLine(3, logs.at((step + 3) % logs.size()));
        if (step == 0)
            grid.drawAll();
        else
            grid.drawChanges();
        const QImage inParts = grid.canvas.image();
        grid.drawAll();
        QCOMPARE(inParts, grid.canvas.image());
    }
}

void TestDeviceGridSamples::theLastLineStaysBelowANote()
{
    DeviceGrid grid;
    grid.resize(1000, 500);
    grid.setState(stillRun());
    grid.setLastLine(2, u"loss is 1.4"_s);
    const auto lowest = [&grid] {
        const QImage image = grid.grab().toImage();
        const QRect cell = grid.cellRect(2).adjusted(12, 4, -4, -4);
        const QColor background = toneBackground(Tone::Active, grid.palette());
        for (int y = cell.bottom(); y > cell.top(); --y) {
            for (int x = cell.left(); x < cell.right(); ++x) {
                if (image.pixelColor(x, y) != background)
                    return cell.bottom() - y;
            }
        }
        return -1;
    };
    RunSamples samples;
    NodeSample sample = sampleNow();
    samples.take(sample);
    grid.setSamples(samples);
    const int without = lowest();
    sample.users[2] << madeStranger();
    samples.take(sample);
    grid.setSamples(samples);
    QVERIFY(grid.cell(2).note.text.contains(u"4711"_s));
    QCOMPARE(grid.cell(2).lines[3].left, u"loss is 1.4"_s);
    QVERIFY(lowest() < without); // In the row below it.
}

void TestDeviceGridSamples::aToolTipSaysWhatANoteHasNoRoomFor()
{
    DeviceGrid grid;
    grid.resize(1000, 500);
    grid.setState(stillRun());
    RunSamples samples;
    NodeSample sample = sampleNow();
    DeviceUser odd = madeStranger(4712);
    odd.process.name = u"<b>odd</b>"_s;
    sample.users[2] << madeStranger() << odd;
    samples.take(sample);
    grid.setSamples(samples);
    QVERIFY(grid.noteOf({0, 1}).isEmpty());
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid, 30000));
    const QPoint place = grid.cellRect(2).center();
    QHelpEvent help(QEvent::ToolTip, place, grid.mapToGlobal(place));
    QCoreApplication::sendEvent(&grid, &help);
    QCOMPARE(QToolTip::text(), u"<p>used by others: python 4711 bob 1.0 GB, "
                               "&lt;b&gt;odd&lt;/b&gt; 4712 bob 1.0 GB</p>"_s);
    QToolTip::hideText();
}

void TestDeviceGridSamples::aScreenReaderHearsWhatIsSoNow()
{
    DeviceGrid grid;
    grid.resize(1000, 500);
    grid.setState(stillRun());
    QAccessibleInterface *const spoken = QAccessible::queryAccessibleInterface(&grid);
    QVERIFY(spoken);
    QCOMPARE(spoken->text(QAccessible::Name), u"Devices"_s);
    QVERIFY(!spoken->text(QAccessible::Description).contains(u"AI cores"_s));
    RunSamples samples;
    NodeSample sample = sampleNow();
    for (const int percent : {87, 12}) {
        sample.devices->samples[0].rates.aiCore = percent;
        samples.take(sample);
        grid.setSamples(samples);
        // The cursor has not moved.
        const QString words = spoken->text(QAccessible::Description);
        QVERIFY2(words.contains(u"AI cores %1%"_s.arg(percent)), qPrintable(words));
    }
}

void TestDeviceGridSamples::aHeadingSaysWhyNpusOfItsNodeAreNotRead()
{
    DrawnGrid grid(running(handMadeRun(2, 8, 2)));
    RunSamples samples;
    NodeSample sample = sampleNow();
    sample.problem = Error{u"npu-smi did not answer within 15 s"_s, {}, {}};
    samples.take(sample);
    grid.setSamples(samples);
    grid.drawAll();
    grid.canvas.present();
    QVERIFY2(grid.summary(0).text().endsWith(u"⚠ npu-smi did not answer within 15 s"_s),
             qPrintable(grid.summary(0).text()));
    QVERIFY(!grid.summary(1).text().contains(u"npu-smi"_s));
    sample.problem.reset();
    samples.take(sample);
    grid.setSamples(samples);
    grid.drawChanges();
    QVERIFY(!grid.summary(0).text().contains(u"npu-smi"_s));
    QVERIFY(grid.canvas.dirtyRegion().intersects(grid.headingRect(0)));
    QVERIFY(!grid.canvas.dirtyRegion().intersects(grid.headingRect(1)));
}

} // namespace tst_devicegridsamples

RANKDECK_WINDOW_TEST(tst_devicegridsamples, TestDeviceGridSamples)
#include "tst_devicegridsamples.moc"
