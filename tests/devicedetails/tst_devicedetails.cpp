#include "base/times.h"
#include "device/history/devicehistory.h"
#include "devicedetails/devicedetails.h"
#include "devicedetails/deviceplot.h"
#include "devicedetails/devicetable.h"
#include "run/samples/nodehistory.h"
#include "support/handmaderun.h"
#include "support/handmadesamples.h"
#include "support/windowtest.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

namespace tst_devicedetails
{

using namespace rankdeck;

namespace
{

constexpr int deadlineMs = 30'000;
constexpr qint64 begin = 1'700'000'000'000;

/// What the heading and each row of a table say, as it would be copied.
QList<QStringList> rowsOf(const DeviceTable &table)
{
    QList<QStringList> rows;
    for (const QString &line : table.text().split('\n'_L1, Qt::SkipEmptyParts))
        rows << line.split('\t'_L1);
    return rows;
}

QStringList columnOf(const DeviceTable &table, const QString &title)
{
    QStringList column;
    const QList<QStringList> rows = rowsOf(table);
    const qsizetype at = rows.first().indexOf(title);
    for (qsizetype row = 1; at >= 0 && row < rows.size(); ++row)
        column << rows.at(row).value(at);
    return column;
}

QStringList texts(const QList<int> &numbers)
{
    QStringList list;
    for (const int number : numbers)
        list << QString::number(number);
    return list;
}

} // namespace

class TestDeviceDetails : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void columnsWithoutAValueAreNotShown();
    void aRankWithoutAnNpuHasItsProcesses();
    void whatIsAbsentIsLastWhicheverWayRound();
    void numbersAreSortedAsNumbers();
    void wordsChooseRanks();
    void rowsAreCopied();
    void whatIsWrongIsSaidInWordsAndColour();
    void onlyWhatChangedIsTold();
    void oldValuesAreNotShownAsNew();
    void anotherClockMakesNothingOld();
    void anNpuThatIsNotReadAnyMoreIsOldThoughItsProcessIsNot();
    void theProcessesOfTheCurrentRanksNpuAreNamed();
    void usersWhosePidsSayNothingAreNotNone();
    void eachQuantityHasAChart();
    void whatIsPlottedIsCalledWhatItIs();
    void chartsOfInventedNpusSaySo();
    void chartsThatHaveNoRoomAreScrolledTo();
    void theCursorSaysWhatRanksHad();
    void nobodyLookedInAGap();
    void tableAndChartsHaveATabEach();
    void whyThereIsNothingIsSaid();
    void historyAndPictureAreSaved();
    void everythingIsReachedByKeys();

private:
    void take(const NodeSample &sample)
    {
        m_samples.take(sample);
        m_details->setSamples(m_samples, m_now);
    }
    DeviceTable *table() const { return m_details->table(); }
    SampleCurves curves(int ranks) const;

    std::shared_ptr<const LaunchPlan> m_plan; ///< Four ranks.
    std::unique_ptr<DeviceDetails> m_details;
    RunSamples m_samples;
    QDateTime m_now;
};

void TestDeviceDetails::init()
{
    m_plan = handMadeRun(1, 4, 1).plan;
    m_now = utcTime(begin);
    m_samples.clear();
    m_details = std::make_unique<DeviceDetails>();
    m_details->resize(1000, 700);
    m_details->plot()->resize(900, 600); // As long as it is not shown.
    m_details->setProcesses(u"/nonexistent"_s, m_plan, {0, 1, 2, 3});
    m_details->setLive(true);
}

void TestDeviceDetails::cleanup()
{
    m_details.reset();
}

SampleCurves TestDeviceDetails::curves(int ranks) const
{
    SampleCurves curves;
    curves.gap = 15'000;
    for (int rank = 0; rank < ranks; ++rank) {
        SampleCurves::Curve curve;
        curve.process = rank;
        for (int second = 0; second < 600; second += 2) {
            // Nobody looked from 200 s to 400 s.
            if (second > 200 && second < 400)
                continue;
            curve.values[std::size_t(SampleQuantity::AiCore)].add(begin + second * 1000, 50 + rank);
            curve.values[std::size_t(SampleQuantity::Cpu)].add(begin + second * 1000, 0);
        }
        curves.curves << curve;
    }
    return curves;
}

void TestDeviceDetails::columnsWithoutAValueAreNotShown()
{
    QCOMPARE(rowsOf(*table()).first(), QStringList{u"Rank"_s});
    take(handMadeSample(*m_plan, 30, m_now));
    const QStringList titles = rowsOf(*table()).first();
    for (const char *title :
         {"Rank", "Device", "Health", "AICore %", "HBM GB", "of GB", "HBM %", "°C", "W", "Others", "CPU %",
          "Memory GB", "Processes", "Read MB/s", "Written MB/s", "Card", "Bus", "Name"})
        QVERIFY2(titles.contains(QString::fromUtf8(title)), title);
    // An A2 has no DDR, and of its clock nothing was said.
    for (const char *title : {"Node", "DDR GB", "MHz", "Throttled", "HBM uncorrected", "NPU %", "Last known"})
        QVERIFY2(!titles.contains(QString::fromUtf8(title)), title);
    QCOMPARE(columnOf(*table(), u"AICore %"_s), texts({30, 31, 32, 33}));
    QCOMPARE(columnOf(*table(), u"HBM GB"_s).first(), u"10.0"_s);
    QCOMPARE(columnOf(*table(), u"Memory GB"_s).first(), u"2.00"_s);
    QCOMPARE(columnOf(*table(), u"Read MB/s"_s).first(), u"2.9"_s);
}

void TestDeviceDetails::aRankWithoutAnNpuHasItsProcesses()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    sample.devices.reset();
    sample.users.clear();
    sample.chips.clear();
    take(sample);
    QVERIFY(!rowsOf(*table()).first().contains(u"AICore %"_s));
    QCOMPARE(columnOf(*table(), u"CPU %"_s).last(), u"153.0"_s);
    QVERIFY(m_details->findChild<QTreeWidget *>(u"deviceProcesses"_s)->isHidden() ||
            !m_details->findChild<QTreeWidget *>(u"deviceProcesses"_s)->isVisibleTo(m_details.get()));
}

void TestDeviceDetails::whatIsAbsentIsLastWhicheverWayRound()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    sample.devices->samples[1].temperatureC.reset();
    take(sample);
    QStringList titles = rowsOf(*table()).first();
    int column = 0;
    while (table()->model()->headerData(column, Qt::Horizontal).toString() != u"°C"_s)
        ++column;
    table()->sortByColumn(column, Qt::DescendingOrder);
    QCOMPARE(columnOf(*table(), u"Rank"_s), texts({3, 2, 0, 1}));
    table()->sortByColumn(column, Qt::AscendingOrder);
    QCOMPARE(columnOf(*table(), u"Rank"_s), texts({0, 2, 3, 1}));
}

void TestDeviceDetails::numbersAreSortedAsNumbers()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    sample.devices->samples[0].rates.aiCore = 100;
    sample.devices->samples[1].rates.aiCore = 9;
    take(sample);
    int column = 0;
    while (table()->model()->headerData(column, Qt::Horizontal).toString() != u"AICore %"_s)
        ++column;
    table()->sortByColumn(column, Qt::AscendingOrder);
    QCOMPARE(columnOf(*table(), u"AICore %"_s), texts({9, 32, 33, 100}));
    // As values change rows go where they belong.
    sample.devices->samples[1].rates.aiCore = 99;
    take(sample);
    QCOMPARE(columnOf(*table(), u"AICore %"_s), texts({32, 33, 99, 100}));
}

void TestDeviceDetails::wordsChooseRanks()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    sample.devices->samples[2].healthWord = u"Alarm"_s;
    sample.devices->samples[2].health = DeviceHealth::Alarm;
    take(sample);
    m_details->findChild<QLineEdit *>(u"deviceFilter"_s)->setText(u"alarm 910b3"_s);
    QCOMPARE(columnOf(*table(), u"Rank"_s), texts({2}));
    QCOMPARE(m_details->currentProcess(), 2);
    // And those that come to say so.
    sample.devices->samples[3].healthWord = u"Alarm"_s;
    take(sample);
    QCOMPARE(columnOf(*table(), u"Rank"_s), texts({2, 3}));
    m_details->findChild<QLineEdit *>(u"deviceFilter"_s)->clear();
    QCOMPARE(table()->shownCount(), 4);
}

void TestDeviceDetails::rowsAreCopied()
{
    take(handMadeSample(*m_plan, 30, m_now));
    m_details->show();
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    QStringList lines = QApplication::clipboard()->text().split('\n'_L1, Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines.at(0).startsWith(u"Rank\tDevice\tHealth\tAICore %\t"_s));
    QVERIFY(lines.at(1).startsWith(u"0\t0\tOK\t30\t"_s));
    // Of several that are chosen these alone.
    QTest::keyClick(table(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    lines = QApplication::clipboard()->text().split('\n'_L1, Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
}

void TestDeviceDetails::whatIsWrongIsSaidInWordsAndColour()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    DeviceSample &chip = sample.devices->samples[0];
    chip.health = DeviceHealth::Critical;
    chip.healthWord = u"Critical"_s;
    chip.clockMhz = 900;
    chip.ratedClockMhz = 1800;
    chip.errorCodes = QList<quint32>{0x81AF8000};
    chip.bitErrors.hbmDouble = 2;
    sample.users[0] << DeviceUser{{4711, u"train"_s, 300, {}}, 4711, -1, u"bob"_s};
    take(sample);
    QCOMPARE(columnOf(*table(), u"Health"_s).first(), u"Critical"_s);
    QCOMPARE(columnOf(*table(), u"Throttled"_s), (QStringList{u"⚠ throttled"_s, {}, {}, {}}));
    QCOMPARE(columnOf(*table(), u"Error codes"_s).first(), u"0x81AF8000"_s);
    QCOMPARE(columnOf(*table(), u"HBM uncorrected"_s).first(), u"2"_s);
    QCOMPARE(columnOf(*table(), u"Others"_s),
             (QStringList{u"⚠ 1: train 4711 bob"_s, u"none"_s, u"none"_s, u"none"_s}));
    const QModelIndex health = table()->model()->index(0, DeviceTableModel::FirstDeviceColumn + 1);
    QCOMPARE(health.data().toString(), u"Critical"_s);
    QCOMPARE(health.data(Qt::ForegroundRole).value<QColor>(), toneColor(Tone::Bad, table()->palette()));
    QCOMPARE(health.data(Qt::AccessibleTextRole).toString(), u"Health Critical"_s);
    QVERIFY(!health.siblingAtRow(1).data(Qt::ForegroundRole).isValid());
}

void TestDeviceDetails::onlyWhatChangedIsTold()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    take(sample);
    QSignalSpy changed(table()->model(), &QAbstractItemModel::dataChanged);
    m_details->setSamples(m_samples, m_now);
    QVERIFY(changed.isEmpty());
    sample.devices->samples[2].temperatureC = 77;
    take(sample);
    QCOMPARE(changed.size(), 1);
}

void TestDeviceDetails::oldValuesAreNotShownAsNew()
{
    take(handMadeSample(*m_plan, 30, m_now));
    m_details->setSamples(m_samples, m_now.addSecs(30));
    QVERIFY(rowsOf(*table()).first().contains(u"AICore %"_s));
    // Three times as long as it may take until the next one.
    m_details->setSamples(m_samples, m_now.addSecs(31));
    QVERIFY(!rowsOf(*table()).first().contains(u"AICore %"_s));
    QVERIFY(columnOf(*table(), u"Last known"_s).first().startsWith(u"no output since "_s));
    const auto *const list = m_details->findChild<QTreeWidget *>(u"deviceProcesses"_s);
    QCOMPARE(list->topLevelItemCount(), 0);
    QVERIFY(m_details->findChild<QLabel *>(u"deviceProcessesNote"_s)
                ->text()
                .startsWith(u"The NPU has not been read since "_s));
    const QDateTime begun = m_now;
    m_now = begun.addSecs(40);
    take(handMadeSample(*m_plan, 40, m_now));
    QCOMPARE(columnOf(*table(), u"AICore %"_s).first(), u"40"_s);
    QVERIFY(!rowsOf(*table()).first().contains(u"Last known"_s));
    QCOMPARE(list->topLevelItemCount(), 1);
    // Ranks that were not shown meanwhile have grown old as well.
    m_details->setProcesses(u"/nonexistent"_s, m_plan, {0});
    m_details->setSamples(m_samples, begun.addSecs(40 + 3 * 40 + 1));
    m_details->setProcesses(u"/nonexistent"_s, m_plan, {1});
    m_details->setSamples(m_samples, begun.addSecs(40 + 3 * 40 + 1));
    QVERIFY(rowsOf(*table()).first().contains(u"Last known"_s));
}

void TestDeviceDetails::anotherClockMakesNothingOld()
{
    for (const int hours : {-1, 1}) {
        take(handMadeSample(*m_plan, 30, m_now.addSecs(hours * 3600)));
        QCOMPARE(columnOf(*table(), u"AICore %"_s).first(), u"30"_s);
        QVERIFY(!rowsOf(*table()).first().contains(u"Last known"_s));
        m_samples.clear();
        m_details->setSamples(m_samples, m_now);
    }
}

void TestDeviceDetails::anNpuThatIsNotReadAnyMoreIsOldThoughItsProcessIsNot()
{
    const QDateTime read = m_now;
    const QDateTime end = read.addSecs(32);
    for (; m_now <= end; m_now = m_now.addSecs(2)) {
        NodeSample sample = handMadeSample(*m_plan, 30, m_now);
        sample.devices->time = read; // The last reading, again and again.
        take(sample);
    }
    const QStringList titles = rowsOf(*table()).first();
    for (const char *title : {"AICore %", "Health", "HBM GB", "Others"})
        QVERIFY2(!titles.contains(QString::fromUtf8(title)), title);
    QCOMPARE(columnOf(*table(), u"CPU %"_s).first(), u"150.0"_s);
    QCOMPARE(columnOf(*table(), u"Last known"_s).first(),
             u"NPU not read since %1"_s.arg(read.toLocalTime().toString(u"HH:mm:ss"_s)));
    QCOMPARE(m_details->findChild<QTreeWidget *>(u"deviceProcesses"_s)->topLevelItemCount(), 0);
}

void TestDeviceDetails::theProcessesOfTheCurrentRanksNpuAreNamed()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    sample.users[1] << DeviceUser{{4711, u"<b>train</b>"_s, 300, {}}, 4711, -1, u"bob"_s};
    sample.devices->samples[2].processes.reset();
    sample.users[2].clear();
    take(sample);
    QSignalSpy current(m_details.get(), &DeviceDetails::currentProcessChanged);
    auto *const list = m_details->findChild<QTreeWidget *>(u"deviceProcesses"_s);
    QTest::keyClick(table(), Qt::Key_Down);
    QCOMPARE(current.last().first().toInt(), 1);
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(list->topLevelItem(0)->text(0), u"rank 1"_s);
    QCOMPARE(list->topLevelItem(0)->text(4), u"9000"_s);
    QCOMPARE(list->topLevelItem(1)->text(0), u"⚠ not part of this run"_s);
    QCOMPARE(list->topLevelItem(1)->text(1), u"<b>train</b>"_s);
    QCOMPARE(list->topLevelItem(1)->text(2), u"4711"_s);
    QCOMPARE(list->topLevelItem(1)->text(3), u"bob"_s);
    // Of the next one it is not known, which is not the same as none.
    QTest::keyClick(table(), Qt::Key_Down);
    QCOMPARE(list->topLevelItemCount(), 0);
    QVERIFY(m_details->findChild<QLabel *>(u"deviceProcessesNote"_s)->text().contains(u"unknown"_s));
}

/// As in a container whose npu-smi has the host's pids alone.
void TestDeviceDetails::usersWhosePidsSayNothingAreNotNone()
{
    NodeSample sample = handMadeSample(*m_plan, 30, m_now);
    sample.users = {{}, {}, sample.users[2], {}};
    sample.devices->samples[1].processes = QList<DeviceProcess>();
    *sample.devices->samples[2].processes << DeviceProcess{999, {}, 100, {}};
    take(sample);
    const QString unknown = u"unknown"_s;
    QCOMPARE(columnOf(*table(), u"Others"_s), (QStringList{unknown, u"none"_s, unknown, unknown}));
    int column = 0;
    while (table()->model()->headerData(column, Qt::Horizontal).toString() != u"Others"_s)
        ++column;
    const QModelIndex others = table()->model()->index(0, column);
    QVERIFY(others.data(Qt::ToolTipRole).toString().contains(u"the host's pids"_s));
    QVERIFY(others.siblingAtRow(1).data(Qt::ToolTipRole).toString().isEmpty());
    // It is last whichever way round.
    for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
        table()->sortByColumn(column, order);
        QCOMPARE(columnOf(*table(), u"Rank"_s).first(), u"1"_s);
    }
    table()->sortByColumn(DeviceTableModel::RankColumn, Qt::AscendingOrder);

    const auto note = [this] {
        return m_details->findChild<QLabel *>(u"deviceProcessesNote"_s)->text();
    };
    table()->selectRow(0);
    QVERIFY2(note().startsWith(u"The owners of its processes are unknown. npu-smi "_s), qPrintable(note()));
    table()->selectRow(1);
    QCOMPARE(note(), u"No process uses this NPU."_s);
    table()->selectRow(2);
    QVERIFY2(note().startsWith(u"The owners of the other processes are unknown. npu-smi "_s),
             qPrintable(note()));
    // Where none is known the column still says so.
    sample.users = {{}, {}, {}, {}};
    sample.devices->samples[1].processes = sample.devices->samples[0].processes;
    take(sample);
    QCOMPARE(columnOf(*table(), u"Others"_s), (QStringList{unknown, unknown, unknown, unknown}));
    // Of a rank that has ended nobody asks any more.
    m_samples.forget(0);
    m_details->setSamples(m_samples, m_now);
    table()->selectRow(0);
    QCOMPARE(note(), u"The processes on this NPU are unknown."_s);
    sample.devices->samples[1].isInvented = true;
    take(sample);
    table()->selectRow(1);
    QVERIFY2(note().startsWith(u"This NPU is invented"_s), qPrintable(note()));
}

void TestDeviceDetails::eachQuantityHasAChart()
{
    m_details->setCurves(curves(2));
    DevicePlot *const plot = m_details->plot();
    QCOMPARE(plot->quantities(), (QList<SampleQuantity>{SampleQuantity::AiCore, SampleQuantity::Cpu}));
    QCOMPARE(plot->charts().size(), 2);
    QCOMPARE(plot->names().size(), 2);
    // What is 0 all the time stands at the foot of its chart.
    QCOMPARE(plot->charts().at(1).least, 0.0);
    auto *const choice = m_details->findChild<QComboBox *>(u"quantityChoice"_s);
    QCOMPARE(choice->count(), 3);
    QTest::keyClick(choice, Qt::Key_End);
    QCOMPARE(plot->charts().size(), 1);
    QCOMPARE(plot->charts().first().title, DevicePlot::title(SampleQuantity::Cpu));
    // What comes later does not change that.
    m_details->setCurves(curves(2));
    QCOMPARE(plot->charts().size(), 1);
    QTest::keyClick(choice, Qt::Key_Home);
    QCOMPARE(plot->charts().size(), 2);
}

/// A 950 tells how busy it is as a whole, a 310 has DDR alone.
void TestDeviceDetails::whatIsPlottedIsCalledWhatItIs()
{
    SampleCurves few;
    few.gap = 15'000;
    for (int rank = 0; rank < 2; ++rank) {
        SampleCurves::Curve curve;
        curve.process = rank;
        const auto add = [&curve](SampleQuantity quantity, double value) {
            curve.values[std::size_t(quantity)].add(begin, value);
        };
        add(rank == 0 ? SampleQuantity::AiCore : SampleQuantity::Npu, 50 + rank);
        add(rank == 0 ? SampleQuantity::Hbm : SampleQuantity::Ddr, 5 + rank);
        few.curves << curve;
    }
    m_details->setCurves(few);
    const DevicePlot *const plot = m_details->plot();
    QStringList titles;
    for (const PlotChart &chart : plot->charts())
        titles << chart.title;
    QCOMPARE(titles, (QStringList{u"AICore (%)"_s, u"NPU (%)"_s, u"HBM (GB)"_s, u"DDR (GB)"_s}));
    QCOMPARE(plot->readout(), u"last: rank 0: AI 50%, HBM 5.0 GB; rank 1: NPU 51%, DDR 6.0 GB"_s);
    QCOMPARE(plot->charts().at(1).most, 100.0);
}

void TestDeviceDetails::chartsOfInventedNpusSaySo()
{
    DevicePlot plot;
    plot.resize(900, 600);
    SampleCurves invented = curves(2);
    invented.areInvented = true;
    plot.setCurves(m_plan, invented);
    QCOMPARE(plot.charts().first().title, u"AICore (%), invented"_s);
    QCOMPARE(plot.charts().last().title, DevicePlot::title(SampleQuantity::Cpu));
}

void TestDeviceDetails::chartsThatHaveNoRoomAreScrolledTo()
{
    auto *const plot = new DevicePlot;
    DevicePlotPane pane(plot);
    const auto *const bar = pane.findChild<QScrollBar *>(u"devicePlotBar"_s);
    plot->setCurves(m_plan, curves(2));
    const QSize cell = plot->canvas().cellSize();
    const int width = 60 * cell.width(); // Of one column.
    pane.resize(width, PlotGeometry::heightFor(1, cell));
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane, 30'000));
    QTRY_COMPARE(plot->charts().size(), 1);
    QCOMPARE(plot->charts().first().title, DevicePlot::title(SampleQuantity::AiCore));
    QVERIFY(bar->isVisible());
    QCOMPARE(plot->readout(), u"last: rank 0: AI 50%; rank 1: AI 51%"_s);
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_PageDown);
    QCOMPARE(plot->charts().first().title, DevicePlot::title(SampleQuantity::Cpu));
    QTest::keyClick(plot, Qt::Key_PageUp);
    QCOMPARE(plot->charts().first().title, DevicePlot::title(SampleQuantity::AiCore));
    QTest::keyClick(plot, Qt::Key_PageDown);
    // A picture has all of them.
    QVERIFY(pictureImage(plot->picture({}), 1).height() >= PlotGeometry::heightFor(2, cell));
    // What comes later leaves it where it is, and with room for all there is nothing to scroll.
    plot->setCurves(m_plan, curves(2));
    QCOMPARE(plot->charts().first().title, DevicePlot::title(SampleQuantity::Cpu));
    pane.resize(width, PlotGeometry::heightFor(2, cell));
    QTRY_COMPARE(plot->charts().size(), 2);
    QVERIFY(!bar->isVisible());
}

void TestDeviceDetails::theCursorSaysWhatRanksHad()
{
    m_details->setCurves(curves(2));
    DevicePlot *const plot = m_details->plot();
    QCOMPARE(plot->readout(), u"last: rank 0: AI 50%, CPU 0%; rank 1: AI 51%, CPU 0%"_s);
    QTest::keyClick(plot, Qt::Key_Home);
    const QString time = QDateTime::fromMSecsSinceEpoch(begin).toString(u"MM-dd HH:mm:ss"_s);
    QCOMPARE(plot->readout(), time + u": rank 0: AI 50%, CPU 0%; rank 1: AI 51%, CPU 0%"_s);
    QCOMPARE(plot->accessibleDescription(), plot->readout());
    // The rank that is current in the table comes first: not all may have room.
    QTest::keyClick(table(), Qt::Key_Down);
    QCOMPARE(plot->emphasized(), 1);
    QVERIFY(plot->readout().startsWith(time + u": rank 1: "_s));
}

void TestDeviceDetails::nobodyLookedInAGap()
{
    m_details->setCurves(curves(1));
    DevicePlot *const plot = m_details->plot();
    const std::vector<PlotPoint> &points = plot->charts().first().curves.front();
    QCOMPARE(
        std::count_if(points.begin(), points.end(), [](const PlotPoint &point) { return point.isAfterGap; }),
        1);
    m_details->findChild<QTabWidget *>(u"deviceTabs"_s)->setCurrentIndex(1);
    m_details->show();
    QTest::keyClick(plot, Qt::Key_Home);
    // Half of the time is within the gap.
    for (int tenth = 0; tenth < 5; ++tenth)
        QTest::keyClick(plot, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY2(plot->readout().endsWith(u": not sampled"_s), qPrintable(plot->readout()));
}

/// Table and charts each have the whole room; without a table the charts are shown.
void TestDeviceDetails::tableAndChartsHaveATabEach()
{
    auto *const tabs = m_details->findChild<QTabWidget *>(u"deviceTabs"_s);
    m_details->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_details.get(), deadlineMs));
    QVERIFY(table()->isVisible());
    QVERIFY(!m_details->plot()->isVisible());
    m_details->setLive(false);
    QTRY_VERIFY(m_details->plot()->isVisible());
    QVERIFY(!tabs->isTabVisible(0));
    QVERIFY(m_details->plot()->height() > m_details->height() / 2);
    m_details->setLive(true);
    QTRY_VERIFY(table()->isVisible());
}

void TestDeviceDetails::whyThereIsNothingIsSaid()
{
    DevicePlot *const plot = m_details->plot();
    QVERIFY(plot->accessibleDescription().contains(u"No samples yet"_s));
    m_details->setLive(false);
    QVERIFY(plot->accessibleDescription().contains(u"nothing was sampled"_s));
    QVERIFY(!table()->isVisibleTo(m_details.get()));
    for (const char *button : {"saveSamplesButton", "savePlotButton"})
        QVERIFY(!m_details->findChild<QPushButton *>(QLatin1String(button))->isEnabled());
    m_details->setCurves(curves(1));
    for (const char *button : {"saveSamplesButton", "savePlotButton"})
        QVERIFY(m_details->findChild<QPushButton *>(QLatin1String(button))->isEnabled());
    m_details->clear();
    QVERIFY(plot->isEmpty());
    QVERIFY(plot->accessibleDescription().contains(u"No rank is selected"_s));
}

void TestDeviceDetails::historyAndPictureAreSaved()
{
    QTemporaryDir folder;
    QDir(folder.path()).mkdir(u"samples"_s);
    DeviceHistoryWriter writer(deviceHistoryPath(folder.path(), 0));
    QVERIFY(!writer.add(*handMadeSample(*m_plan, 30, m_now).devices));
    m_details->setProcesses(folder.path(), m_plan, {0});
    m_details->setCurves(curves(1));
    const QString csv = folder.filePath(u"out.csv"_s);
    m_details->saveCsv(csv);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(csv), deadlineMs);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), 6);
    QVERIFY(lines.at(0).startsWith("node,rank,time,device,"));
    QVERIFY(lines.at(1).startsWith("10.0.0.1,0,2023-11-14T22:13:20.000Z,0,0,1,0,0000:C0:00.0,910B3,30,"));
    const QString png = folder.filePath(u"out.png"_s);
    writePicture(m_details.get(), m_details->plot()->picture({}), png);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(png), deadlineMs);
    QCOMPARE(QImage(png).size(), m_details->plot()->size() * 2);
    // A history that is no more is told of, and nothing is written.
    QVERIFY(QDir(folder.filePath(u"samples"_s)).removeRecursively());
    const QString none = folder.filePath(u"none.csv"_s);
    m_details->saveCsv(none);
    QTRY_VERIFY_WITH_TIMEOUT(!m_details->findChildren<QDialog *>().isEmpty(), deadlineMs);
    QVERIFY(!QFile::exists(none));
}

void TestDeviceDetails::everythingIsReachedByKeys()
{
    take(handMadeSample(*m_plan, 30, m_now));
    m_details->setCurves(curves(2));
    m_details->show();
    m_details->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_details.get(), deadlineMs));
    QSet<QString> reached;
    auto *const tabs = m_details->findChild<QTabWidget *>(u"deviceTabs"_s);
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        tabs->tabBar()->setFocus();
        for (int press = 0; press < 20; ++press) {
            reached << QApplication::focusWidget()->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
    }
    for (const char *name : {"deviceTable", "deviceProcesses", "devicePlot", "deviceFilter", "quantityChoice",
                             "saveSamplesButton", "savePlotButton"})
        QVERIFY2(reached.contains(QLatin1String(name)), name);
}

} // namespace tst_devicedetails

RANKDECK_WINDOW_TEST(tst_devicedetails, TestDeviceDetails)
#include "launch/plan/launchplan.h"
#include "tst_devicedetails.moc"
