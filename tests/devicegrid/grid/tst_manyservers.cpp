#include "canvas/drawing/rastercanvas.h"
#include "devicegrid/grid/devicegrid.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"

#include <QContextMenuEvent>
#include <QSignalSpy>
#include <QTest>

namespace tst_manyservers
{

using namespace rankdeck;

namespace
{

constexpr int servers = 128;
constexpr int devices = 8;
constexpr int patienceMs = 30'000;

/// A grid that can be drawn on a canvas that remembers what was drawn.
class OpenGrid : public DeviceGrid
{
public:
    using DeviceGrid::drawCanvas;
};

RunState largeRun()
{
    return running(handMadeRun(servers, devices, servers));
}

/// Rank `rank` of it failed, the others go on.
RunState withFailed(RunState state, int rank)
{
    state.ranks[size_t(rank)].phase = RankPhase::Failed;
    state.ranks[size_t(rank)].status = ExitStatus{ExitStatus::Kind::Exited, 3};
    return state;
}

QList<int> ranksOf(int server)
{
    QList<int> ranks;
    for (int device = 0; device < devices; ++device)
        ranks.append(server * devices + device);
    return ranks;
}

QList<int> lastChoice(const QSignalSpy &spy)
{
    return spy.isEmpty() ? QList<int>() : spy.constLast().at(0).value<QList<int>>();
}

QPoint foldMark(const DeviceGrid &grid, int server)
{
    return foldMarkArea(grid.headingRect(server)).center();
}

/// Right of the mark.
QPoint headingText(const DeviceGrid &grid, int server)
{
    return grid.headingRect(server).center();
}

} // namespace

/// The device grid of a run that is too large to show every device at once.
class TestManyServers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyServerIsSummedUpInItsHeading();
    void theServerOfAFailureIsOpenedAtTheTop();
    void serversFoldByMouse();
    void serversFoldByKeyboard();
    void allFoldAndOpenAtOnce();
    void theOrderOfTheTableCanBeKept();
    void aHeadingChoosesAllItsRanks();
    void aStretchTakesFoldedServersWhole();
    void theMenuOfAHeadingIsForAllItsRanks();
    void aFoldedRankIsRevealedAtItsHeading();
    void aHeadingIsSpoken();
    void nothingMovesWhileSomebodyIsAtTheGrid();
    void whatIsSeenStaysWhereItIsWhenServersMove();
    void onlyTheHeadingThatChangedIsDrawn();
};

void TestManyServers::everyServerIsSummedUpInItsHeading()
{
    DeviceGrid grid;
    grid.resize(1000, 350);
    grid.setState(largeRun());
    QCOMPARE(grid.cellCount(), servers * devices);
    QCOMPARE(grid.summary(127).text(), u"10.0.0.128  8 running"_s);
    QVERIFY(grid.cellRect(0).isEmpty());
    int seen = 0;
    for (int server = 0; server < servers; ++server)
        seen += grid.rect().contains(grid.headingRect(server)) ? 1 : 0;
    QVERIFY2(seen >= 30, qPrintable(QString::number(seen)));
}

void TestManyServers::theServerOfAFailureIsOpenedAtTheTop()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    grid.setState(withFailed(largeRun(), 99 * devices + 3));
    QVERIFY(grid.rect().contains(grid.cellRect(99 * devices + 3)));
    QVERIFY(grid.headingRect(99).top() < grid.headingRect(0).top());
    QVERIFY(grid.groups().isFolded(0));
    QCOMPARE(grid.summary(99).counts, u"1 failed, 7 running"_s);
}

void TestManyServers::serversFoldByMouse()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, foldMark(grid, 5));
    QVERIFY(!grid.groups().isFolded(5));
    QVERIFY(grid.rect().contains(grid.cellRect(5 * devices + 7)));
    QVERIFY(chosen.isEmpty());
    QTest::mouseClick(&grid, Qt::LeftButton, {}, foldMark(grid, 5));
    QVERIFY(grid.groups().isFolded(5));
    QTest::mouseDClick(&grid, Qt::LeftButton, {}, headingText(grid, 6));
    QVERIFY(!grid.groups().isFolded(6));
}

void TestManyServers::serversFoldByKeyboard()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    QTest::keyClick(&grid, Qt::Key_Right); // From one heading to the one beside it.
    QTest::keyClick(&grid, Qt::Key_Plus);
    QVERIFY(!grid.groups().isFolded(1));
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(grid.currentCell(), devices);
    QTest::keyClick(&grid, Qt::Key_Minus); // From any of its cells.
    QVERIFY(grid.groups().isFolded(1));
    QCOMPARE(grid.currentCell(), -1);
    QTest::keyClick(&grid, Qt::Key_Plus);
    QTest::keyClick(&grid, Qt::Key_Left); // An open one stands alone.
    QVERIFY(grid.groups().isFolded(1));

    DeviceGrid narrow; // One below the other.
    narrow.resize(300, 400);
    narrow.setState(largeRun());
    QTest::keyClick(&narrow, Qt::Key_Right);
    QVERIFY(!narrow.groups().isFolded(0));
    QTest::keyClick(&narrow, Qt::Key_Left);
    QVERIFY(narrow.groups().isFolded(0));
}

void TestManyServers::allFoldAndOpenAtOnce()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    grid.setAllFolded(false);
    QVERIFY(!grid.cellRect(servers * devices - 1).isEmpty());
    grid.setAllFolded(true);
    QVERIFY(grid.cellRect(0).isEmpty());
    QCOMPARE(grid.currentCell(), -1);
}

void TestManyServers::theOrderOfTheTableCanBeKept()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(withFailed(largeRun(), 99 * devices));
    grid.setOrder(ServerGroups::Order::Table);
    QVERIFY(grid.headingRect(0).top() < grid.headingRect(99).top());
    grid.setOrder(ServerGroups::Order::WorstFirst);
    QVERIFY(grid.headingRect(99).top() < grid.headingRect(0).top());
}

void TestManyServers::aHeadingChoosesAllItsRanks()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, headingText(grid, 2));
    QCOMPARE(lastChoice(chosen), ranksOf(2));
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, headingText(grid, 4));
    QCOMPARE(lastChoice(chosen), ranksOf(2) + ranksOf(4));
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, headingText(grid, 2));
    QCOMPARE(lastChoice(chosen), ranksOf(4));
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(lastChoice(chosen), ranksOf(3));
    QCOMPARE(grid.currentProcess(), -1);
}

void TestManyServers::aStretchTakesFoldedServersWhole()
{
    DeviceGrid grid;
    grid.resize(1000, 800);
    grid.setState(largeRun());
    QTest::mouseClick(&grid, Qt::LeftButton, {}, foldMark(grid, 1));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(devices + 6).center());
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ShiftModifier, headingText(grid, 2));
    QCOMPARE(lastChoice(chosen), (QList<int>{devices + 6, devices + 7} + ranksOf(2)));
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ShiftModifier, headingText(grid, 0));
    QCOMPARE(lastChoice(chosen), ranksOf(0) + ranksOf(1).mid(0, 7));
}

void TestManyServers::theMenuOfAHeadingIsForAllItsRanks()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    QSignalSpy menu(&grid, &DeviceGrid::menuRequested);
    const QPoint place = headingText(grid, 3);
    QContextMenuEvent click(QContextMenuEvent::Mouse, place, grid.mapToGlobal(place));
    QApplication::sendEvent(&grid, &click);
    QCOMPARE(menu.size(), 1);
    QCOMPARE(grid.chosen(), ranksOf(3));
    QTest::keyClick(&grid, Qt::Key_Right);
    QContextMenuEvent key(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(&grid, &key);
    QCOMPARE(menu.size(), 2);
    QCOMPARE(grid.chosen(), ranksOf(4));
}

void TestManyServers::aFoldedRankIsRevealedAtItsHeading()
{
    DeviceGrid grid;
    grid.resize(1000, 300);
    grid.setState(largeRun());
    grid.reveal(120 * devices);
    QCOMPARE(grid.currentCell(), -1);
    QVERIFY(grid.rect().contains(grid.headingRect(120)));
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(grid.chosen(), ranksOf(120));
}

void TestManyServers::aHeadingIsSpoken()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    QTest::keyClick(&grid, Qt::Key_Home);
    QCOMPARE(grid.accessibleDescription(), u"10.0.0.1  8 running, folded"_s);
    QTest::keyClick(&grid, Qt::Key_Plus);
    QCOMPARE(grid.accessibleDescription(), u"10.0.0.1  8 running, open"_s);
}

void TestManyServers::nothingMovesWhileSomebodyIsAtTheGrid()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(largeRun());
    QTest::keyClick(&grid, Qt::Key_Down);
    const QRect before = grid.headingRect(0);
    grid.setState(withFailed(largeRun(), 99 * devices));
    QCOMPARE(grid.headingRect(0), before);
    QVERIFY(grid.groups().isFolded(99));
    QTRY_VERIFY_WITH_TIMEOUT(grid.headingRect(99).top() < grid.headingRect(0).top(), patienceMs);
    QVERIFY(!grid.groups().isFolded(99));
}

void TestManyServers::whatIsSeenStaysWhereItIsWhenServersMove()
{
    DeviceGrid grid;
    grid.resize(1000, 300);
    grid.setFocusPolicy(Qt::NoFocus); // With it, the cursor's item stays.
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid, 30000));
    grid.setState(largeRun());
    grid.reveal(80 * devices);
    int first = 0;
    while (grid.headingRect(first).top() < 0)
        ++first;
    const QRect before = grid.headingRect(first);
    QVERIFY(first > 0);
    grid.setState(withFailed(largeRun(), 99 * devices));
    QTRY_VERIFY_WITH_TIMEOUT(!grid.groups().isFolded(99), patienceMs);
    QVERIFY(grid.headingRect(99).top() < 0); // Above what is seen.
    QCOMPARE(grid.headingRect(first).top(), before.top());
}

void TestManyServers::onlyTheHeadingThatChangedIsDrawn()
{
    OpenGrid grid;
    grid.resize(1000, 400);
    grid.setOrder(ServerGroups::Order::Table);
    grid.setState(largeRun());
    grid.ensurePolished();
    RasterCanvas canvas;
    canvas.reset(grid.size(), grid.font(), 1);
    grid.drawCanvas(canvas, true);
    canvas.present();
    grid.setState(largeRun());
    grid.drawCanvas(canvas, false);
    QVERIFY(canvas.dirtyRegion().isEmpty());

    RunState state = largeRun();
    state.ranks[3].phase = RankPhase::Exited;
    grid.setState(state);
    grid.drawCanvas(canvas, false);
    QCOMPARE(canvas.dirtyRegion().boundingRect(), grid.headingRect(0));
    canvas.present();

    grid.setLastLine(3, u"of a rank that is folded away"_s);
    grid.drawCanvas(canvas, false);
    QVERIFY(canvas.dirtyRegion().isEmpty());
}

} // namespace tst_manyservers

RANKDECK_WINDOW_TEST(tst_manyservers, TestManyServers)
#include "tst_manyservers.moc"
