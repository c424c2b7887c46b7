#pragma once

#include "devicegrid/devicecell.h"
#include "devicegrid/devicegridgeometry.h"
#include "devicegrid/deviceserver.h"
#include "run/runstate.h"
#include "run/samples/ranklook.h"
#include "run/samples/sampleage.h"

#include <QHash>
#include <QList>

namespace rankdeck
{

/// What a device grid shows of a run: its servers, and what each heading and cell says. Cells are made when
/// they are asked for, so that a state costs what is seen of it.
class GridContents
{
public:
    /// Take over a run as it is now. Whether it has other servers than the last one.
    bool setState(const RunState &state);
    const RunState &state() const { return m_state; }
    /// The last line of a process's log.
    void setLastLine(int process, const QString &line) { m_lastLines.insert(process, line); }
    /// How far its training is, see deviceCell().
    void setProgress(int process, const DeviceCell::Line &progress) { m_progress.insert(process, progress); }
    DeviceCell::Line progress(int process) const { return m_progress.value(process); }
    QString lastLine(int process) const { return m_lastLines.value(process); }

    /// What NPUs and processes look like at `now`.
    void setSamples(const RunSamples &samples, const QDateTime &now = QDateTime::currentDateTimeUtc());
    const RunSamples &samples() const { return m_samples; }
    ShownSamples shownSamples() const { return m_shownSamples; }
    /// Takes effect with settleRows().
    void setShownSamples(ShownSamples shown) { m_shownSamples = shown; }
    /// What cells have rows for: while the run is live, what some process of it has samples of. Changes with
    /// settleRows() alone.
    const SampleRows &sampleRows() const { return m_rows; }
    /// Whether that changed anything.
    bool settleRows();

    const QList<DeviceServer> &servers() const { return m_servers; }
    const ServerSummary &summary(int server) const { return m_summaries.at(server); }
    QList<ServerState> serverStates() const;
    int cellCount() const { return m_cellCount; }

    /// `item` must be a cell.
    DeviceCell cell(const GridItem &item, const QDateTime &now = QDateTime::currentDateTimeUtc()) const;
    /// The same as sorting and filtering see it.
    RankLook look(const GridItem &item, const QDateTime &now) const;
    /// Cells are numbered through all servers as in the rank table.
    GridItem itemOfCell(int index) const;
    /// -1 for a heading.
    int indexOfCell(const GridItem &item) const;
    /// What was started on a device, or on a server's devices.
    QList<int> processesOf(const GridItem &item) const;
    GridItem itemOfProcess(int process) const { return m_itemOfProcess.value(process); }

private:
    KnownSample knownSample(int process, const QDateTime &now) const;
    /// What samples say of servers.
    void noteProblems();
    void placePlan(const std::shared_ptr<const LaunchPlan> &plan);

    RunState m_state;
    QList<DeviceServer> m_servers;
    QList<ServerSummary> m_summaries;
    QList<int> m_firstCells; ///< Of each server, its first cell's number.
    int m_cellCount = 0;
    QHash<int, GridItem> m_itemOfProcess;
    QHash<int, QString> m_lastLines;
    QHash<int, DeviceCell::Line> m_progress;
    RunSamples m_samples;
    SampleAges m_ages;
    bool m_hasLoads = false; ///< There have been some.
    ShownSamples m_shownSamples = ShownSamples::Devices;
    SampleRows m_rows;
};

} // namespace rankdeck
