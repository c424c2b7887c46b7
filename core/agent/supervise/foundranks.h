#pragma once

#include "agent/supervise/runbook.h"
#include "diagnosis/logdirectory/consolelog.h"
#include "run/record/runstate.h"

namespace rankdeck
{

/// The ranks that a wrapped command starts, as they are found: by the prefixes of the lines in its log, or by
/// an agent among the processes below it. Each joins the plan of the run, and stays in it when it has ended.
/// Splits the log of the command, while it grows, into one for each rank.
class FoundRanks : public QObject
{
    Q_OBJECT

public:
    /// @param book must live as long as this object does.
    explicit FoundRanks(RunBook &book);

    /// Reads the new part of the command's log. Does nothing if no command is wrapped, or before it runs.
    void look();
    /// Reads the rest of the log. Ranks whose exit was not seen have exited as their launcher reports.
    void finish();
    /// Returns the index in the plan of a rank with a process, which joins the plan if it is new; nothing if
    /// it cannot.
    std::optional<int> indexOf(const ProcessPlan &found);

Q_SIGNALS:
    /// The plan of the run has more processes than before, or other logs.
    void planChanged();

private:
    bool hasBegun();
    void begin();
    void addTold();
    bool add(const std::vector<ProcessPlan> &ranks);
    void update(int index, const ProcessPlan &found);
    void splitLogOf(ProcessPlan &rank) const;
    void replace(const LaunchPlan &plan);
    int knownIndex(int rank) const { return m_book.state().plan->processOfRank(rank); }
    std::optional<ToldEnd> toldEnd(const LauncherWords &words, const ProcessPlan &plan,
                                   const RankState &state) const;
    void note(const std::optional<Error> &error);

    RunBook &m_book;
    int m_console = -1; ///< Index in the plan of the wrapped command.
    std::unique_ptr<SplitLog> m_split;
    std::size_t m_told = 0; ///< Number of ranks with lines that have been looked at.
    /// Whether the failure to add ranks to the plan, or to read the log, was reported.
    bool m_hasComplained = false;
};

} // namespace rankdeck
