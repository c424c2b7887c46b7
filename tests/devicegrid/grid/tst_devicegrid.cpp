#include "canvas/drawing/rastercanvas.h"
#include "devicegrid/grid/devicegrid.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_devicegrid
{

using namespace rankdeck;

namespace
{

/// A grid that can be drawn on a canvas that remembers what was drawn.
class OpenGrid : public DeviceGrid
{
public:
    using DeviceGrid::drawCanvas;
};

QList<int> lastChoice(const QSignalSpy &spy)
{
    return spy.isEmpty() ? QList<int>() : spy.constLast().at(0).value<QList<int>>();
}

RunState endedRun()
{
    return failed(running(handMadeRun()), 3, ExitStatus{ExitStatus::Kind::Exited, 3});
}

} // namespace

class TestDeviceGrid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneCellADevice_data();
    void oneCellADevice();
    void clickingACellChoosesItsRank();
    void ctrlClickChoosesSeveral();
    void shiftChoosesAStretch();
    void keysMoveTheCursorAndChoose();
    void devicesOfOtherNodesCannotBeChosen();
    void cursorIsScrolledIntoView();
    void onlyWhatChangedIsDrawn();
    void aCellIsDrawnOnItsTone();
    void anotherRunStartsWithNothingChosen();
};

void TestDeviceGrid::oneCellADevice_data()
{
    QTest::addColumn<int>("servers");
    QTest::addColumn<int>("devices");
    QTest::newRow("one box") << 1 << 8;
    QTest::newRow("two boxes") << 2 << 8;
    QTest::newRow("a rack") << 8 << 8;
    QTest::newRow("a cluster") << 128 << 8;
}

void TestDeviceGrid::oneCellADevice()
{
    QFETCH(int, servers);
    QFETCH(int, devices);
    DeviceGrid grid;
    grid.resize(900, 400);
    grid.setState(running(handMadeRun(servers, devices)));
    QCOMPARE(grid.cellCount(), servers * devices);
    QCOMPARE(grid.groups().count(), servers);
}

void TestDeviceGrid::clickingACellChoosesItsRank()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(running(handMadeRun()));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(5).center());
    QCOMPARE(lastChoice(chosen), QList<int>{5});
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(2).center());
    QCOMPARE(lastChoice(chosen), QList<int>{2});
}

void TestDeviceGrid::ctrlClickChoosesSeveral()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(running(handMadeRun()));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(5).center());
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, grid.cellRect(2).center());
    QCOMPARE(lastChoice(chosen), (QList<int>{2, 5}));
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, grid.cellRect(5).center());
    QCOMPARE(lastChoice(chosen), QList<int>{2});
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, grid.cellRect(2).center());
    QCOMPARE(lastChoice(chosen), QList<int>{2}); // One always stays.
}

void TestDeviceGrid::shiftChoosesAStretch()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(running(handMadeRun()));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(1).center());
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ShiftModifier, grid.cellRect(4).center());
    QCOMPARE(lastChoice(chosen), (QList<int>{1, 2, 3, 4}));
}

void TestDeviceGrid::keysMoveTheCursorAndChoose()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(running(handMadeRun()));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QCOMPARE(grid.currentCell(), 0);
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(grid.currentCell(), 2);
    QVERIFY(chosen.isEmpty());
    QVERIFY(grid.accessibleDescription().contains(u"rank 2"_s));
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(lastChoice(chosen), QList<int>{2});
    QTest::keyClick(&grid, Qt::Key_Left);
    QTest::keyClick(&grid, Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(lastChoice(chosen), (QList<int>{1, 2}));
    QTest::keyClick(&grid, Qt::Key_Space);
    QCOMPARE(lastChoice(chosen), QList<int>{1});
    QTest::keyClick(&grid, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&grid, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(lastChoice(chosen), (QList<int>{1, 2, 3}));
}

void TestDeviceGrid::devicesOfOtherNodesCannotBeChosen()
{
    DeviceGrid grid;
    grid.resize(1000, 1000);
    grid.setState(running(handMadeRun(2)));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(8).center());
    QCOMPARE(grid.currentCell(), 8);
    QVERIFY(chosen.isEmpty());
}

void TestDeviceGrid::cursorIsScrolledIntoView()
{
    DeviceGrid grid;
    grid.resize(600, 300);
    grid.setState(running(handMadeRun(8)));
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid, 30000));
    QVERIFY(!grid.rect().contains(grid.cellRect(63)));
    QTest::keyClick(&grid, Qt::Key_End);
    QVERIFY(grid.rect().contains(grid.cellRect(63)));
    QTest::keyClick(&grid, Qt::Key_Home);
    QVERIFY(grid.rect().contains(grid.cellRect(0)));
}

void TestDeviceGrid::onlyWhatChangedIsDrawn()
{
    OpenGrid grid;
    grid.resize(1000, 400);
    grid.setState(endedRun());
    grid.ensurePolished();
    RasterCanvas canvas;
    canvas.reset(grid.size(), grid.font(), 1);
    grid.drawCanvas(canvas, true);
    QCOMPARE(canvas.dirtyRegion().boundingRect(), grid.rect());
    canvas.present();

    grid.setState(endedRun());
    grid.drawCanvas(canvas, false);
    QVERIFY(canvas.dirtyRegion().isEmpty());

    grid.setLastLine(3, u"RuntimeError"_s);
    grid.drawCanvas(canvas, false);
    const QRect drawn = canvas.dirtyRegion().boundingRect();
    QVERIFY(grid.cellRect(3).contains(drawn));
    QCOMPARE(drawn.height(), canvas.cellSize().height()); // It takes one row.
    canvas.present();

    grid.setLastLine(3, u"RuntimeError"_s);
    grid.drawCanvas(canvas, false);
    QVERIFY(canvas.dirtyRegion().isEmpty());

    grid.setChosen({3});
    grid.drawCanvas(canvas, false);
    QCOMPARE(canvas.dirtyRegion().boundingRect(), grid.cellRect(3));
}

void TestDeviceGrid::aCellIsDrawnOnItsTone()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(endedRun());
    const QImage image = grid.grab().toImage();
    const QPoint corner(-4, 4); // Inside the frame, outside the text.
    QCOMPARE(image.pixelColor(grid.cellRect(3).topRight() + corner),
             toneBackground(Tone::Bad, grid.palette()));
    QCOMPARE(image.pixelColor(grid.cellRect(2).topRight() + corner),
             toneBackground(Tone::Ended, grid.palette()));
}

void TestDeviceGrid::anotherRunStartsWithNothingChosen()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    RunState state = running(handMadeRun());
    grid.setState(state);
    grid.setChosen({2, 3});
    grid.setLastLine(2, u"old"_s);
    grid.setState(state);
    QCOMPARE(grid.chosen(), (QList<int>{2, 3}));
    state.directory += u"-2"_s;
    grid.setState(state);
    QVERIFY(grid.chosen().isEmpty());
    QCOMPARE(grid.cell(2).lines[3].left, QString());
}

} // namespace tst_devicegrid

RANKDECK_WINDOW_TEST(tst_devicegrid, TestDeviceGrid)
#include "tst_devicegrid.moc"
