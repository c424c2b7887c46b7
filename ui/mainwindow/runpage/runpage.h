#pragma once

#include "diagnosis/progress/progressfollower.h"
#include "mainwindow/runlogs/runlogs.h"
#include "run/record/runrequests.h"
#include "run/record/runstate.h"

#include <QWidget>

#include <memory>
#include <vector>

class QSplitter;

namespace rankdeck
{

class BundleLine;
class DeviceGrid;
class DevicePanel;
class ElidedLabel;
class FailureNotice;
class GridActions;
class LogActions;
class RankActions;
class RunHeader;
class RunSampling;
class RunSession;
class SignalActions;
class StackActions;
class ToolActions;
struct Verdict;

/// One run: its header, its devices, its logs.
class RunPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunPage(QWidget *parent = nullptr);
    ~RunPage() override;

    /// Shows another run.
    /// @param watched whether a failure opens the error dialog even if the run has ended by its first state;
    /// for a run that was launched a moment ago.
    void setSession(std::unique_ptr<RunSession> session, bool watched);
    /// Last known state; plan is null before the first one.
    const RunState &state() const;
    /// Directory of the run shown; empty if there is none.
    QString directory() const;
    /// Whether a bundle of the run can be saved; not if it comes from a bundle.
    bool canSaveBundle() const;
    /// Actions for the chosen ranks: stop, kill, signals, debuggers, stacks.
    QList<QAction *> rankActions() const;
    /// Actions for the servers in the grid and what its cells show.
    QList<QAction *> gridActions() const;
    QList<QAction *> logActions() const;

    /// Returns how the user divided the page between devices and logs; empty if the user did not.
    QByteArray saveDivision() const;
    void restoreDivision(const QByteArray &saved);

public Q_SLOTS:
    /// Shows or hides the device grid; without it, logs have the whole page.
    void setGridShown(bool shown);
    /// Stops the run after a question; without one if no rank runs.
    void stop();
    void kill();
    void showError();
    /// Saves a bundle of the run, failed or not, in a file that the user chooses.
    void saveBundle();
    /// Shows all notes of the journal.
    void showNotes();
    /// Shows the log of the grid's current rank alone.
    void showOneRank();
    /// Shows as many logs as fit side by side.
    void showAllRanks() { choose(allProcesses()); }
    // For the shown logs, or for all if that is one:
    /// Shows the logs in one, ordered by time.
    void showMergedRanks() { choose(severalProcesses(), RunLogs::Arrangement::Merged); }
    /// Shows the progress that the ranks print, as curves.
    void showPlot() { choose(severalProcesses(), RunLogs::Arrangement::Plotted); }
    /// Shows NPUs and process trees of the ranks.
    void showDevices() { choose(severalProcesses(), RunLogs::Arrangement::Devices); }
    /// Shows the results of a collective self-test.
    void showCollectives() { choose(allProcesses(), RunLogs::Arrangement::Collectives); }
    /// Switches between the terminals of the shown ranks and their logs.
    void showTerminals();

Q_SIGNALS:
    void stateChanged(const rankdeck::RunState &state);
    void runAgainWanted();
    /// For the status bar.
    void message(const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void layOut();
    void connectActions();
    void connectSession();
    void takeState(const RunState &state);
    void takeProgress(const ProgressNews &news);
    void takeSelfTest(const SelfTestResults &results);
    void forgetProgress();
    void takeVerdict(const Verdict &verdict, bool isDiagnosed);
    void showNote(const QString &note);
    void request(const StopRequest &request);
    /// Shows logs that the user chose.
    void choose(const QList<int> &processes, RunLogs::Arrangement arrangement = RunLogs::Arrangement::Tiled);
    void showLogs(const QList<int> &processes,
                  RunLogs::Arrangement arrangement = RunLogs::Arrangement::Tiled);
    void showChosenRanks(const QList<int> &processes);
    void focusTerminal();
    /// @param line 0-based, in `file`; -1: the log without a marked line.
    void openLog(int process, const QString &file, qint64 line);
    QList<int> allProcesses() const;
    QList<int> severalProcesses() const { return m_shownLogs.size() > 1 ? m_shownLogs : allProcesses(); }
    /// Tells the actions of ranks which ranks are chosen.
    void updateChosen();
    void chooseFirstLog();
    void divide();

    RunHeader *m_header;
    BundleLine *m_bundle;
    ElidedLabel *m_note;
    ElidedLabel *m_sampleNote;
    QSplitter *m_splitter;
    DevicePanel *m_panel;
    DeviceGrid *m_grid;
    RunLogs *m_logs;
    RankActions *m_rankActions;
    StackActions *m_stackActions;
    SignalActions *m_signalActions;
    ToolActions *m_toolActions;
    GridActions *m_gridActions;
    LogActions *m_logActions;
    QAction *m_details; ///< NPUs and processes of the chosen ranks.
    RunSampling *m_sampling;
    FailureNotice *m_failure;
    std::unique_ptr<RunSession> m_session;
    QList<int> m_shownLogs;
    RunLogs::Arrangement m_arrangement = RunLogs::Arrangement::Tiled;
    std::shared_ptr<const LaunchPlan> m_shownPlan; ///< The plan that m_shownLogs are indexes of.
    std::vector<RankProgress> m_progress;          ///< By process.
    bool m_userDivided = false;
    bool m_isSelfTest = false; ///< The ranks have printed results of a self-test.
    int m_rootProcess = -1;    ///< That the verdict names.
    bool m_userChose = false;  ///< The user chose the logs; then nothing else changes them.
};

} // namespace rankdeck
