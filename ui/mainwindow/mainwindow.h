#pragma once

#include "background/iothread.h"
#include "background/remoteowner.h"
#include "launch/launchspec.h"
#include "mainwindow/runsession.h"
#include "result.h"
#include "run/runcatalog.h"
#include "run/runstate.h"

#include <QMainWindow>
#include <QSet>

class QAction;
class QSplitter;
class QStackedWidget;

namespace rankdeck
{

class EmptyPage;
class LaunchForm;
class Launching;
class PastRuns;
class Preflighting;
class RankTablePage;
class RunList;
class RunPage;
class RunStopper;

/// The window: the runs on the left, the one that is shown on the right.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Show a run, live or past.
    /// @param launchedHere whether it was started on this window's behalf: then closing the window asks about
    /// it, and its failure is news even when it comes before the window looks.
    void openRun(const QString &directory, bool launchedHere = false);
    /// Show the logs that any launcher left in a directory; where it is a run of ours, that; where it is a
    /// file, the report bundle.
    void openRecorded(const QString &path);
    /// Start a launch and show it; progress and failure are told in the window.
    void startLaunch(const LaunchSpec &spec);
    /// Show a rank table file and what is wrong with it.
    void openRankTable(const QString &path);
    /// The names of the live runs that were launched here, and of the one shown if it is live.
    QStringList liveRuns() const;

public Q_SLOTS:
    void showLaunchForm();
    void runAgain();
    /// In the launch form, to be changed first.
    void runAgainChanged();
    /// After asking for it.
    void chooseLogDirectory();
    /// After asking for its file.
    void chooseBundle();
    void chooseRankTable();
    /// In a dialog over the rank table page.
    void generateRankTable();

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void makeActions();
    void makeFileMenu();
    void makeRunMenu();
    void connectPastRuns();
    void showRecorded(const QString &path, RunSession::Source source);
    /// @param watched see RunPage::setSession().
    void showSession(const QString &path, RunSession::Source source, bool watched);
    /// What was shown is no more.
    void forget(const QStringList &directories);
    void makeCentre();
    void connectTablePage();
    void makePreflight();
    void startPreflight(const LaunchSpec &spec);
    /// The one that was made last.
    void showPreflight();
    void closePreflight();
    /// The one that was looked at last, or none.
    void showRunPage();
    void showTablePage();
    void closeTablePage();
    void showTitle();
    void takeRuns(const QList<RunSummary> &runs);
    /// A window that was lost comes back to what it showed.
    void openNewestLiveRun(const QList<RunSummary> &runs);
    void takeState(const RunState &state);
    void askBeforeClosing();
    void stopAndClose();
    void restoreLayout();
    void saveLayout() const;
    QStringList liveDirectories() const;

    // First, so that they outlive everything that lives in them.
    IoThread m_control;
    IoThread m_logs;
    RemoteOwner<RunCatalog> m_catalog;
    std::unique_ptr<RunStopper> m_stopper; ///< Only while the window waits to close.

    QSplitter *m_splitter;
    RunList *m_list;
    QStackedWidget *m_stack;
    EmptyPage *m_empty;
    RunPage *m_page;
    RankTablePage *m_tablePage;
    Preflighting *m_preflighting = nullptr; ///< With its page made when first asked for.
    LaunchForm *m_form = nullptr;           ///< A child, made when first asked for.
    Launching *m_launching;
    PastRuns *m_pastRuns;

    QAction *m_stop = nullptr;
    QAction *m_kill = nullptr;
    QAction *m_runAgain = nullptr;
    QAction *m_runAgainChanged = nullptr;
    QAction *m_saveBundle = nullptr;
    QAction *m_delete = nullptr;
    QAction *m_showError = nullptr;
    QAction *m_notes = nullptr;
    QAction *m_oneRank = nullptr;
    QAction *m_allRanks = nullptr;
    QAction *m_mergedRanks = nullptr;
    QAction *m_plot = nullptr;
    QAction *m_devices = nullptr;
    QAction *m_collectives = nullptr;
    QAction *m_preflight = nullptr;
    QAction *m_terminals = nullptr;

    QList<RunSummary> m_runs;
    QSet<QString> m_launchedHere; ///< Directories.
    bool m_firstLook = true;
    RunPhase m_shownPhase = RunPhase::Starting;
    bool m_closing = false;
};

} // namespace rankdeck
