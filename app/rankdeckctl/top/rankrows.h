#pragma once

#include "diagnosis/progress/rankprogress.h"
#include "launch/plan/launchplan.h"
#include "rankdeckctl/top/screenline.h"
#include "run/record/runstate.h"
#include "run/samples/samplefilter.h"

namespace rankdeck
{

/// All that is known of a run at one moment. A value.
struct RunSnapshot {
    RunState state;
    std::vector<RankProgress> progress; ///< By process; may be empty.
    RunSamples samples;
    QHash<int, QString> findings; ///< The verdict's texts on processes, by index.
    QString headline;             ///< Headline of the verdict; empty until there is one.
    QDateTime now;                ///< UTC.

    const ProcessPlan &planOf(int process) const { return state.plan->processes[std::size_t(process)]; }
    const RankState &rankOf(int process) const { return state.ranks[std::size_t(process)]; }
};

/// Returns "rank 3", or the role of a process that is not a worker.
QString processName(const RunSnapshot &run, int process);
/// Returns the word for a rank's state: "running", "stalled", "suspended".
LogRun stateOf(const RunSnapshot &run, int process);
/// Returns true for a rank that failed or makes no progress.
bool isTroubled(const RunSnapshot &run, int process);

/// Returns the name of the run, its state, how long, and how many ranks are in which state.
QList<LogRun> runTitle(const RunSnapshot &run);
/// Returns what matters most about the run: its failure, what holds it up, or its progress.
QList<LogRun> runNews(const RunSnapshot &run);

/// A table of ranks, with the columns that have a value and room.
class RankRows
{
public:
    RankRows(const RunSnapshot &run, int cells);

    QList<LogRun> heading() const;
    QList<LogRun> row(int process) const;

private:
    struct Column {
        QString heading;
        int cells;
        bool isNumber;
        int worth; ///< Columns with the lowest worth give way on a narrow screen.
        std::function<LogRun(int process)> text;
    };
    void addColumns();
    void addDeviceColumns();
    LogRun remark(int process) const;

    const RunSnapshot &m_run;
    int m_cells;
    QList<Column> m_columns;
};

/// Returns the processes that pass the filter, in this order.
QList<int> rankOrder(const RunSnapshot &run, const RankOrder &order, const SampleFilter &filter);

/// Returns a letter for each of these ranks, many to a line: R running, F failed, - waiting ….
/// @param chosen the process that is underlined.
QList<ScreenLine> rankMap(const RunSnapshot &run, const QList<int> &processes, int chosen, int cells);
/// Returns how many letters a line of rankMap() has.
int rankMapColumns(int cells);

/// Returns all that is known of one rank and of its NPU, a line for each.
QString rankDetails(const RunSnapshot &run, int process);

} // namespace rankdeck
