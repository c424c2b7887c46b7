#pragma once

#include "collective/selftest.h"
#include "logview/highlightset.h"

#include <QList>
#include <QPointer>
#include <QStackedWidget>

namespace rankdeck
{

class DeviceDetails;
class LogTiles;
class LogView;
class MergedPane;
class ProgressPane;
class RunSession;
class SelfTestView;
class TerminalBoard;
struct RunState;

/// The logs of a run that are looked at: side by side, all in one, what they say of progress as curves, what
/// they tell of a collective self-test as pictures, what their ranks' NPUs and processes are like, or the
/// terminals of their ranks.
class RunLogs : public QStackedWidget
{
    Q_OBJECT

public:
    enum class Arrangement { Tiled, Merged, Plotted, Collectives, Devices, Terminals };

    /// Most logs that are shown.
    static int most(Arrangement arrangement);

    explicit RunLogs(QWidget *parent = nullptr);

    LogTiles *tiles() const { return m_tiles; }
    TerminalBoard *terminals() const { return m_terminals; }
    DeviceDetails *details() const { return m_details; }
    /// Of all logs, however they are arranged; see LogView.
    void setNumbered(bool numbered);
    void setTextSize(qreal points);
    void setWrapped(bool wrapped);
    void setHighlights(const QList<Highlight> &highlights);
    /// The view that has the focus or had it last; nullptr when there is none.
    LogView *currentView() const;
    /// No longer look at what a session has given out.
    void clear();
    /// Show the logs of these processes, no more than most(). The session must outlive that.
    void show(RunSession &session, const QList<int> &processes, Arrangement arrangement);
    /// Scroll to a line (0-based) of a log that is shown in a tile, and mark it.
    void showLine(int process, bool isError, qint64 line);
    /// What the ranks of the run have told of a self-test.
    void setSelfTest(const SelfTestResults &results, const RunState &state);
    /// What became of the processes.
    void setState(const RunState &state);

Q_SIGNALS:
    /// See LogView.
    void zoomWanted(int steps);
    /// One log is to be shown alone, or all again.
    void activated(int process);
    /// A line (0-based) is to be shown in its own log.
    void lineWanted(int process, bool isError, qint64 line);

private:
    void showMerged(RunSession &session);
    void showPlot(RunSession &session);
    void endPlot();
    void showDevices(RunSession &session);
    void endDevices();

    LogTiles *m_tiles;
    MergedPane *m_merged;
    ProgressPane *m_plot;
    SelfTestView *m_selfTest;
    DeviceDetails *m_details;
    TerminalBoard *m_terminals;
    QPointer<RunSession> m_plotted; ///< Sends curves while they are shown.
    QPointer<RunSession> m_sampled; ///< The same of samples.
    QList<int> m_processes;
    SelfTestResults m_told; ///< Without what became of the processes.
};

} // namespace rankdeck
