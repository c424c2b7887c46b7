#include "canvas/widget/canvaswidget.h"
#include "support/windowtest.h"

#include <QPaintEvent>
#include <QTest>

namespace tst_canvaswidget
{

using namespace rankdeck;

namespace
{

/// Draws what it is told to, and counts.
class Probe : public CanvasWidget
{
public:
    using CanvasWidget::CanvasWidget;
    using CanvasWidget::schedule;
    using CanvasWidget::scheduleEverything;

    int frames = 0;
    int completeFrames = 0;
    QRegion painted;
    QRect patch;
    int scrollBy = 0;

protected:
    void drawCanvas(Canvas &canvas, bool everything) override
    {
        ++frames;
        completeFrames += everything;
        if (everything)
            canvas.fill(QRect(QPoint(), canvas.size()), Qt::white);
        if (scrollBy != 0)
            canvas.scroll(QRect(QPoint(), canvas.size()), std::exchange(scrollBy, 0));
        canvas.fill(patch, Qt::red);
    }
    void paintEvent(QPaintEvent *event) override
    {
        painted += event->region();
        CanvasWidget::paintEvent(event);
    }
};

} // namespace

class TestCanvasWidget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHiddenWidgetDrawsNothing();
    void theFirstShowDrawsEverythingOnce();
    void onlyTheDirtyRegionIsPainted();
    void manyChangesMakeFewFrames();
    void scrollingMovesWhatIsOnTheScreen();
    void newColoursDrawEverything();

private:
    static void showAndSettle(Probe &probe);
};

void TestCanvasWidget::showAndSettle(Probe &probe)
{
    probe.resize(300, 200);
    probe.show();
    QVERIFY(QTest::qWaitForWindowExposed(&probe, 30000));
    QTRY_VERIFY(probe.frames > 0 && !probe.painted.isEmpty());
    const auto settled = [&probe] {
        const int before = probe.frames;
        probe.schedule();
        return QTest::qWaitFor([&] { return probe.frames > before; });
    };
    // A window manager may still resize the window; two frames later it has.
    QVERIFY(settled());
    QVERIFY(settled());
    probe.painted = {};
}

void TestCanvasWidget::aHiddenWidgetDrawsNothing()
{
    Probe probe;
    Probe shown;
    showAndSettle(shown);
    probe.schedule();
    probe.scheduleEverything();
    // As many frames as the shown one makes, the hidden one could have made.
    const int before = shown.frames;
    shown.schedule();
    QTRY_VERIFY(shown.frames > before);
    QCOMPARE(probe.frames, 0);

    showAndSettle(probe);
    probe.hide();
    const int frames = probe.frames;
    probe.schedule();
    for (int i = 0; i < 2; ++i) {
        const int shownFrames = shown.frames;
        shown.schedule();
        QTRY_VERIFY(shown.frames > shownFrames);
    }
    QCOMPARE(probe.frames, frames);
}

void TestCanvasWidget::theFirstShowDrawsEverythingOnce()
{
    Probe probe;
    probe.resize(300, 200);
    probe.show();
    QVERIFY(QTest::qWaitForWindowExposed(&probe, 30000));
    QTRY_VERIFY(probe.completeFrames > 0);
    QCOMPARE(probe.frames, probe.completeFrames);
}

void TestCanvasWidget::onlyTheDirtyRegionIsPainted()
{
    Probe probe;
    showAndSettle(probe);
    probe.patch = QRect(20, 30, 40, 10);
    probe.schedule();
    QTRY_VERIFY(!probe.painted.isEmpty());
    QCOMPARE(probe.painted, QRegion(probe.patch));
    QCOMPARE(probe.grab().toImage().pixelColor(25, 35), QColor(Qt::red));
}

void TestCanvasWidget::manyChangesMakeFewFrames()
{
    Probe probe;
    showAndSettle(probe);
    const int before = probe.frames;
    QElapsedTimer clock;
    clock.start();
    while (probe.frames < before + 5) {
        probe.schedule();
        QCoreApplication::processEvents();
        QVERIFY(clock.elapsed() < 20000);
    }
    QVERIFY2(clock.elapsed() >= 380, "five frames need four intervals of 100 ms and more");
}

void TestCanvasWidget::scrollingMovesWhatIsOnTheScreen()
{
    Probe probe;
    showAndSettle(probe);
    probe.patch = QRect(0, 50, 300, 10);
    probe.schedule();
    QTRY_VERIFY(!probe.painted.isEmpty());
    probe.patch = {};
    probe.painted = {};
    probe.scrollBy = -20;
    probe.schedule();
    QTRY_VERIFY(!probe.painted.isEmpty());
    const QImage image = probe.grab().toImage();
    QCOMPARE(image.pixelColor(10, 35), QColor(Qt::red));
    QCOMPARE(image.pixelColor(10, 55), QColor(Qt::white));
    QVERIFY(!probe.testAttribute(Qt::WA_Hover));
    QVERIFY(probe.testAttribute(Qt::WA_OpaquePaintEvent));
}

void TestCanvasWidget::newColoursDrawEverything()
{
    Probe probe;
    showAndSettle(probe);
    const int before = probe.completeFrames;
    QPalette palette = probe.palette();
    palette.setColor(QPalette::Base, Qt::darkBlue);
    probe.setPalette(palette);
    QTRY_COMPARE(probe.completeFrames, before + 1);
}

} // namespace tst_canvaswidget

RANKDECK_WINDOW_TEST(tst_canvaswidget, TestCanvasWidget)
#include "tst_canvaswidget.moc"
