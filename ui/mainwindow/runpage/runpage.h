#pragma once

#include "failure/failuredialog.h"
#include "mainwindow/runactions/logactions.h"
#include "mainwindow/runactions/rankactions.h"
#include "mainwindow/runpage/lowerhalf.h"
#include "mainwindow/runpage/runheader.h"
#include "mainwindow/session/runsession.h"
#include "replaybar/replaybar.h"

namespace rankdeck
{

class DeviceGrid;
class DevicePanel;
class RunSampling;
class StackActions;

/// Divides a run's page between its devices and its logs. Until the user does, all devices have room if they
/// fit, but the logs have at least half of the page.
class PageSplitter : public QSplitter
{
    Q_OBJECT

public:
    PageSplitter(DevicePanel *devices, QWidget *logs, QWidget *parent);

    /// Returns how the user divided the page; empty if the user did not.
    QByteArray saveDivision() const { return m_userDivided ? saveState() : QByteArray(); }
    void restoreDivision(const QByteArray &saved) { m_userDivided = restoreState(saved); }
    /// To be called when there are other devices, or none are shown.
    void divide();

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QSplitter::resizeEvent(event);
        divide();
    }

private:
    DevicePanel *m_devices;
    bool m_userDivided = false;
};

/// One run: its header, its devices, its logs.
class RunPage : public QWidget
{
    Q_OBJECT

public:
    RunPage();
    ~RunPage() override { m_choice->setSession(nullptr); }

    /// Shows another run.
    /// @param watched whether a failure opens the error dialog even if the run has ended by its first state;
    /// for a run that was launched a moment ago.
    void setSession(std::unique_ptr<RunSession> session, bool watched);
    /// Last known state; plan is null before the first one.
    const RunState &state() const;
    /// Directory of the run shown; empty if there is none.
    QString directory() const { return m_session ? m_session->directory() : QString(); }
    /// Whether a bundle of the run can be saved; not if it comes from a bundle.
    bool canSaveBundle() const
    {
        return m_session && m_session->state().plan && !m_session->isBundle() && !isReplay();
    }
    /// Whether it replays a past run.
    bool isReplay() const { return m_session && m_session->isReplay(); }
    QList<QAction *> replayActions() const { return m_replay->playActions(); }
    /// Actions for the chosen ranks: stop, kill, signals, debuggers, stacks.
    QList<QAction *> rankActions() const;
    /// Actions for the servers in the grid and what its cells show.
    QList<QAction *> gridActions() const { return m_gridActions->actions(); }
    QList<QAction *> logActions() const { return m_logActions->actions(); }
    /// Actions that look for something in the shown log.
    QList<QAction *> findActions() const { return m_logActions->findActions(); }
    /// Acts on a key of a log that was pressed elsewhere in the window; returns whether it is one.
    bool pressLogKey(const QKeyEvent &event) { return state().plan && m_logActions->press(event); }
    /// Turns the captions of demos on and off.
    QAction *captionsAction() const { return m_caption->action(); }
    /// Actions for which logs are shown, and how.
    QList<QAction *> viewActions() const { return m_lower->tabs()->viewActions() << m_pictures->action(); }

    /// Returns how the user divided the page between devices and logs; empty if the user did not.
    QByteArray saveDivision() const { return m_splitter->saveDivision(); }
    void restoreDivision(const QByteArray &saved) { m_splitter->restoreDivision(saved); }

public Q_SLOTS:
    /// Shows or hides the device grid; without it, logs have the whole page.
    void setGridShown(bool shown);
    /// Stops the run after a question; without one if no rank runs.
    void stop() { m_rankActions->stopRun(); }
    void kill() { m_rankActions->killRun(); }
    void showError() { m_failure->show(); }
    /// Goes to the next view, or to the one before.
    void goToView(bool isNext) { m_lower->tabs()->goOn(isNext); }
    /// Saves a bundle of the run, failed or not, in a file that the user chooses.
    void saveBundle();
    /// Shows all notes of the journal.
    void showNotes() { m_header->showNotes(); }

Q_SIGNALS:
    void stateChanged(const rankdeck::RunState &state);
    void runAgainRequested();
    /// What was to be shown cannot be: the user wants to open something else, or nothing.
    void openRequested();
    void closeRequested();
    /// The user wants to see the run as it is now, not its replay.
    void replayCloseRequested();
    /// For the status bar.
    void message(const QString &text);

private:
    void layOut();
    void connectActions();
    void connectSession();
    void takeState(const RunState &state);
    void takeProgress(const ProgressNews &news);
    void forgetProgress();
    void showProgress();
    void takeVerdict(const Verdict &verdict, bool isDiagnosed);
    /// Shows a run, or in its place why there is none.
    void setShown(bool isShown);
    void request(const Request &request);
    /// Tells the actions of ranks which ranks are chosen.
    void updateChosen();

    RunHeader *m_header;
    BundleLine *m_bundle;
    ReplayBar *m_replay;
    CaptionLine *m_caption;
    NothingShown *m_nothing;
    ElidedLabel *m_note;
    ElidedLabel *m_sampleNote;
    DevicePanel *m_panel;
    DeviceGrid *m_grid;
    RunLogs *m_logs;
    LogChoice *m_choice;
    FailureNotice *m_failure;
    LowerHalf *m_lower;
    PageSplitter *m_splitter;
    RankActions *m_rankActions;
    StackActions *m_stackActions;
    SignalActions *m_signalActions;
    ToolActions *m_toolActions;
    PlaceActions *m_placeActions;
    GridActions *m_gridActions;
    LogActions *m_logActions;
    ViewPictures *m_pictures;
    QAction *m_errorAction;
    QAction *m_details; ///< NPUs and processes of the chosen ranks.
    RunSampling *m_sampling;
    std::unique_ptr<RunSession> m_session;
    std::vector<RankProgress> m_progress; ///< By process.
};

} // namespace rankdeck
