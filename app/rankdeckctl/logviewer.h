#pragma once

#include "linewriter.h"
#include "log/logfilter.h"
#include "log/logfold.h"
#include "log/logmerge.h"
#include "printedlogs.h"

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// How logs are printed where not simply line by line.
struct ViewOptions {
    LogFilter filter;
    bool isMerged = false;  ///< All logs in one time.
    bool isFolded = false;  ///< Lines that several ranks print alike once, with these ranks; merged.
    bool isColored = false; ///< A colour a rank, and one for what is bad.
};

/// Prints the logs of a run's processes as LogPrinter does, in a view of them.
class LogViewer
{
public:
    /// @param state of a run that was read from its directory.
    LogViewer(const RunState &state, LogChoice choice, ViewOptions view);
    Q_DISABLE_COPY_MOVE(LogViewer)

    /// As LogPrinter's.
    void follow(const RunState &state);
    bool printNew(const RunState &state);
    void printRest(const RunState &state);

private:
    void open(const RunState &state);
    void take(const LogMerge::Line &line, std::size_t firstLog);
    void print(int log, const std::vector<int> &members, QByteArrayView text,
               const LogLineReader::Line &said);
    void findPrefixes(const RunState &state);

    LogChoice m_choice;
    ViewOptions m_view;
    std::vector<PrintedLog> m_logs;
    std::vector<QByteArray> m_prefixes; ///< Of each log.
    std::vector<int> m_members;         ///< Of each log, for the fold: which of m_ranks, or none of them.
    std::vector<int> m_ranks;           ///< Of the members, ascending.
    std::vector<std::unique_ptr<LogMerge>> m_merges; ///< One of all logs, or one a log.
    std::optional<LogFold> m_fold;
    qsizetype m_notes = 0; ///< Of the run, when gaps were looked for.
    LogMerge::Now m_now{};
    LineWriter m_writer;
};

} // namespace rankdeck
