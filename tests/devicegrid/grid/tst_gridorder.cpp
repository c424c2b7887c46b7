#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "support/handmaderun.h"
#include "support/madesamples.h"
#include "support/windowtest.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace tst_gridorder
{

using namespace rankdeck;

namespace
{

constexpr int patienceMs = 30'000;

QString nodeName(int server)
{
    return u"10.0.0.%1"_s.arg(server + 1);
}

/// Samples of ranks that are so busy, four on a server.
RunSamples busy(const QList<int> &percents)
{
    constexpr int devices = 4;
    RunSamples samples;
    for (int server = 0; server * devices < percents.size(); ++server) {
        QList<int> ranks;
        for (int device = 0; device < devices; ++device)
            ranks << server * devices + device;
        NodeSample sample = madeNodeSample(nodeName(server), ranks, QDateTime::currentDateTimeUtc());
        for (int device = 0; device < devices; ++device)
            sample.devices->samples[device].rates.aiCore = percents.at(server * devices + device);
        samples.take(sample);
    }
    return samples;
}

/// The ranks whose cells are on the screen, as they are read.
QList<int> seen(const DeviceGrid &grid)
{
    QList<int> cells;
    for (int cell = 0; cell < grid.cellCount(); ++cell) {
        if (!grid.cellRect(cell).isEmpty())
            cells << cell;
    }
    std::sort(cells.begin(), cells.end(), [&grid](int one, int other) {
        const QPoint first = grid.cellRect(one).topLeft();
        const QPoint second = grid.cellRect(other).topLeft();
        return std::pair(first.y(), first.x()) < std::pair(second.y(), second.x());
    });
    return cells;
}

SampleFilter filterOf(const char *text)
{
    return *SampleFilter::from(QString::fromLatin1(text));
}

constexpr RankOrder busiestFirst{RankValue::AiCore, true};

/// A wide one with four ranks, of which rank 1 is the busiest.
class BusyPanel : public DevicePanel
{
public:
    BusyPanel()
    {
        resize(2000, 900);
        grid()->setState(running(handMadeRun(1, 4)));
        grid()->setSamples(busy({10, 40, 20, 30}));
    }
};

} // namespace

/// Which ranks the device grid shows, and in which order.
class TestGridOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsAreSortedWithinTheirServersAndServersByTheirFirst();
    void theCursorStaysOnItsRank();
    void aFilterShowsWhatItWants();
    void aFilterOpensFoldedServers();
    void aHeadingChoosesWhatIsShownOfIt();
    void anEmptyResultSaysSo();
    void whatChangesMovesCellsAfterAMoment();
    void nothingMovesWhileSomebodyIsAtTheGrid();
    void oldSamplesAreNoneForAFilter();
    void theLineSortsFiltersAndCounts();
    void aBadTermIsExplainedBelowTheField();
    void escapeShowsAllAgain();
    void theLineIsReachedByKeyboardAndSpoken();
};

void TestGridOrder::cellsAreSortedWithinTheirServersAndServersByTheirFirst()
{
    DeviceGrid grid;
    grid.resize(2000, 900);
    grid.setState(running(handMadeRun(2, 4, 2)));
    grid.setSamples(busy({10, 40, 20, 30, 5, 90, 7, 6}));
    QCOMPARE(seen(grid), (QList<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    grid.setCellOrder(busiestFirst);
    QCOMPARE(seen(grid), (QList<int>{5, 6, 7, 4, 1, 3, 2, 0}));
    grid.setCellOrder({RankValue::AiCore, false});
    QCOMPARE(seen(grid), (QList<int>{4, 7, 6, 5, 0, 2, 3, 1}));
    grid.setCellOrder({});
    QCOMPARE(seen(grid), (QList<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestGridOrder::theCursorStaysOnItsRank()
{
    DeviceGrid grid;
    grid.resize(2000, 900);
    grid.setState(running(handMadeRun(1, 4)));
    grid.setSamples(busy({10, 40, 20, 30}));
    grid.reveal(2);
    grid.setCellOrder(busiestFirst);
    QCOMPARE(grid.currentCell(), 2);
    QTest::keyClick(&grid, Qt::Key_Left);
    QCOMPARE(grid.currentCell(), 3); // What stands beside it now.
    grid.setFilter(filterOf("ai<15"));
    QCOMPARE(grid.currentCell(), 0); // It has gone.
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(grid.currentCell(), 0);
}

void TestGridOrder::aFilterShowsWhatItWants()
{
    DeviceGrid grid;
    grid.resize(2000, 900);
    grid.setState(running(handMadeRun(2, 4, 2)));
    grid.setSamples(busy({10, 40, 20, 30, 5, 90, 7, 6}));
    grid.setLastLine(7, u"RuntimeError: loss is not a number"_s);
    grid.setFilter(filterOf("ai<15"));
    QCOMPARE(seen(grid), (QList<int>{0, 4, 6, 7}));
    QCOMPARE(grid.shownCount(), 4);
    grid.setFilter(filterOf("ai>=20"));
    QCOMPARE(seen(grid), (QList<int>{1, 2, 3, 5}));
    grid.setFilter(filterOf("10.0.0.2"));
    QCOMPARE(seen(grid), (QList<int>{4, 5, 6, 7}));
    QVERIFY(grid.headingRect(0).isEmpty()); // Nothing of it is shown.
    grid.setFilter(filterOf("runtimeerror"));
    QCOMPARE(seen(grid), QList<int>{7});
    grid.setFilter(filterOf("state=running hbm>90%"));
    QCOMPARE(grid.shownCount(), 8);
    grid.setFilter(SampleFilter());
    QCOMPARE(grid.shownCount(), 8);
    QVERIFY(!grid.headingRect(0).isEmpty());
}

void TestGridOrder::aFilterOpensFoldedServers()
{
    DeviceGrid grid;
    grid.resize(1000, 900);
    grid.setState(running(handMadeRun(64, 8, 64)));
    QVERIFY(seen(grid).isEmpty());
    grid.setFilter(filterOf("rank=100"));
    QCOMPARE(seen(grid), QList<int>{100});
    QTest::keyClick(&grid, Qt::Key_Minus); // What it wants cannot be folded away.
    QCOMPARE(seen(grid), QList<int>{100});
    grid.setFilter(SampleFilter());
    QVERIFY(seen(grid).isEmpty());
}

void TestGridOrder::aHeadingChoosesWhatIsShownOfIt()
{
    DeviceGrid grid;
    grid.resize(2000, 900);
    grid.setState(running(handMadeRun(2, 4, 2)));
    grid.setSamples(busy({10, 40, 20, 30, 5, 90, 7, 6}));
    grid.setFilter(filterOf("ai>=20"));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.headingRect(0).center());
    QCOMPARE(chosen.constLast().at(0).value<QList<int>>(), (QList<int>{1, 2, 3}));
}

void TestGridOrder::anEmptyResultSaysSo()
{
    DeviceGrid grid;
    grid.resize(1000, 400);
    grid.setState(running(handMadeRun()));
    grid.show();
    QVERIFY(QTest::qWaitForWindowActive(&grid, patienceMs));
    grid.setFocus();
    QTRY_VERIFY(grid.hasFocus());
    grid.setFilter(filterOf("ai>100"));
    QCOMPARE(grid.shownCount(), 0);
    QVERIFY(seen(grid).isEmpty());
    QVERIFY(grid.accessibleDescription().contains(u"Press Esc in its field"_s));
    const QImage image = grid.grab().toImage();
    bool isWritten = false;
    for (int x = 0; x < image.width() && !isWritten; ++x) {
        for (int y = 0; y < 40; ++y)
            isWritten = isWritten || image.pixelColor(x, y) != grid.palette().color(QPalette::Base);
    }
    QVERIFY(isWritten);
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Home, Qt::Key_Return, Qt::Key_Minus})
        QTest::keyClick(&grid, key);
    QTest::mouseClick(&grid, Qt::LeftButton, {}, QPoint(50, 50));
    QCOMPARE(grid.currentCell(), -1);
    grid.setFilter(SampleFilter());
    QCOMPARE(grid.shownCount(), 8);
    QCOMPARE(grid.currentCell(), 0);
}

void TestGridOrder::whatChangesMovesCellsAfterAMoment()
{
    DeviceGrid grid;
    grid.resize(2000, 900);
    grid.setState(running(handMadeRun(1, 4)));
    grid.setSamples(busy({10, 40, 20, 30}));
    grid.setCellOrder(busiestFirst);
    const auto seenAfterSample = [&grid] {
        grid.setSamples(busy({90, 40, 20, 30}));
        return seen(grid);
    };
    QCOMPARE(seenAfterSample(), (QList<int>{1, 3, 2, 0})); // Not at once.
    QTRY_COMPARE_WITH_TIMEOUT(seenAfterSample(), (QList<int>{0, 1, 3, 2}), patienceMs);
}

void TestGridOrder::nothingMovesWhileSomebodyIsAtTheGrid()
{
    DeviceGrid grid;
    grid.resize(2000, 900);
    grid.setState(running(handMadeRun(1, 4)));
    grid.setSamples(busy({10, 40, 20, 30}));
    grid.setCellOrder(busiestFirst);
    const auto seenAfterSample = [&grid] {
        grid.setSamples(busy({90, 40, 20, 30})); // Others would be old before it is over.
        return seen(grid);
    };
    // Longer than cells rest when nobody is there.
    QElapsedTimer clock;
    clock.start();
    const auto pressFor = [&](qint64 ms) {
        QTest::keyClick(&grid, Qt::Key_Home);
        return seenAfterSample() != QList<int>{1, 3, 2, 0} || clock.elapsed() > ms;
    };
    QTRY_VERIFY_WITH_TIMEOUT(pressFor(4000), patienceMs);
    QCOMPARE(seen(grid), (QList<int>{1, 3, 2, 0}));
    QTRY_COMPARE_WITH_TIMEOUT(seenAfterSample(), (QList<int>{0, 1, 3, 2}), patienceMs);
}

void TestGridOrder::oldSamplesAreNoneForAFilter()
{
    GridContents contents;
    contents.setState(running(handMadeRun(1, 4)));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    contents.setSamples(busy({10, 40, 20, 30}), now);
    GridSelection selection;
    selection.setFilter(filterOf("ai>=20"));
    selection.settle(contents, now);
    QCOMPARE(selection.cells(0), (QList<int>{1, 2, 3}));
    selection.settle(contents, now.addSecs(60));
    QCOMPARE(selection.cells(0), QList<int>());
    selection.setFilter(filterOf("cpu>0"));
    selection.settle(contents, now.addSecs(60));
    QCOMPARE(selection.count(), 0);
}

void TestGridOrder::theLineSortsFiltersAndCounts()
{
    BusyPanel panel;
    DeviceGrid *const grid = panel.grid();
    panel.openOrder();
    auto *const by = panel.findChild<QComboBox *>(u"rankOrder"_s);
    by->setCurrentIndex(by->findText(u"AICore"_s));
    QCOMPARE(seen(*grid), (QList<int>{0, 2, 3, 1}));
    panel.findChild<QCheckBox *>(u"rankOrderDescending"_s)->click();
    QCOMPARE(seen(*grid), (QList<int>{1, 3, 2, 0}));
    QCOMPARE(by->count(), 13);
    const auto *const result = panel.findChild<QLabel *>(u"rankFilterResult"_s);
    QCOMPARE(result->text(), u"4 of 4 shown"_s);
    auto *const edit = panel.findChild<QLineEdit *>(u"rankFilter"_s);
    QTest::keyClicks(edit, u"ai>15"_s);
    QTRY_COMPARE(seen(*grid), (QList<int>{1, 3, 2})); // By itself.
    QCOMPARE(result->text(), u"3 of 4 shown"_s);
}

void TestGridOrder::aBadTermIsExplainedBelowTheField()
{
    BusyPanel panel;
    DeviceGrid *const grid = panel.grid();
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel, patienceMs));
    panel.openOrder();
    auto *const edit = panel.findChild<QLineEdit *>(u"rankFilter"_s);
    edit->setText(u"ai>15"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    edit->setText(u"ai>15 hbm>90"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    const auto *const problem = panel.findChild<QLabel *>(u"rankFilterProblem"_s);
    QVERIFY(problem->isVisible());
    QCOMPARE(problem->text(), u"hbm>90: Missing unit. Give %, GB or MB."_s);
    QCOMPARE(edit->accessibleDescription(), problem->text());
    QCOMPARE(grid->shownCount(), 3); // What was wanted before.
    edit->setText(u"ai>15 hbm>90%"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(!problem->isVisible());
    QCOMPARE(edit->accessibleDescription(), QString());
}

void TestGridOrder::escapeShowsAllAgain()
{
    BusyPanel panel;
    DeviceGrid *const grid = panel.grid();
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel, patienceMs));
    const auto *const line = panel.findChild<OrderLine *>();
    QVERIFY(!line->isVisible());
    panel.openOrder();
    auto *const edit = panel.findChild<QLineEdit *>(u"rankFilter"_s);
    QTRY_VERIFY(line->isVisible() && edit->hasFocus());
    panel.findChild<QCheckBox *>(u"rankOrderDescending"_s)->click();
    QTest::keyClicks(edit, u"ai>90"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(grid->shownCount(), 0);
    QTest::keyClick(edit, Qt::Key_Escape);
    QVERIFY(!line->isVisible());
    QCOMPARE(seen(*grid), (QList<int>{0, 1, 2, 3}));
    QVERIFY(grid->hasFocus());
}

void TestGridOrder::theLineIsReachedByKeyboardAndSpoken()
{
    DevicePanel panel;
    panel.resize(1000, 600);
    panel.grid()->setState(running(handMadeRun(1, 4)));
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel, patienceMs));
    panel.openOrder();
    QStringList passed;
    for (int tab = 0; tab < 8; ++tab) {
        QWidget *const with = QApplication::focusWidget();
        QVERIFY(with);
        passed << with->objectName();
        QAccessibleInterface *const spoken = QAccessible::queryAccessibleInterface(with);
        QVERIFY2(spoken && !spoken->text(QAccessible::Name).isEmpty(), qPrintable(with->objectName()));
        QTest::keyClick(with, Qt::Key_Tab);
    }
    for (const char *name :
         {"rankOrder", "rankOrderDescending", "rankFilter", "rankFilterClose", "deviceGrid"})
        QVERIFY2(passed.contains(QLatin1String(name)), name);
}

} // namespace tst_gridorder

RANKDECK_WINDOW_TEST(tst_gridorder, TestGridOrder)
#include "tst_gridorder.moc"
