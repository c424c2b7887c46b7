#pragma once

#include "diagnosis/progress/progressfollower.h"
#include "mainwindow/runlogs.h"
#include "run/runstate.h"

#include <QPointer>
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
class FailureDialog;
class GridActions;
class LogActions;
class RankActions;
class RunHeader;
class RunSampling;
class RunSession;
class ServerActions;
class SignalActions;
class StackActions;
class StopQuestion;
class ToolActions;

/// One run: its header, its devices, its logs.
class RunPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunPage(QWidget *parent = nullptr);
    ~RunPage() override;

    /// Show another run.
    /// @param watched whether a failure is news even if the run has ended by the time it is first heard of,
    /// as it is for a run that was launched a moment ago.
    void setSession(std::unique_ptr<RunSession> session, bool watched);
    /// As last heard; plan is null before.
    const RunState &state() const;
    /// Of the run shown; empty when there is none.
    QString directory() const;
    /// Whether a bundle of what is shown can be saved: it is none itself.
    bool canSaveBundle() const;
    /// Stop and kill of the chosen ranks and of their node, and their stacks.
    QList<QAction *> rankActions() const;
    /// How the servers of the run stand in the grid, and what its cells show.
    QList<QAction *> serverActions() const;
    QList<QAction *> logActions() const;

    /// How the user divided the page between devices and logs; empty when the user did not.
    QByteArray saveDivision() const;
    void restoreDivision(const QByteArray &saved);

public Q_SLOTS:
    /// Without the device grid, logs have the whole page.
    void setGridShown(bool shown);
    /// After a question, as kill(); without one when no rank runs.
    void stop();
    void kill();
    void showError();
    /// Of the run shown, failed or not, after asking for the file.
    void saveBundle();
    /// What the journal noted, all of it.
    void showNotes();
    /// The log of the grid's current rank alone.
    void showOneRank();
    /// As many logs as fit side by side.
    void showAllRanks();
    /// The logs that are shown, or all where that is one, in one ordered by time.
    void showMergedRanks();
    /// What the ranks whose logs are shown, or all where that is one, print of their progress, as curves.
    void showPlot();
    /// NPUs and process trees of the ranks whose logs are shown, or of all where that is one.
    void showDevices();
    /// What the ranks tell of a collective self-test.
    void showCollectives();
    /// The terminals of the ranks whose logs are shown; their logs, where that is so already.
    void showTerminals();

Q_SIGNALS:
    void stateChanged(const rankdeck::RunState &state);
    void runAgainWanted();
    /// For the status bar.
    void message(const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void takeState(const RunState &state);
    void takeProgress(const ProgressNews &news);
    void takeSelfTest(const SelfTestResults &results);
    void forgetProgress();
    void stopNow();
    void killNow();
    void ask(StopQuestion *question, void (RunPage::*yes)());
    /// `processes` as what is shown now: terminals or else logs.
    void showAlike(const QList<int> &processes);
    void showLogs(const QList<int> &processes,
                  RunLogs::Arrangement arrangement = RunLogs::Arrangement::Tiled);
    /// @param line 0-based, of `file`; -1: the log alone.
    void openLog(int process, const QString &file, qint64 line);
    QList<int> allProcesses() const;
    /// What the actions of ranks are for.
    void tellChosen(const RunState &state);
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
    ServerActions *m_serverActions;
    GridActions *m_gridActions;
    LogActions *m_logActions;
    QAction *m_details; ///< Of the chosen ranks.
    RunSampling *m_sampling;
    std::unique_ptr<RunSession> m_session;
    QPointer<FailureDialog> m_dialog;
    QPointer<StopQuestion> m_question; ///< Of the whole run, while it is asked.
    Failure m_shownFailure;            ///< What m_dialog shows.
    QList<int> m_shownLogs;
    RunLogs::Arrangement m_arrangement = RunLogs::Arrangement::Tiled;
    std::shared_ptr<const LaunchPlan> m_shownPlan; ///< What m_shownLogs are of.
    std::vector<RankProgress> m_progress;          ///< By process.
    bool m_userDivided = false;
    bool m_isSelfTest = false; ///< The ranks have told something of one.
    bool m_watched = false;    ///< A failure is news.
    bool m_userChose = false;  ///< Which logs are shown; then nothing else changes them.
};

} // namespace rankdeck
