#pragma once

#include "demo/democaption.h"
#include "mainwindow/runlogs/runlogs.h"

namespace rankdeck
{

class DeviceGrid;

/// Decides which ranks of a run have their logs, curves, NPUs or terminals shown, and how: those that the
/// user chose, else the rank that failed first, else the first one. Marks them in the grid.
class LogChoice : public QObject
{
    Q_OBJECT

public:
    /// The kind of view: the log of one rank, several logs, or another view of one or several ranks.
    enum class View { Log, Tiled, Merged, Curves, Devices, Collectives, Terminals };

    /// @param grid, logs must live as long as this object does.
    LogChoice(DeviceGrid *grid, RunLogs *logs, QObject *parent = nullptr);

    /// Shows the logs of another run from its first state on, and nothing until then. Null: no run.
    void setSession(RunSession *session);
    /// The run has a new state, with the plan that indexes of processes refer to.
    void setState(const RunState &state);
    /// The verdict names this process, which is to be looked at; -1: none.
    void setRoot(int process)
    {
        if (std::exchange(m_root, process) != process && !m_userChose && !m_isSelfTest)
            showFirst();
    }
    /// The ranks print the results of a self-test.
    void setSelfTest(const SelfTestResults &results);

    /// A demo has something to show in this view, which is shown until the user chooses something.
    void suggest(DemoView view);

    /// Shows the user's choice.
    void choose(const QList<int> &processes, RunLogs::Arrangement arrangement = RunLogs::Arrangement::Tiled);
    /// Shows the log of the grid's current rank alone.
    void showOneRank();
    /// Shows as many logs as fit side by side: chosen, failed and stalled ranks first.
    void showAllRanks() { choose(allProcesses()); }
    // For the shown logs, or for all if that is one:
    /// Shows the logs in one, ordered by time.
    void showMergedRanks() { choose(severalProcesses(), RunLogs::Arrangement::Merged); }
    /// Shows the progress that the ranks print, as curves.
    void showPlot() { choose(severalProcesses(), RunLogs::Arrangement::Plotted); }
    /// Shows NPUs and process trees of the ranks.
    void showDevices() { choose(severalProcesses(), RunLogs::Arrangement::Devices); }
    /// The same for the shown ranks only.
    void showDevicesOfShown() { choose(m_shown, RunLogs::Arrangement::Devices); }
    /// Shows the results of a collective self-test.
    void showCollectives() { choose(allProcesses(), RunLogs::Arrangement::Collectives); }
    /// Switches between the terminals of the shown ranks and their logs.
    void showTerminals();
    /// Shows the terminal of a tool, and lets it have the keys.
    void showTool(int index);
    /// Shows a log with a marked line, 0-based, in `file`; -1: none.
    void showLine(int process, const QString &file, qint64 line);

    View view() const;
    /// Returns the shown ranks; for a tool, the rank that it is attached to.
    QList<int> ranks() const;

Q_SIGNALS:
    /// Other ranks are shown, or in another way.
    void changed();
    /// Emitted after changed() if the user made the choice.
    void chosen();
    /// For the status bar.
    void message(const QString &text);

private:
    const RunState &state() const;
    void show(const QList<int> &processes, RunLogs::Arrangement arrangement = RunLogs::Arrangement::Tiled);
    /// Returns `processes` in the order: chosen by the user, failed, stalled, others.
    QList<int> urgentFirst(QList<int> processes) const;
    /// Shows a rank that failed or stalled in the place of another one, if there is no room for it.
    void makeRoom();
    void showRanks(const QList<int> &processes);
    void showFirst();
    void focusTerminal();
    QList<int> allProcesses() const;
    QList<int> severalProcesses() const { return m_wanted.size() > 1 ? m_wanted : allProcesses(); }

    DeviceGrid *m_grid;
    RunLogs *m_logs;
    RunSession *m_session = nullptr;
    QList<int> m_shown;     ///< Indexes of the plan, and of tools behind its processes.
    QList<int> m_wanted;    ///< m_shown, and those for which there was no room.
    QList<int> m_chosen;    ///< The last ones that were shown and were not all.
    QList<int> m_beforeOne; ///< Ranks shown before one of them was enlarged.
    RunLogs::Arrangement m_arrangement = RunLogs::Arrangement::Tiled;
    std::shared_ptr<const LaunchPlan> m_plan; ///< Plan to which m_shown refers.
    int m_root = -1;                          ///< Process that the verdict names.
    std::optional<DemoView> m_suggested;      ///< The last one.
    bool m_isSelfTest = false;                ///< The ranks have printed results of a self-test.
    /// The user chose the view: events of the run no longer change it.
    bool m_userChose = false;
};

} // namespace rankdeck
