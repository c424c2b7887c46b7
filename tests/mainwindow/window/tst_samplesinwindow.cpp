#include "devicedetails/devicedetails.h"
#include "devicedetails/deviceplot.h"
#include "devicedetails/devicetable.h"
#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/session/runsampling.h"
#include "mainwindow/window/mainwindow.h"
#include "support/npusmistandin.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QAction>
#include <QDir>
#include <QPushButton>
#include <QTest>

namespace tst_samplesinwindow
{

using namespace rankdeck;

namespace
{
constexpr int patienceMs = 60'000;
} // namespace

/// Real runs of the demo's script, on a machine with an npu-smi that tells of two NPUs.
class TestSamplesInWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void numbersOfARunAreInItsTable();
    void whatBefallsAnNpuIsToldAtOnce();
    void aWindowThatNobodySeesLeavesNpuSmiAlone();
    void aWindowThatIsCoveredWantsNone();
    void withoutGridAndDetailsNothingIsSampled();
    void anEndedRunShowsItsCurves();
    void anotherWindowKnowsTheLastMinutes();
    void whatIsWrongWithNpuSmiIsSaid();

private:
    void launch();
    void stop();
    void trigger(const char *action) { m_window->findChild<QAction *>(QLatin1String(action))->trigger(); }
    RunSampling *sampling() const { return m_window->findChild<RunSampling *>(); }
    DeviceDetails *details() const { return m_window->findChild<DeviceDetails *>(); }
    /// Of the table's row of a rank.
    QString textOf(int rank, const QString &title) const;
    /// The supervisor has heard what was wanted before this, and so has the agent; and some seconds have gone
    /// by, in each of which there would have been a call.
    void waitForSteps();

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<NpuSmiStandIn> m_npuSmi;
    std::unique_ptr<MainWindow> m_window;
    DeviceGrid *m_grid = nullptr;
    QByteArray m_path = qgetenv("PATH");
};

void TestSamplesInWindow::init()
{
    m_home = std::make_unique<WindowHome>();
    m_npuSmi = std::make_unique<NpuSmiStandIn>();
    m_npuSmi->replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(57, {}));
    qputenv("PATH", m_npuSmi->folder().toLocal8Bit() + ':' + m_path);
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), 30'000));
    m_grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
}

void TestSamplesInWindow::cleanup()
{
    stop();
    m_window.reset();
    qputenv("PATH", m_path);
    m_npuSmi.reset();
    m_home.reset();
}

void TestSamplesInWindow::stop()
{
    auto *const stop = m_window->findChild<QPushButton *>(u"stopButton"_s);
    if (stop->isEnabled()) {
        stop->click();
        if (auto *yes = m_window->findChild<QPushButton *>(u"confirmStopButton"_s))
            yes->click();
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
}

void TestSamplesInWindow::launch()
{
    const QString resources = sourcePath("resources/demo");
    LaunchSpec spec;
    spec.command = {u"python3"_s, resources + u"/train.py"_s, u"--steps"_s, u"100000"_s};
    spec.rankTableFile = resources + u"/rank_table.json"_s;
    spec.convertedRankTable = m_home->path(u"converted"_s);
    spec.workDir = m_home->path();
    spec.logDir = m_home->path(u"log"_s);
    spec.graceSeconds = 2;
    m_window->startLaunch(spec);
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), 8, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(7).lines[0].right, u"running"_s, patienceMs);
}

QString TestSamplesInWindow::textOf(int rank, const QString &title) const
{
    const QStringList lines = details()->table()->text().split('\n'_L1);
    const qsizetype column = lines.first().split('\t'_L1).indexOf(title);
    return column < 0 ? QString() : lines.value(rank + 1).split('\t'_L1).value(column);
}

void TestSamplesInWindow::waitForSteps()
{
    // The demo prints a line every quarter of a second.
    const auto steps = [this] {
        QFile log(m_window->findChild<RunPage *>()->state().plan->processes.front().logFile);
        return log.open(QIODevice::ReadOnly) ? log.readAll().count('\n') : 0;
    };
    const qsizetype before = steps();
    QTRY_VERIFY_WITH_TIMEOUT(steps() > before + 30, patienceMs);
}

void TestSamplesInWindow::numbersOfARunAreInItsTable()
{
    launch();
    // The grid alone is enough.
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().of(0) && sampling()->samples().of(0)->device, patienceMs);
    QCOMPARE(sampling()->samples().of(0)->device->rates.aiCore, 57);
    trigger("devicesAction");
    QVERIFY(details()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(textOf(0, u"AICore %"_s), u"57"_s, patienceMs);
    QCOMPARE(textOf(0, u"HBM GB"_s), u"57.8"_s);
    QCOMPARE(textOf(1, u"Health"_s), u"Alarm"_s);
    QCOMPARE(textOf(2, u"AICore %"_s), QString()); // It has no NPU.
    QTRY_VERIFY_WITH_TIMEOUT(textOf(2, u"Processes"_s).toInt() > 0, patienceMs);
    m_npuSmi->write("table", NpuSmiStandIn::table(83, {}));
    QTRY_COMPARE_WITH_TIMEOUT(textOf(0, u"AICore %"_s), u"83"_s, patienceMs);
    // And what there was in between is drawn.
    QTRY_VERIFY_WITH_TIMEOUT(details()->plot()->quantities().contains(SampleQuantity::AiCore), patienceMs);
    QVERIFY(details()->plot()->quantities().contains(SampleQuantity::Resident));
    // The rank that is current in the table is looked at closely.
    QTest::keyClick(details()->table(), Qt::Key_Down);
    QCOMPARE(sampling()->wish().detailed, 1);
    QTRY_VERIFY_WITH_TIMEOUT(m_npuSmi->calls().contains("C info -t common -i 5"), patienceMs);
}

void TestSamplesInWindow::whatBefallsAnNpuIsToldAtOnce()
{
    launch();
    const auto *const page = m_window->findChild<RunPage *>();
    QTRY_VERIFY_WITH_TIMEOUT(page->state().deviceAlarms.contains(1), patienceMs);
    const auto *const note = m_window->findChild<ElidedLabel *>(u"runNote"_s);
    QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(u"its health is Alarm"_s), patienceMs);
    m_npuSmi->write("table", NpuSmiStandIn::table(57, {}).replace("Alarm", "OK   "));
    QTRY_VERIFY_WITH_TIMEOUT(page->state().deviceAlarms.isEmpty(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(u"was Alarm and is OK"_s), patienceMs);
}

void TestSamplesInWindow::aWindowThatNobodySeesLeavesNpuSmiAlone()
{
    launch();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().hasDevices(), patienceMs);
    m_window->showMinimized();
    QTRY_VERIFY_WITH_TIMEOUT(!sampling()->wish().isWanted, patienceMs);
    waitForSteps();
    const qsizetype calls = m_npuSmi->calls().size();
    waitForSteps();
    QCOMPARE(m_npuSmi->calls().size(), calls);
    m_window->showNormal();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->wish().isWanted, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_npuSmi->calls().size() > calls, patienceMs);
    // Another page of the window hides it too.
    trigger("generateRankTableAction");
    QTRY_VERIFY_WITH_TIMEOUT(!sampling()->wish().isWanted, patienceMs);
    m_window->openRun(m_window->findChild<RunPage *>()->directory());
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->wish().isWanted, patienceMs);
}

void TestSamplesInWindow::aWindowThatIsCoveredWantsNone()
{
    if (QGuiApplication::platformName() != u"xcb"_s)
        QSKIP("only an X server says what it covers");
    launch();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().hasDevices(), patienceMs);
    QWidget cover(nullptr, Qt::X11BypassWindowManagerHint);
    cover.setGeometry(m_window->frameGeometry());
    cover.show();
    cover.raise();
    QTRY_VERIFY_WITH_TIMEOUT(!sampling()->wish().isWanted, patienceMs);
    cover.hide();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->wish().isWanted, patienceMs);
}

void TestSamplesInWindow::withoutGridAndDetailsNothingIsSampled()
{
    launch();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->wish().isWanted, patienceMs);
    trigger("deviceGridAction");
    QTRY_VERIFY_WITH_TIMEOUT(!sampling()->wish().isWanted, patienceMs);
    trigger("devicesAction");
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->wish().isWanted, patienceMs);
    trigger("allRanksAction");
    QTRY_VERIFY_WITH_TIMEOUT(!sampling()->wish().isWanted, patienceMs);
    trigger("deviceGridAction");
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->wish().isWanted, patienceMs);
    stop();
    QTRY_VERIFY_WITH_TIMEOUT(!sampling()->wish().isWanted, patienceMs);
}

void TestSamplesInWindow::anEndedRunShowsItsCurves()
{
    launch();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().hasDevices(), patienceMs);
    stop();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().isEmpty(), patienceMs);
    const QString directory = m_window->findChild<RunPage *>()->directory();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), 30'000));
    m_window->openRun(directory);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QAction *>(u"devicesAction"_s)->isEnabled(), patienceMs);
    trigger("devicesAction");
    QTRY_VERIFY_WITH_TIMEOUT(details()->plot()->quantities().contains(SampleQuantity::AiCore), patienceMs);
    // Nothing of it is like anything now.
    QVERIFY(!details()->table()->isVisible());
    QVERIFY(!sampling()->wish().isWanted);
    const PlotChart &chart = details()->plot()->charts().first();
    QCOMPARE(double(chart.curves.at(0).front().last), 57.0);
    QVERIFY(chart.curves.at(2).empty());
    QVERIFY(details()->findChild<QPushButton *>(u"saveSamplesButton"_s)->isEnabled());
}

void TestSamplesInWindow::anotherWindowKnowsTheLastMinutes()
{
    launch();
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().hasDevices(), patienceMs);
    const QString directory = m_window->findChild<RunPage *>()->directory();
    // As one that is killed: the run goes on.
    m_window.reset();
    m_npuSmi->write("table", NpuSmiStandIn::table(5, {}));
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), 30'000));
    m_grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    m_window->openRun(directory);
    QTRY_VERIFY_WITH_TIMEOUT(sampling()->samples().recent(0).contains(57.0), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(
        sampling()->samples().of(0)->device && sampling()->samples().of(0)->busyPercent() == 5, patienceMs);
}

void TestSamplesInWindow::whatIsWrongWithNpuSmiIsSaid()
{
    m_npuSmi->install("echo 'dcmi module initialize failed. ret is -8005'; exit 255");
    launch();
    auto *const note = m_window->findChild<ElidedLabel *>(u"sampleNote"_s);
    QTRY_VERIFY_WITH_TIMEOUT(note->isVisible(), patienceMs);
    QVERIFY2(note->text().contains(u"-8005"_s), qPrintable(note->text()));
    trigger("devicesAction");
    // What the processes use is known all the same.
    QTRY_VERIFY_WITH_TIMEOUT(textOf(0, u"Processes"_s).toInt() > 0, patienceMs);
}

} // namespace tst_samplesinwindow

RANKDECK_WINDOW_TEST(tst_samplesinwindow, TestSamplesInWindow)
#include "tst_samplesinwindow.moc"
