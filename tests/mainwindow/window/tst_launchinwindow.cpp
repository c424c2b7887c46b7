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
        if (auto *yes = m_window->findChild<QPushButton *>(QStringLiteral("confirmStopButton")))
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
    m_grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
}

void TestLaunchInWindow::cleanup()
{
    // Nothing may run on in a directory that is about to be removed.
    auto *stop = m_window->findChild<QPushButton *>(QStringLiteral("stopButton"));
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
    spec.command =
        QStringList{QStringLiteral("python3"), resources + QStringLiteral("/train.py")} + scriptArguments;
    spec.rankTableFile = resources + QStringLiteral("/rank_table.json");
    spec.convertedRankTable = m_home->path(QStringLiteral("converted"));
    spec.workDir = m_home->path();
    spec.logDir = m_home->path(QStringLiteral("log"));
    spec.graceSeconds = 2;
    return spec;
}

void TestLaunchInWindow::eightRanksRunAndSucceed()
{
    m_window->startLaunch(spec({QStringLiteral("--steps"), QStringLiteral("20")}));
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), 8, patienceMs);
    for (int cell = 0; cell < 8; ++cell) {
        QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(cell).lines[0].right, QStringLiteral("succeeded"), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!m_grid->cell(cell).lines[3].left.isEmpty(), patienceMs);
    }
    QVERIFY(!m_window->findChild<QPushButton *>(QStringLiteral("showErrorButton"))->isEnabled());
}

void TestLaunchInWindow::aFailingRankIsShownInItsCellAndInTheDialog()
{
    m_window->startLaunch(
        spec({QStringLiteral("--fail-rank"), QStringLiteral("3"), QStringLiteral("--fail-step"),
              QStringLiteral("10"), QStringLiteral("--exit-code"), QStringLiteral("3")}));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<FailureDialog *>(), patienceMs);
    const auto *dialog = m_window->findChild<FailureDialog *>();
    const QString headline = dialog->findChild<QLabel *>(QStringLiteral("failureHeadline"))->text();
    QVERIFY2(headline.contains(QStringLiteral("Rank 3")), qPrintable(headline));
    QVERIFY(m_window->findChild<QPushButton *>(QStringLiteral("showErrorButton"))->isEnabled());

    QCOMPARE(m_grid->cellCount(), 8);
    QCOMPARE(m_grid->cell(3).lines[0].right, QStringLiteral("failed"));
    QVERIFY(m_grid->cell(3).lines[2].left.startsWith(QLatin1String("exit code 3"))); // And how far it is.
    const auto *tiles = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
    QCOMPARE(tiles->keys(), QList<int>{3});
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    for (int cell = 0; cell < 8; ++cell)
        QVERIFY(cell == 3 || m_grid->cell(cell).lines[0].right != QStringLiteral("failed"));
}

void TestLaunchInWindow::stopEndsTheRun()
{
    m_window->startLaunch(spec({QStringLiteral("--steps"), QStringLiteral("100000")}));
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), 8, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(7).lines[0].right, QStringLiteral("running"), patienceMs);
    m_window->findChild<QPushButton *>(QStringLiteral("stopButton"))->click();
    confirmStop();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    QCOMPARE(m_grid->cell(0).lines[0].right, QStringLiteral("stopped"));
    QVERIFY(!m_window->findChild<FailureDialog *>());
}

QString TestLaunchInWindow::writeScript() const
{
    QFile file(m_home->path(QStringLiteral("train.py")));
    if (!file.open(QIODevice::WriteOnly) || file.write("print('hello')\n") < 0)
        qFatal("the test's script cannot be written");
    return file.fileName();
}

void TestLaunchInWindow::launchFromForm(const LaunchSpec &spec)
{
    m_window->showLaunchForm();
    auto *form = m_window->findChild<LaunchForm *>();
    form->setSpec(spec);
    auto *launch = form->findChild<QPushButton *>(QStringLiteral("launchButton"));
    QTRY_VERIFY_WITH_TIMEOUT(form->canLaunch(), patienceMs);
    launch->click();
    QTRY_VERIFY_WITH_TIMEOUT(!form->isVisible(), patienceMs);
}

void TestLaunchInWindow::expectProcessesThatEnded(int count) const
{
    QTRY_COMPARE_WITH_TIMEOUT(m_grid->cellCount(), count, patienceMs);
    for (int cell = 0; cell < count; ++cell)
        QTRY_COMPARE_WITH_TIMEOUT(m_grid->cell(cell).lines[0].right, QStringLiteral("succeeded"), patienceMs);
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
    QVERIFY(QFile::exists(m_home->path(QStringLiteral("scheduler.log"))));
    QVERIFY(QFile::exists(m_home->path(QStringLiteral("worker_1.log"))));
}

void TestLaunchInWindow::processesAreLaunchedFromTheForm()
{
    LaunchSpec processes = processesDefaults();
    processes.command = QStringList{QStringLiteral("python3"), writeScript()};
    processes.workDir = m_home->path();
    processes.logDir = m_home->path(QStringLiteral("out"));
    processes.processes.nproc = 2;
    processes.processes.masterPort = freePort();
    launchFromForm(processes);
    expectProcessesThatEnded(2);
    QVERIFY(QFile::exists(processes.logDir + QStringLiteral("/1/stdout.log")));
}

void TestLaunchInWindow::aLaunchThatCannotStartIsToldAndShowsNoRun()
{
    LaunchSpec missing = spec({});
    missing.command = QStringList{QStringLiteral("no-such-program-anywhere")};
    m_window->startLaunch(missing);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QMessageBox *>(QStringLiteral("problemBox")), patienceMs);
    const auto *box = m_window->findChild<QMessageBox *>(QStringLiteral("problemBox"));
    QVERIFY2(box->text().contains(QStringLiteral("no-such-program-anywhere")), qPrintable(box->text()));
    QCOMPARE(m_grid->cellCount(), 0);
}

void TestLaunchInWindow::runningAgainRunsTheCommandOfThePreferencesAtTheEnd()
{
    LaunchSpec once = processesDefaults();
    once.command = QStringList{QStringLiteral("true")};
    once.workDir = m_home->path();
    once.processes.masterPort = freePort();
    m_window->startLaunch(once);
    auto *again = m_window->findChild<QPushButton *>(QStringLiteral("runAgainButton"));
    QTRY_VERIFY_WITH_TIMEOUT(again->isEnabled(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    Preferences preferences;
    const QString told = m_home->path(QStringLiteral("told"));
    preferences.endCommand = QStringLiteral("touch ") + told;
    preferences.save();
    again->click();
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(told), patienceMs);
    Preferences().save();
}

void TestLaunchInWindow::runningAgainIntoTheSameLogsIsToldNotToBePossible()
{
    LaunchSpec once = processesDefaults();
    once.command = QStringList{QStringLiteral("true")};
    once.workDir = m_home->path();
    once.logDir = m_home->path(QStringLiteral("out"));
    once.processes.masterPort = freePort();
    m_window->startLaunch(once);
    auto *again = m_window->findChild<QPushButton *>(QStringLiteral("runAgainButton"));
    QTRY_VERIFY_WITH_TIMEOUT(again->isEnabled(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->liveRuns().isEmpty(), patienceMs);
    again->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QMessageBox *>(QStringLiteral("problemBox")), patienceMs);
    const auto *box = m_window->findChild<QMessageBox *>(QStringLiteral("problemBox"));
    QVERIFY2(box->text().contains(once.logDir + QStringLiteral(": the log directory is not empty.")),
             qPrintable(box->text()));
    QVERIFY(box->text().contains(QStringLiteral("--log-dir")));
}

} // namespace tst_launchinwindow

RANKDECK_WINDOW_TEST(tst_launchinwindow, TestLaunchInWindow)
#include "tst_launchinwindow.moc"
