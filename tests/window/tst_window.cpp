#include "devicegrid/grid/devicegrid.h"
#include "launchform/form/launchform.h"
#include "logview/view/logview.h"
#include "mainwindow/window/mainwindow.h"
#include "support/programs.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>

#include <csignal>
#include <memory>

namespace tst_window
{

using namespace rankdeck;

/// The window on real runs, driven with mouse and keys.
class WindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void aRunThatFailsIsLaunchedWatchedAndExplained();
    void anOpenedRunShowsWhatWasPrintedBefore();
    void aWindowThatIsKilledLosesNothing();
    void stopEndsTheRun();
    void theDemoNeedsNothingElse();

private:
    static constexpr int limitMs = 30000;

    template <typename Widget = QWidget>
    Widget *find(const char *name) const
    {
        for (QWidget *top : QApplication::topLevelWidgets()) {
            if (top->objectName() == QLatin1String(name))
                return qobject_cast<Widget *>(top);
            if (auto *found = top->findChild<Widget *>(QLatin1String(name)))
                return found;
        }
        return nullptr;
    }
    DeviceGrid *grid() const { return find<DeviceGrid>("deviceGrid"); }
    LogView *logView() const
    {
        auto *tiles = find("logTiles");
        return tiles ? tiles->findChild<LogView *>() : nullptr;
    }
    void click(const char *name) const
    {
        auto *button = find<QPushButton>(name);
        QVERIFY2(button && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void type(const char *name, const QString &text) const
    {
        auto *edit = find<QLineEdit>(name);
        QVERIFY2(edit, name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    QString words(int cell) const
    {
        QStringList all;
        for (const DeviceCell::Line &line : grid()->cell(cell).lines)
            all << line.left << line.right;
        return all.join(' '_L1);
    }
    bool cellsSay(const char *word, int count) const
    {
        int found = 0;
        for (int cell = 0; grid() && cell < grid()->cellCount(); ++cell)
            found += grid()->cell(cell).lines[0].right == QLatin1String(word) ? 1 : 0;
        return found == count;
    }
    QString startDetached(const QStringList &options) const
    {
        const Outcome outcome = ctl(QStringList{u"davincirun"_s, u"--detach"_s, u"--rank-table"_s,
                                                demoTable(), u"--log-dir"_s, m_home->path("logs")} +
                                    train(options));
        const auto directory = findRun(QString::fromUtf8(outcome.out.trimmed()));
        return directory ? *directory : QString();
    }
    static RunState stateOf(const QString &directory)
    {
        const auto state = RunReader(directory).open();
        return state ? *state : RunState();
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<MainWindow> m_window;
};

void WindowTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
}

void WindowTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_home->path("config"));
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1200, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), 30000)); // Only then do keys reach its menus.
}

void WindowTest::cleanup()
{
    m_window.reset();
    // What a test left running is ended by the program that started it, by name of the run.
    for (const RunSummary &run : RunSummaries().read()) {
        if (isLive(run.phase))
            ctl({u"stop"_s, run.name, u"--kill"_s});
    }
}

void WindowTest::aRunThatFailsIsLaunchedWatchedAndExplained()
{
    QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(m_window->findChild<LaunchForm *>() && m_window->findChild<LaunchForm *>()->isVisible());
    auto *form = m_window->findChild<LaunchForm *>();
    type("rankTableEdit", demoTable());
    type("logDirEdit", m_home->path("logs"));
    type("commandEdit", train({u"--rate"_s, u"20"_s, u"--fail-rank"_s, u"3"_s, u"--fail-step"_s, u"60"_s,
                               u"--exit-code"_s, u"3"_s})
                            .join(' '_L1));
    auto *launch = form->findChild<QPushButton *>(u"launchButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(form->canLaunch(), limitMs);
    QTest::mouseClick(launch, Qt::LeftButton);

    // Eight cells, and text that grows in the pane.
    QTRY_VERIFY_WITH_TIMEOUT(grid() && grid()->cellCount() == 8 && cellsSay("running", 8), limitMs);
    auto *showError = find<QPushButton>("showErrorButton");
    QVERIFY(!showError->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(logView() && logView()->visibleText().contains("step: 5/"_L1), limitMs);
    const QString before = logView()->visibleText();
    QTRY_VERIFY_WITH_TIMEOUT(logView()->visibleText() != before, limitMs);
    QTest::mouseClick(grid(), Qt::LeftButton, {}, grid()->cellRect(5).center());
    QTRY_VERIFY_WITH_TIMEOUT(logView()->visibleText().contains("rank 5 of 8"_L1) ||
                                 logView()->visibleText().contains("step:"_L1),
                             limitMs);

    // The failure: exit code in its cell, the others ended, the dialog by itself.
    QTRY_VERIFY_WITH_TIMEOUT(cellsSay("failed", 1) && cellsSay("stopped", 7), limitMs);
    QVERIFY2(words(3).contains("exit code 3"_L1), qPrintable(words(3)));
    QTRY_VERIFY_WITH_TIMEOUT(showError->isEnabled(), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(find<QDialog>("failureDialog") && find<QDialog>("failureDialog")->isVisible(),
                             limitMs);
    auto *dialog = find<QDialog>("failureDialog");
    const auto headline = [&] {
        return dialog->findChild<QLabel *>(u"failureHeadline"_s)->text();
    };
    QTRY_COMPARE_WITH_TIMEOUT(headline(), u"Rank 3 failed first"_s, limitMs);
    QString said;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        said += label->text() + '\n'_L1;
    QVERIFY2(said.contains("exit code 3"_L1), qPrintable(said));
    QVERIFY(dialog->findChild<QPlainTextEdit *>(u"failureTail"_s)
                ->toPlainText()
                .contains("Traceback (most recent call last)"_L1));

    // Once the logs have been read, header and dialog say the same.
    QTRY_VERIFY_WITH_TIMEOUT(
        find<ElidedLabel>("runDetails")->text().startsWith(headline() + ": RuntimeError"_L1), limitMs);

    const QString picture = qEnvironmentVariable("RANKDECK_SCREENSHOT");
    if (!picture.isEmpty())
        QVERIFY(QGuiApplication::primaryScreen()->grabWindow(0).save(picture));

    QTest::mouseClick(dialog->findChild<QPushButton *>(u"copyReportButton"_s), Qt::LeftButton);
    QTRY_VERIFY(QGuiApplication::clipboard()->text().contains("Rank 3 failed first"_L1));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!find<QDialog>("failureDialog") || !find<QDialog>("failureDialog")->isVisible());
    click("showErrorButton");
    QTRY_VERIFY(find<QDialog>("failureDialog") && find<QDialog>("failureDialog")->isVisible());
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void WindowTest::anOpenedRunShowsWhatWasPrintedBefore()
{
    const QString run = startDetached({u"--steps"_s, u"5"_s, u"--rate"_s, u"0"_s});
    QTRY_VERIFY_WITH_TIMEOUT(stateOf(run).phase == RunPhase::Succeeded, limitMs);
    m_window->openRun(run);
    QTRY_VERIFY_WITH_TIMEOUT(grid() && cellsSay("succeeded", 8), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(logView() && logView()->visibleText().contains("training is finished"_L1),
                             limitMs);
    QVERIFY(!find<QPushButton>("showErrorButton")->isEnabled());
    QVERIFY(!find<QPushButton>("stopButton")->isEnabled());
}

void WindowTest::aWindowThatIsKilledLosesNothing()
{
    // The real program, with a launch of its own.
    QProcess window;
    window.start(buildPath("bin/rankdeck"), QStringList{u"davincirun"_s, u"--rank-table"_s, demoTable(),
                                                        u"--log-dir"_s, m_home->path("logs")} +
                                                train({u"--steps"_s, u"200"_s, u"--rate"_s, u"25"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(findRun(u"last"_s), limitMs);
    const QString run = *findRun(u"last"_s);
    QTRY_VERIFY_WITH_TIMEOUT(stateOf(run).count(RankPhase::Running) == 8, limitMs);
    const QString log = stateOf(run).plan->processes[2].logFile;
    QTRY_VERIFY_WITH_TIMEOUT(fileText(log).contains("step: 10/"), limitMs);
    window.kill();
    QVERIFY(window.waitForFinished());

    // Another window finds it live, with everything that was printed meanwhile, and sees its good end.
    m_window->openRun(run);
    QTRY_VERIFY_WITH_TIMEOUT(grid() && cellsSay("running", 8), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(cellsSay("succeeded", 8), limitMs);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(run).phase, RunPhase::Succeeded, limitMs);
    const QByteArray text = fileText(log);
    for (int step = 1; step <= 200; ++step)
        QVERIFY2(text.contains("step: " + QByteArray::number(step) + "/"),
                 QByteArray::number(step).constData());
}

void WindowTest::stopEndsTheRun()
{
    const QString run = startDetached({u"--steps"_s, u"100000"_s});
    m_window->openRun(run);
    QTRY_VERIFY_WITH_TIMEOUT(grid() && cellsSay("running", 8), limitMs);
    click("stopButton");
    click("confirmStopButton");
    QTRY_VERIFY_WITH_TIMEOUT(cellsSay("stopped", 8), limitMs);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(run).phase, RunPhase::Stopped, limitMs);
    QVERIFY(!find<QPushButton>("showErrorButton")->isEnabled());
}

void WindowTest::theDemoNeedsNothingElse()
{
    click("demoButton-training");
    QTRY_VERIFY_WITH_TIMEOUT(grid() && grid()->cellCount() == 8 && cellsSay("running", 8), limitMs);
    QTRY_VERIFY_WITH_TIMEOUT(logView() && logView()->visibleText().contains("loss is"_L1), limitMs);
}

} // namespace tst_window

RANKDECK_WINDOW_TEST(tst_window, WindowTest)
#include "tst_window.moc"
