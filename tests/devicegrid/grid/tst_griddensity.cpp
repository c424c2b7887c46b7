#include "canvas/drawing/rastercanvas.h"
#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "support/handmaderun.h"
#include "support/handmadesamples.h"
#include "support/windowtest.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <ctime>

namespace tst_griddensity
{

using namespace rankdeck;

namespace
{

/// A grid that can be drawn on a canvas that remembers what was drawn.
class OpenGrid : public DeviceGrid
{
public:
    using DeviceGrid::drawCanvas;
    using DeviceGrid::noteOf;
};

RunState stalledAndFailed(int servers)
{
    RunState state = running(handMadeRun(servers, 8, servers));
    state.ranks[5].phase = RankPhase::Failed;
    state.ranks[5].status = ExitStatus{ExitStatus::Kind::Exited, 1};
    state.stall = RunStall{Sentence(u"Rank 9 is silent."_s), {{9, 1000}}};
    return state;
}

void turnWheel(QWidget &widget, int delta, Qt::KeyboardModifiers modifiers)
{
    const QPointF place(20, 20);
    QWheelEvent event(place, widget.mapToGlobal(place), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Rank of each cell, from the first that the cursor reaches with Right.
QList<int> walked(DeviceGrid &grid, int count)
{
    QTest::keyClick(&grid, Qt::Key_Home);
    QList<int> ranks;
    while (ranks.size() < count) {
        ranks << grid.currentProcess();
        QTest::keyClick(&grid, Qt::Key_Right);
    }
    return ranks;
}

} // namespace

/// The sizes of a grid's ranks, from tiles of 8 pixels to whole cells.
class TestGridDensity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLargestDensityThatFitsIsTaken_data();
    void theLargestDensityThatFitsIsTaken();
    void aThousandRanksAreSeenAtOnce();
    void ctrlWheelChangesTheSize();
    void keysMoveAmongTilesOfAllServers();
    void onlyTilesThatChangeAreDrawn();
    void aFailedTileHasASignAndWords();
    void anAlarmHasTheWarningColour();
    void aFailedTileStandsOutAmongStoppedOnes();
    void tilesShowAValueOnAFixedScale();
    void stepsBehindAreTheDistanceToTheFarthestRank();
    void aLineSaysStateAndNumbers();
    void theLegendNamesTheValue();
    void digitsChooseARank();
    void aMissingRankIsSaid();
    void failedStalledAndChosenRanksComeFirst();
    void screenReadersReadEachRank();
    void tenThousandRanksAreDrawnWithinAFrame_data();
    void tenThousandRanksAreDrawnWithinAFrame();
};

void TestGridDensity::theLargestDensityThatFitsIsTaken_data()
{
    QTest::addColumn<int>("servers");
    QTest::addColumn<int>("room");
    QTest::addColumn<int>("density");
    QTest::newRow("a box") << 1 << 800 << int(GridDensity::Cells);
    QTest::newRow("a box in little room") << 1 << 150 << int(GridDensity::Lines);
    QTest::newRow("8 boxes") << 8 << 650 << int(GridDensity::Lines);
    QTest::newRow("128 boxes") << 128 << 470 << int(GridDensity::Tiles24);
    QTest::newRow("128 boxes in little room") << 128 << 200 << int(GridDensity::Tiles16);
    QTest::newRow("more than fits") << 1250 << 100 << int(GridDensity::Tiles8);
}

void TestGridDensity::theLargestDensityThatFitsIsTaken()
{
    QFETCH(int, servers);
    QFETCH(int, room);
    DeviceGrid grid;
    grid.resize(1650, 300);
    grid.setDensities(DensityRange::automatic());
    grid.setRoom(room);
    grid.setState(running(handMadeRun(servers, 8, servers)));
    QTEST(int(grid.density()), "density");
    grid.setDensities(DensityRange::only(GridDensity::Cells));
    QCOMPARE(grid.density(), GridDensity::Cells);
    grid.setDensities(DensityRange::tiles());
    QVERIFY(tileSize(grid.density()) > 0);
}

/// In the upper half of a page of 1920x1080, beside the list of runs.
void TestGridDensity::aThousandRanksAreSeenAtOnce()
{
    DeviceGrid grid;
    grid.setDensities(DensityRange::automatic());
    grid.resize(1650, 440);
    grid.setState(running(handMadeRun(128, 8, 128)));
    for (int cell = 0; cell < 1024; ++cell)
        QVERIFY2(grid.rect().contains(grid.cellRect(cell)), qPrintable(QString::number(cell)));
}

void TestGridDensity::ctrlWheelChangesTheSize()
{
    DeviceGrid grid;
    grid.resize(800, 300);
    grid.setState(running(handMadeRun(2, 8, 2)));
    QSignalSpy looks(&grid, &DeviceGrid::looksChanged);
    turnWheel(grid, -120, Qt::ControlModifier);
    QCOMPARE(grid.density(), GridDensity::Lines);
    turnWheel(grid, -120, Qt::ControlModifier);
    QCOMPARE(grid.density(), GridDensity::Tiles24);
    QCOMPARE(grid.cellRect(9).size(), QSize(24, 24));
    QVERIFY(!looks.isEmpty());
    for (int turn = 0; turn < 9; ++turn)
        turnWheel(grid, -120, Qt::ControlModifier);
    QCOMPARE(grid.density(), GridDensity::Tiles8);
    for (int turn = 0; turn < 9; ++turn)
        turnWheel(grid, 120, Qt::ControlModifier);
    QCOMPARE(grid.density(), GridDensity::Cells);
}

void TestGridDensity::keysMoveAmongTilesOfAllServers()
{
    DeviceGrid grid;
    grid.setDensities(DensityRange::only(GridDensity::Tiles24));
    grid.resize(24 * 17 + 24, 300); // Two servers in a row.
    grid.setState(running(handMadeRun(4, 8, 4)));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QCOMPARE(grid.currentProcess(), 0);
    QTest::keyClick(&grid, Qt::Key_End);
    QCOMPARE(grid.currentProcess(), 31);
    QTest::keyClick(&grid, Qt::Key_Up);
    QCOMPARE(grid.currentProcess(), 15);
    QTest::keyClick(&grid, Qt::Key_Left);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(chosen.takeLast().at(0).value<QList<int>>(), QList<int>{14});
    QTest::mouseClick(&grid, Qt::LeftButton, Qt::ShiftModifier, grid.cellRect(17).center());
    QCOMPARE(chosen.takeLast().at(0).value<QList<int>>(), (QList<int>{14, 15, 16, 17}));
}

void TestGridDensity::onlyTilesThatChangeAreDrawn()
{
    OpenGrid grid;
    grid.setDensities(DensityRange::only(GridDensity::Tiles16));
    grid.resize(600, 300);
    RunState state = running(handMadeRun(8, 8, 8));
    grid.setState(state);
    RasterCanvas canvas;
    canvas.reset(grid.size(), grid.font(), 1);
    grid.drawCanvas(canvas, true);
    canvas.present();
    grid.drawCanvas(canvas, false);
    QVERIFY(canvas.dirtyRegion().isEmpty());
    state.ranks[20].phase = RankPhase::Failed;
    state.ranks[20].status = ExitStatus{ExitStatus::Kind::Exited, 1};
    grid.setState(state);
    // What a tile does not show costs nothing.
    grid.setLastLine(3, u"step 7"_s);
    grid.setProgress(3, {u"step 7"_s, {}});
    grid.drawCanvas(canvas, false);
    QCOMPARE(canvas.dirtyRegion().boundingRect(), grid.cellRect(20));
}

void TestGridDensity::aFailedTileHasASignAndWords()
{
    const RunState state = stalledAndFailed(2);
    QCOMPARE(rankTile(state, 5, false).sign, TileSign::Failed);
    QCOMPARE(rankTile(state, 9, false).sign, TileSign::Stalled);
    QCOMPARE(rankTile(state, 9, true).sign, TileSign::Held);
    QCOMPARE(rankTile(state, 2, false).sign, TileSign::None);
    OpenGrid grid;
    grid.setDensities(DensityRange::only(GridDensity::Tiles8));
    grid.resize(400, 300);
    grid.setState(state);
    const QString words = grid.noteOf({0, 5});
    for (const char *part : {"10.0.0.1", "rank 5", "failed", "exit code 1"})
        QVERIFY2(words.contains(QLatin1String(part)), qPrintable(words));
    // Whatever the colour shows, the sign is there.
    grid.setTileColor(TileColor::AiCore);
    RasterCanvas canvas;
    canvas.reset(grid.size(), grid.font(), 1);
    grid.drawCanvas(canvas, true);
    const auto inner = [&](int cell) {
        return canvas.image().copy(grid.cellRect(cell).adjusted(2, 2, -2, -2));
    };
    QVERIFY(inner(5) != inner(2));
    QVERIFY(inner(9) != inner(2));
    QVERIFY(inner(9) != inner(5));
}

void TestGridDensity::anAlarmHasTheWarningColour()
{
    RunState state = running(handMadeRun());
    state.deviceAlarms.insert(2, u"device 2: its health was OK and is Alarm."_s);
    OpenGrid grid;
    grid.resize(1000, 400);
    grid.setState(state);
    const QColor warning = toneColor(Tone::Caution, grid.palette());
    for (const GridDensity density : {GridDensity::Cells, GridDensity::Lines, GridDensity::Tiles12}) {
        grid.setDensities(DensityRange::only(density));
        RasterCanvas canvas;
        canvas.reset(grid.size(), grid.font(), 1);
        grid.drawCanvas(canvas, true);
        const int inset = tileSize(density) > 0 ? 1 : 0;
        const QPoint corner(inset, inset);
        QCOMPARE(canvas.image().pixelColor(grid.cellRect(2).topLeft() + corner), warning);
        QVERIFY(canvas.image().pixelColor(grid.cellRect(3).topLeft() + corner) != warning);
    }
}

void TestGridDensity::aFailedTileStandsOutAmongStoppedOnes()
{
    for (const QColor &base : {QColor(Qt::white), QColor(0x1e, 0x1f, 0x22)}) {
        QPalette palette;
        palette.setColor(QPalette::Base, base);
        const auto contrast = [&](Tone tone) {
            RasterCanvas canvas;
            canvas.reset({8, 8}, {}, 1);
            RankTile tile;
            tile.isOurs = true;
            tile.tone = tone;
            drawTile(canvas, palette, {0, 0, 8, 8}, tile);
            return contrastRatio(canvas.image().pixelColor(1, 1), base);
        };
        QVERIFY2(contrast(Tone::Ended) >= 3, qPrintable(QString::number(contrast(Tone::Ended))));
        QVERIFY2(contrast(Tone::Bad) > contrast(Tone::Ended),
                 qPrintable(QString::number(contrast(Tone::Bad))));
    }
}

void TestGridDensity::tilesShowAValueOnAFixedScale()
{
    const RunState state = running(handMadeRun());
    GridContents contents;
    contents.setState(state);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    RunSamples samples;
    samples.take(handMadeSample(*state.plan, 90, now));
    contents.setSamples(samples, now);
    const auto step = [&](int rank, TileColor color) {
        return contents.tile({0, rank}, color, contents.tileScale(color), now).step;
    };
    QCOMPARE(step(0, TileColor::AiCore), 7);
    QCOMPARE(step(0, TileColor::Hbm), 1);
    QCOMPARE(step(0, TileColor::Temperature), 1);
    QCOMPARE(step(0, TileColor::Cpu), RankTile::steps - 1); // 150 %
    QCOMPARE(contents.tileScale(TileColor::Memory).toText, u"2 GB"_s);
    QCOMPARE(step(0, TileColor::Memory), RankTile::steps - 1);
    QCOMPARE(step(0, TileColor::State), RankTile::ofState);
    QCOMPARE(step(0, TileColor::StepLag), RankTile::unknown);
    QCOMPARE(contents.tile({0, 0}, TileColor::AiCore, contents.tileScale(TileColor::AiCore), now.addSecs(900))
                 .step,
             RankTile::unknown);
}

void TestGridDensity::stepsBehindAreTheDistanceToTheFarthestRank()
{
    GridContents contents;
    contents.setState(running(handMadeRun()));
    contents.setStep(0, 100);
    contents.setStep(1, 99);
    contents.setStep(2, 20);
    const TileScale scale = contents.tileScale(TileColor::StepLag);
    const auto step = [&](int rank) {
        return contents.tile({0, rank}, TileColor::StepLag, scale, QDateTime::currentDateTimeUtc()).step;
    };
    QCOMPARE(step(0), 0);
    QCOMPARE(step(1), 0); // Ranks print at different moments.
    QCOMPARE(step(2), RankTile::steps - 1);
    QCOMPARE(step(3), RankTile::unknown);
}

void TestGridDensity::aLineSaysStateAndNumbers()
{
    RunState state = running(handMadeRun());
    OpenGrid grid;
    grid.setDensities(DensityRange::only(GridDensity::Lines));
    grid.resize(1000, 400);
    grid.setState(state);
    const auto drawn = [&] {
        RasterCanvas canvas;
        canvas.reset(grid.size(), grid.font(), 1);
        grid.drawCanvas(canvas, true);
        return canvas.image().copy(grid.cellRect(2));
    };
    QVERIFY(grid.cellRect(2).height() < 2 * grid.canvas().cellSize().height());
    const QImage plain = drawn();
    grid.setProgress(2, {u"step 7"_s, u"1.9 s"_s});
    const QImage progress = drawn();
    QVERIFY(plain != progress);
    // The last log line has no room; nobody has to read logs for it.
    QSignalSpy seen(&grid, &DeviceGrid::processesSeen);
    grid.setLastLine(2, u"something"_s);
    QCOMPARE(drawn(), progress);
    QVERIFY(seen.isEmpty());
}

void TestGridDensity::theLegendNamesTheValue()
{
    DevicePanel panel;
    panel.resize(900, 400);
    panel.show();
    auto *const legend = panel.findChild<GridLegend *>();
    panel.grid()->setState(running(handMadeRun()));
    QVERIFY(legend->isHidden());
    panel.grid()->setDensities(DensityRange::only(GridDensity::Tiles16));
    QVERIFY(!legend->isHidden());
    QCOMPARE(legend->words(), QStringList{u"running"_s});
    // States are named once they occur.
    panel.grid()->setState(failed(running(handMadeRun()), 3, ExitStatus{ExitStatus::Kind::Exited, 3}));
    QVERIFY(legend->words().contains(u"failed"_s));
    QVERIFY(!legend->words().contains(u"paused or waiting"_s));
    QVERIFY(legend->accessibleName().contains(u"failed"_s));
    panel.grid()->setTileColor(TileColor::Temperature);
    QVERIFY(legend->accessibleName().contains(u"Temperature"_s));
    QVERIFY(legend->accessibleName().contains(u"100 °C"_s));
}

void TestGridDensity::digitsChooseARank()
{
    DeviceGrid grid;
    grid.resize(800, 300);
    grid.setState(running(handMadeRun(16, 8, 16))); // Folded.
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QSignalSpy said(&grid, &DeviceGrid::message);
    QTest::keyClicks(&grid, u"120"_s);
    QTest::keyClick(&grid, Qt::Key_Backspace);
    QVERIFY(said.constLast().at(0).toString().contains(u"12_"_s));
    QVERIFY(chosen.isEmpty());
    QTest::keyClicks(&grid, u"7"_s);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(chosen.takeLast().at(0).value<QList<int>>(), QList<int>{127});
    QCOMPARE(grid.chosen(), QList<int>{127});
    // After a moment without Enter too.
    grid.setDensities(DensityRange::only(GridDensity::Tiles12));
    QTest::keyClicks(&grid, u"77"_s);
    QTRY_COMPARE(chosen.size(), 1);
    QCOMPARE(grid.currentProcess(), 77);
    QTest::keyClicks(&grid, u"3"_s);
    QTest::keyClick(&grid, Qt::Key_Escape);
    QCOMPARE(said.constLast().at(0).toString(), QString());
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(grid.currentProcess(), 78);
}

void TestGridDensity::aMissingRankIsSaid()
{
    DeviceGrid grid;
    grid.resize(800, 300);
    grid.setState(running(handMadeRun()));
    QSignalSpy chosen(&grid, &DeviceGrid::ranksChosen);
    QSignalSpy said(&grid, &DeviceGrid::message);
    QTest::keyClicks(&grid, u"99"_s);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(said.constLast().at(0).toString(), u"There is no rank 99."_s);
    grid.setFilter(*SampleFilter::from(u"rank<3"_s));
    QTest::keyClicks(&grid, u"5"_s);
    QTest::keyClick(&grid, Qt::Key_Return);
    QCOMPARE(said.constLast().at(0).toString(), u"The filter hides rank 5."_s);
    QVERIFY(chosen.isEmpty());
}

void TestGridDensity::failedStalledAndChosenRanksComeFirst()
{
    DevicePanel panel;
    panel.resize(900, 400);
    DeviceGrid &grid = *panel.grid();
    RunState state = stalledAndFailed(1);
    state.stall = RunStall{Sentence(u"Rank 6 is silent."_s), {{6, 1000}}};
    grid.setState(state);
    grid.setChosen({3});
    QSignalSpy changed(&panel, &DevicePanel::troubleFirstChanged);
    panel.setTroubleFirst(true);
    QCOMPARE(walked(grid, 8), (QList<int>{5, 6, 3, 0, 1, 2, 4, 7}));
    QVERIFY(changed.constLast().at(0).toBool());
    panel.setTroubleFirst(false);
    QCOMPARE(walked(grid, 8), (QList<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestGridDensity::screenReadersReadEachRank()
{
    DeviceGrid grid;
    grid.resize(900, 400);
    grid.setState(stalledAndFailed(2));
    grid.setChosen({5});
    QAccessibleInterface *const table = QAccessible::queryAccessibleInterface(&grid);
    QVERIFY(table);
    QCOMPARE(table->role(), QAccessible::Table);
    QCOMPARE(table->childCount(), 18); // Each server has a heading.
    QVERIFY(table->tableInterface());
    QCOMPARE(table->tableInterface()->rowCount(), 18);
    QAccessibleInterface *const heading = table->child(0);
    QCOMPARE(heading->role(), QAccessible::RowHeader);
    QVERIFY(heading->text(QAccessible::Name).startsWith(u"10.0.0.1  1 failed"_s));
    QAccessibleInterface *const cell = table->tableInterface()->cellAt(6, 0);
    QCOMPARE(cell, table->child(6));
    QCOMPARE(cell->role(), QAccessible::Cell);
    const QString name = cell->text(QAccessible::Name);
    QVERIFY2(name.startsWith(u"rank 5"_s) && name.contains(u"failed"_s) && name.contains(u"exit code 1"_s),
             qPrintable(name));
    QCOMPARE(cell->tableCellInterface()->rowIndex(), 6);
    QVERIFY(cell->state().selected);
    QVERIFY(!table->child(7)->state().selected);
    QCOMPARE(table->tableInterface()->selectedRows(), QList<int>{6});
    QCOMPARE(cell->parent(), table);
    QCOMPARE(cell->rect().size(), grid.cellRect(5).size());
    QCOMPARE(table->indexOfChild(cell), 6);
    // Rows that are no longer there are invalid, not wrong.
    QAccessibleInterface *const last = table->child(17);
    grid.setState(running(handMadeRun()));
    QVERIFY(!last->isValid());
    QVERIFY(last->text(QAccessible::Name).isEmpty());
}

void TestGridDensity::tenThousandRanksAreDrawnWithinAFrame_data()
{
    QTest::addColumn<int>("density");
    QTest::newRow("tiles") << int(GridDensity::Tiles8);
    QTest::newRow("lines") << int(GridDensity::Lines);
    QTest::newRow("cells") << int(GridDensity::Cells);
}

/// At 60 frames a second a frame has 16 ms of a processor. The limit leaves room for slow machines.
void TestGridDensity::tenThousandRanksAreDrawnWithinAFrame()
{
    QFETCH(int, density);
    OpenGrid grid;
    grid.setDensities(DensityRange::only(GridDensity(density)));
    grid.resize(1650, 1000);
    grid.setState(running(handMadeRun(1250, 8, 1250)));
    grid.setAllFolded(false);
    RasterCanvas canvas;
    canvas.reset(grid.size(), grid.font(), 1);
#ifdef __SANITIZE_ADDRESS__
    constexpr int slowness = 8; // Not optimised, and watched.
#else
    constexpr int slowness = 1;
#endif
    constexpr int frames = 10;
    // Time of this process, not of the clock: others may be at work.
    const auto millisecondsFor = [&](bool isWhole) {
        const std::clock_t begin = std::clock();
        for (int frame = 0; frame < frames; ++frame)
            grid.drawCanvas(canvas, isWhole);
        return double(std::clock() - begin) * 1000 / CLOCKS_PER_SEC / frames;
    };
    const double whole = millisecondsFor(true);
    const double unchanged = millisecondsFor(false);
    qInfo("10,000 ranks: %.1f ms to draw, %.1f ms unchanged", whole, unchanged);
    QVERIFY(whole < 100 * slowness);
    QVERIFY(unchanged < 50 * slowness);
}

} // namespace tst_griddensity

RANKDECK_WINDOW_TEST(tst_griddensity, TestGridDensity)
#include "tst_griddensity.moc"
