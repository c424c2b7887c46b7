#pragma once

#include "collective/selftest/selftest.h"
#include "log/line/logmatcher.h"
#include "run/record/runstate.h"

#include <QPointer>
#include <QStackedWidget>

namespace rankdeck
{

class CollectivesView;
class DeviceDetails;
class LogTiles;
class LogView;
class MergedPane;
class ProgressPane;
class RunSession;
class SelfTestView;
class TerminalBoard;
struct LogLook;

/// Returns the title above a process's log or terminal: "rank 3  device 3", "gdb at rank 3".
QString processTitle(const ProcessPlan &process);
/// Returns the state beside it: "running", "failed: exit code 1".
QString processStateWords(const RankState &rank, const RunState &run);

/// Shows the chosen processes of a run: their logs side by side or merged, progress as curves, collectives or
/// the results of a self-test, NPUs and processes, or terminals.
class RunLogs : public QStackedWidget
{
    Q_OBJECT

public:
    enum class Arrangement { Tiled, Merged, Plotted, Collectives, Devices, Terminals };

    /// Returns the largest number of processes that can be shown.
    static int most(Arrangement arrangement);

    explicit RunLogs(QWidget *parent = nullptr);

    /// Returns the size of the current view: the others may need more room.
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }
    LogTiles *tiles() const { return m_tiles; }
    TerminalBoard *terminals() const { return m_terminals; }
    DeviceDetails *details() const { return m_details; }
    ProgressPane *curves() const { return m_plot; }
    /// Shows separate standard error in its own pane and strip, rather than in order with standard output.
    void setErrorsApart(bool areApart)
    {
        if (std::exchange(m_areErrorsApart, areApart) != areApart)
            Q_EMIT showAgainRequested();
    }
    /// Sets the look of all logs, however they are arranged.
    void setLook(const LogLook &look);
    /// Returns the log view that has the focus or had it last; nullptr if there is none.
    LogView *currentView() const;
    /// Goes to the filter of the log that currentView() returns.
    void openFilter();
    /// Shows nothing, and uses nothing of a session any more.
    void clear();
    /// Shows at most most() processes. The session must live until clear().
    void show(RunSession &session, const QList<int> &processes, Arrangement arrangement);
    /// Scrolls to a line (0-based) of a log that is shown in a tile, and marks it.
    void showLine(int process, bool isError, qint64 line);
    /// Sets the results of a self-test that the ranks have printed.
    void setSelfTest(const SelfTestResults &results, const RunState &state);
    void setState(const RunState &state);

Q_SIGNALS:
    // See LogView.
    void zoomRequested(int steps);
    void highlightRequested(const QString &text);
    void allRequested(const rankdeck::LogPattern &pattern);
    /// The title of a log was double-clicked: it is to be shown alone, or all again.
    void activated(int process);
    /// The shown logs are to be shown again: setErrorsApart() changed.
    void showAgainRequested();
    /// A line (0-based) is to be shown in its own log.
    void lineRequested(int process, bool isError, qint64 line);

private:
    void showTiles(RunSession &session);
    void showMerged(RunSession &session);
    void showPlot(RunSession &session);
    void endPlot();
    void showCollectives(RunSession &session);
    void readCollectives(const RunState &state);
    void showDevices(RunSession &session);
    void endDevices();

    LogTiles *m_tiles;
    MergedPane *m_merged;
    ProgressPane *m_plot;
    CollectivesView *m_collectives;
    SelfTestView *m_selfTest;
    DeviceDetails *m_details;
    TerminalBoard *m_terminals;
    QPointer<RunSession> m_plotted;  ///< Sends curves while they are shown.
    QPointer<RunSession> m_recorded; ///< Run whose collectives are shown.
    QPointer<RunSession> m_sampled;  ///< The same for samples.
    QList<int> m_processes;
    bool m_areErrorsApart = false;
    SelfTestResults m_results; ///< As printed; failures of processes are added when they are shown.
};

} // namespace rankdeck
