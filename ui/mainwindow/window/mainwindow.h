#pragma once

#include "mainwindow/window/launching.h"
#include "mainwindow/window/opening.h"
#include "ranktable/page/ranktablepage.h"
#include "run/record/runcatalog.h"

#include <QMainWindow>
#include <QStatusBar>

class QStackedWidget;

namespace rankdeck
{

class EmptyPage;
class LaunchForm;
class MainMenu;
class PastRuns;
class Presentation;
class RunList;
class RunNews;
class RunPage;
class WindowClosing;
class WindowLayout;

/// The window: the list of runs on the left, the page that is shown on the right.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow();
    ~MainWindow() override;

    /// Shows a run, live or past. If `launchedHere`, closing the window asks about it, and a failure opens
    /// the error dialog even if it happened before the window was ready.
    void openRun(const QString &directory, bool launchedHere = false);
    /// See Opening::open().
    void openRecorded(const QString &path) { m_opening->open(path); }
    /// Replays a past run, a directory of logs or a report bundle.
    /// @param speed at which it plays at once; nothing: it waits at its begin.
    void openReplay(const QString &path, std::optional<double> speed = {});
    /// Starts a launch and shows it; progress and failure are shown in the window.
    void startLaunch(const LaunchSpec &spec) { m_launching->start(spec); }
    /// Shows a rank table file and its errors.
    void openRankTable(const QString &path) { m_tablePage->openTable(path); }
    /// Returns the names of the live runs that were launched here, and of the one shown if it is live.
    QStringList liveRuns() const;
    /// Whether another window could not go on with this one's work: launch, preflight, open launch form.
    bool isBusy() const;
    /// Shows what another window shows, at its place, and asks about its runs when it is closed.
    void takeOver(const MainWindow &other);
    /// Shows a text in the status bar for a while.
    void showMessage(const QString &text) { statusBar()->showMessage(text, Launching::messageMs); }

public Q_SLOTS:
    void showLaunchForm();
    void runAgain();
    /// Opens the launch form with the options of the run.
    void runAgainChanged();
    /// Asks for a file.
    void chooseRankTable() { m_tablePage->askForFile(); }
    /// Generates a rank table in a dialog over the rank table page.
    void generateRankTable();
    void showPreflight();
    /// Replays the run that is current in the list, else the one shown.
    void replayRun();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makeCentre();
    void connectParts();
    /// @param watched see RunPage::setSession().
    void showSession(const QString &path, RunSession::Source source, bool watched,
                     std::optional<double> speed = {});
    /// Shows the present state of the run in place of its replay.
    void endReplay();
    /// Removes runs that were deleted from the window.
    void forget(const QStringList &directories);
    void makePreflight();
    void startPreflight(const LaunchSpec &spec);
    void closePreflight();
    /// Shows the last run, or the empty page if there is none.
    void showRunPage();
    /// Shows a page that belongs to no run.
    void showPage(QWidget *page);
    void showTitle();
    void takeRuns(const QList<RunSummary> &runs);
    void takeState(const RunState &state);
    QStringList liveDirectories() const;

    // First, so that they outlive everything that lives in them.
    IoThread m_control;
    IoThread m_logs;
    RemoteOwner<RunCatalog> m_catalog;
    std::unique_ptr<WindowClosing> m_closing;

    QSplitter *m_splitter;
    QWidget *m_left; ///< The list of runs, and the parts above it.
    RunList *m_list;
    QStackedWidget *m_stack;
    EmptyPage *m_empty;
    RunPage *m_page;
    RankTablePage *m_tablePage;
    Preflighting *m_preflighting = nullptr; ///< Created on first use, with its page.
    LaunchForm *m_form = nullptr;           ///< A child, created on first use.
    Opening *m_opening;
    Launching *m_launching;
    PastRuns *m_pastRuns;
    Presentation *m_presentation;
    WindowLayout *m_layout;
    MainMenu *m_menu;

    QSet<QString> m_launchedHere; ///< Directories.
    RunNews *m_news;
    bool m_isFirstList = true; ///< The list of runs has not been read yet.
    RunPhase m_shownPhase = RunPhase::Starting;
};

} // namespace rankdeck
