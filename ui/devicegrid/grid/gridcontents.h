#pragma once

#include "devicegrid/cells/ranktile.h"
#include "run/record/runstate.h"
#include "run/samples/samplefilter.h"
#include "widgets/scrolledgrid.h"

namespace rankdeck
{

/// The chosen ranks of a grid, by index in LaunchPlan::processes.
class ChosenRanks
{
public:
    void clear() { m_processes.clear(); }
    void set(const QList<int> &processes) { m_processes = QSet<int>(processes.cbegin(), processes.cend()); }
    /// Removes `processes` if all of them and others are chosen, else adds them: so at least one stays
    /// chosen.
    void toggle(const QList<int> &processes);

    qsizetype size() const { return m_processes.size(); }
    bool contains(int process) const { return m_processes.contains(process); }
    bool containsAny(const QList<int> &processes) const
    {
        return std::ranges::any_of(processes, [this](int process) { return m_processes.contains(process); });
    }
    bool containsAll(const QList<int> &processes) const
    {
        return std::ranges::all_of(processes, [this](int process) { return m_processes.contains(process); });
    }
    /// Returns them in ascending order.
    QList<int> list() const;

private:
    QSet<int> m_processes;
};

/// The content of a device grid: the servers of a run, their headings and cells. Cells are made on request,
/// so that only visible ones cost time.
class GridContents
{
public:
    /// Sets the current state of a run. Returns whether its servers differ from the last ones.
    bool setState(const RunState &state);
    const RunState &state() const { return m_state; }
    /// Sets the last line of a process's log.
    void setLastLine(int process, const QString &line) { m_lastLines.insert(process, line); }
    /// Sets its training progress; see deviceCell().
    void setProgress(int process, const DeviceCell::Line &progress) { m_progress.insert(process, progress); }
    /// Sets the verdict's texts on single processes, shown in place of their exit.
    void setFindings(const QHash<int, QString> &findings) { m_findings = findings; }
    const QHash<int, QString> &findings() const { return m_findings; }
    /// Sets how many steps a process has done.
    void setStep(int process, qint64 step)
    {
        m_steps.insert(process, step);
        m_farthestStep = std::max(m_farthestStep, step);
    }
    /// The chosen ranks; none at the start of another run.
    ChosenRanks &chosen() { return m_chosen; }
    const ChosenRanks &chosen() const { return m_chosen; }
    DeviceCell::Line progress(int process) const { return m_progress.value(process); }
    QString lastLine(int process) const { return m_lastLines.value(process); }

    /// Sets the samples of NPUs and processes at `now`.
    void setSamples(const RunSamples &samples, const QDateTime &now = QDateTime::currentDateTimeUtc());
    const RunSamples &samples() const { return m_samples; }
    ShownSamples shownSamples() const { return m_shownSamples; }
    /// Takes effect with settleRows().
    void setShownSamples(ShownSamples shown) { m_shownSamples = shown; }
    /// The rows of cells for samples: while the run is live, those that some process has samples for. Changes
    /// only in settleRows().
    const SampleRows &sampleRows() const { return m_rows; }
    /// Brings sampleRows() up to date. Returns whether that changed anything.
    bool settleRows();

    const QList<DeviceServer> &servers() const { return m_servers; }
    const ServerSummary &summary(int server) const { return m_summaries.at(server); }
    QList<ServerState> serverStates() const { return listOf(m_summaries, &ServerSummary::state); }
    int cellCount() const { return m_cellCount; }

    /// `item` must be a cell.
    DeviceCell cell(const GridItem &item, const QDateTime &now = QDateTime::currentDateTimeUtc()) const;
    /// Returns the tile of a cell; `item` must be one. Much cheaper than cell().
    /// @param scale as tileScale() returns it.
    RankTile tile(const GridItem &item, TileColor color, const TileScale &scale, const QDateTime &now) const;
    /// Returns the kinds of tiles that the states of the ranks give.
    TileKinds tileKinds() const;
    TileScale tileScale(TileColor color) const { return rankdeck::tileScale(color, m_mostMemory); }
    /// Returns the values of a cell for sorting and filtering. Chosen ranks come first among those of the
    /// same state, after failed and stalled ones.
    RankLook look(const GridItem &item, const QDateTime &now) const;
    /// Cells are numbered through all servers as in the rank table.
    GridItem itemOfCell(int index) const;
    /// Returns -1 for a heading.
    int indexOfCell(const GridItem &item) const
    {
        return item.cell < 0 ? -1 : m_firstCells.at(item.server) + item.cell;
    }
    /// Returns the processes on a device, or on all devices of a server.
    QList<int> processesOf(const GridItem &item) const;
    /// Returns the process on the device of a cell; -1: none.
    int processOf(const GridItem &item) const
    {
        return m_servers.at(item.server).devices.at(item.cell).process;
    }
    GridItem itemOfProcess(int process) const { return m_itemOfProcess.value(process); }

private:
    std::optional<double> tileValue(int process, TileColor color, const QDateTime &now) const;
    KnownSample knownSample(int process, const QDateTime &now) const;
    /// Sets the problems of servers that samples report.
    void noteProblems();
    void placePlan(const std::shared_ptr<const LaunchPlan> &plan);

    RunState m_state;
    ChosenRanks m_chosen;
    QList<DeviceServer> m_servers;
    QList<ServerSummary> m_summaries;
    QList<int> m_firstCells; ///< Number of each server's first cell.
    int m_cellCount = 0;
    QHash<int, GridItem> m_itemOfProcess;
    QHash<int, QString> m_lastLines;
    QHash<int, DeviceCell::Line> m_progress;
    QHash<int, QString> m_findings;
    QHash<int, qint64> m_steps;
    qint64 m_farthestStep = 0;
    double m_mostMemory = 0; ///< Largest memory of a process tree so far, bytes.
    bool m_isAnyHeld = false;
    RunSamples m_samples;
    SampleAges m_ages;
    bool m_hasLoads = false; ///< Some samples had one.
    ShownSamples m_shownSamples = ShownSamples::Devices;
    SampleRows m_rows;
};

} // namespace rankdeck
