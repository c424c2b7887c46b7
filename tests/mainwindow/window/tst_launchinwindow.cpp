#include "devicegrid/grid/devicegrid.h"
#include "failure/failuredialog.h"
#include "launch/options/launchers.h"
#include "launch/spec/launchspec.h"
#include "launchform/form/launchform.h"
#include "logview/panes/logtiles.h"
#include "mainwindow/window/mainwindow.h"
#include "support/freeport.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/preferences.h"

#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>

namespace tst_launchinwindow
{

using namespace rankdeck;

/// Real runs of the demo's script, from the window: supervisor, agent and eight processes are the program's
/// own.
class TestLaunchInWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void eightRanksRunAndSucceed();
    void aFailingRankIsShownInItsCellAndInTheDialog();
    void stopEndsTheRun();
    void msrunIsLaunchedFromTheForm();
    void processesAreLaunchedFromTheForm();
    void aLaunchThatCannotStartIsToldAndShowsNoRun();
    void runningAgainRunsTheCommandOfThePreferencesAtTheEnd();
    void runningAgainIntoTheSameLogsIsToldNotToBePossible();

private:
    LaunchSpec spec(const QStringList &scriptArguments) const;
    QString writeScript() const;
    /// Answer the question, if one is asked.
    void confirmStop() const
    {
        if (auto *yes = m_window->findChild<QPushButton *>(u"confirmStopButton"_s))
            yes->click();
    }
    /// Fill the form, and wait for the button to start the run.
    void launchFromForm(const LaunchSpec &spec);
    void expectProcessesThatEnded(int count) const;

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<MainWindow> m_window;
    DeviceGrid *m_grid = nullptr;
};

namespace
{
constexpr int patienceMs = 60'000;
} // namespace

void TestLaunchInWindow::init()
{
    m_home = std::make_unique<WindowHome>();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
}

void TestLaunchInWindow::cleanup()
{
    // Nothing may run on in a directory that is about to be removed.
    auto *stop = m_window->findChild<QPushButton *>(u"stopButton"_s);
    if (stop->isEnabled()) {
        stop->click();
        confirmStop();
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    m_window.reset();
    m_home.reset();
}

LaunchSpec TestLaunchInWindow::spec(const QStringList &scriptArguments) const
{
    const QString resources = sourcePath("resources/demo");
    LaunchSpec spec;
    spec.command = QStringList{u"python3"_s, resources + u"/train.py"_s} + scriptArguments;
    spec.rankTableFile = resources + u"/rank_table.json"_s;
    spec.convertedRankTable = m_home->path(u"converted"_s);
    spec.workDir = m_home->path();
    spec.logDir = m_home->path(u"log"_s);
    spec.graceSeconds = 2;
    return spec;
}

void TestLaunchInWindow::eightRanksRunAndSucceed()
{
    m_window->startLaunch(spec({u"--steps"_s, u"20"_s}));
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), 8, patienceMs);
    for (int cell = 0; cell < 8; ++cell) {
        QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(cell).lines[0].right, u"succeeded"_s, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!m_grid->cell(cell).lines[3].left.isEmpty(), patienceMs);
    }
    QVERIFY(!m_window->findChild<QPushButton *>(u"showErrorButton"_s)->isEnabled());
}

void TestLaunchInWindow::aFailingRankIsShownInItsCellAndInTheDialog()
{
    m_window->startLaunch(
        spec({u"--fail-rank"_s, u"3"_s, u"--fail-step"_s, u"10"_s, u"--exit-code"_s, u"3"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<FailureDialog *>(), patienceMs);
    const auto *dialog = m_window->findChild<FailureDialog *>();
    const QString headline = dialog->findChild<QLabel *>(u"failureHeadline"_s)->text();
    QVERIFY2(headline.contains(u"Rank 3"_s), qPrintable(headline));
    QVERIFY(m_window->findChild<QPushButton *>(u"showErrorButton"_s)->isEnabled());

    QCOMPARE(m_grid->cellCount(), 8);
    QCOMPARE(m_grid->cell(3).lines[0].right, u"failed"_s);
    QVERIFY(m_grid->cell(3).lines[2].left.startsWith("exit code 3"_L1)); // And how far it is.
    const auto *tiles = m_window->findChild<LogTiles *>(u"logTiles"_s);
    QCOMPARE(tiles->keys(), QList<int>{3});
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    for (int cell = 0; cell < 8; ++cell)
        QVERIFY(cell == 3 || m_grid->cell(cell).lines[0].right != u"failed"_s);
}

void TestLaunchInWindow::stopEndsTheRun()
{
    m_window->startLaunch(spec({u"--steps"_s, u"100000"_s}));
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), 8, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(7).lines[0].right, u"running"_s, patienceMs);
    m_window->findChild<QPushButton *>(u"stopButton"_s)->click();
    confirmStop();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    QCOMPARE(m_grid->cell(0).lines[0].right, u"stopped"_s);
    QVERIFY(!m_window->findChild<FailureDialog *>());
}

QString TestLaunchInWindow::writeScript() const
{
    QFile file(m_home->path(u"train.py"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write("print('hello')\n") < 0)
        qFatal("the test's script cannot be written");
    return file.fileName();
}

void TestLaunchInWindow::launchFromForm(const LaunchSpec &spec)
{
    m_window->showLaunchForm();
    auto *form = m_window->findChild<LaunchForm *>();
    form->setSpec(spec);
    auto *launch = form->findChild<QPushButton *>(u"launchButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(form->canLaunch(), patienceMs);
    launch->click();
    QTRY_VERIFY_WITH_TIMEOUT(!form->isVisible(), patienceMs);
}

void TestLaunchInWindow::expectProcessesThatEnded(int count) const
{
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), count, patienceMs);
    for (int cell = 0; cell < count; ++cell)
        QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(cell).lines[0].right, u"succeeded"_s, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    QVERIFY(!m_window->findChild<FailureDialog *>());
}

void TestLaunchInWindow::msrunIsLaunchedFromTheForm()
{
    LaunchSpec msrun = msrunDefaults();
    msrun.command = QStringList{writeScript()};
    msrun.workDir = msrun.logDir = m_home->path();
    msrun.msrun.workerNum = msrun.msrun.localWorkerNum = 2;
    msrun.msrun.masterPort = freePort();
    launchFromForm(msrun);
    expectProcessesThatEnded(3); // The scheduler too.
    QVERIFY(QFile::exists(m_home->path(u"scheduler.log"_s)));
    QVERIFY(QFile::exists(m_home->path(u"worker_1.log"_s)));
}

void TestLaunchInWindow::processesAreLaunchedFromTheForm()
{
    LaunchSpec processes = processesDefaults();
    processes.command = QStringList{u"python3"_s, writeScript()};
    processes.workDir = m_home->path();
    processes.logDir = m_home->path(u"out"_s);
    processes.processes.nproc = 2;
    processes.processes.masterPort = freePort();
    launchFromForm(processes);
    expectProcessesThatEnded(2);
    QVERIFY(QFile::exists(processes.logDir + u"/1/stdout.log"_s));
}

void TestLaunchInWindow::aLaunchThatCannotStartIsToldAndShowsNoRun()
{
    LaunchSpec missing = spec({});
    missing.command = QStringList{u"no-such-program-anywhere"_s};
    m_window->startLaunch(missing);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QMessageBox *>(u"problemBox"_s), patienceMs);
    const auto *box = m_window->findChild<QMessageBox *>(u"problemBox"_s);
    QVERIFY2(box->text().contains(u"no-such-program-anywhere"_s), qPrintable(box->text()));
    QCOMPARE(m_grid->cellCount(), 0);
}

void TestLaunchInWindow::runningAgainRunsTheCommandOfThePreferencesAtTheEnd()
{
    LaunchSpec once = processesDefaults();
    once.command = QStringList{u"true"_s};
    once.workDir = m_home->path();
    once.processes.masterPort = freePort();
    m_window->startLaunch(once);
    auto *again = m_window->findChild<QPushButton *>(u"runAgainButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(again->isEnabled(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    Preferences preferences;
    const QString told = m_home->path(u"told"_s);
    preferences.endCommand = u"touch "_s + told;
    preferences.save();
    again->click();
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(told), patienceMs);
    Preferences().save();
}

void TestLaunchInWindow::runningAgainIntoTheSameLogsIsToldNotToBePossible()
{
    LaunchSpec once = processesDefaults();
    once.command = QStringList{u"true"_s};
    once.workDir = m_home->path();
    once.logDir = m_home->path(u"out"_s);
    once.processes.masterPort = freePort();
    m_window->startLaunch(once);
    auto *again = m_window->findChild<QPushButton *>(u"runAgainButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(again->isEnabled(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    again->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QMessageBox *>(u"problemBox"_s), patienceMs);
    const auto *box = m_window->findChild<QMessageBox *>(u"problemBox"_s);
    QVERIFY2(box->text().contains(once.logDir + u": the log directory is not empty."_s),
             qPrintable(box->text()));
    QVERIFY(box->text().contains(u"--log-dir"_s));
}

} // namespace tst_launchinwindow

RANKDECK_WINDOW_TEST(tst_launchinwindow, TestLaunchInWindow)
#include "tst_launchinwindow.moc"
