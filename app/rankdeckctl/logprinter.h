#pragma once

#include "linewriter.h"
#include "log/logtail.h"
#include "printedlogs.h"

#include <memory>
#include <vector>

namespace rankdeck
{

/// Prints the logs of a run's processes to standard output as they grow: whole lines, never mixed. Where
/// lines may be missing standard error says so.
class LogPrinter
{
public:
    /// @param state of a run that was read from its directory.
    LogPrinter(const RunState &state, LogChoice choice);

    /// After news of the run. Restarts: print what is left of the attempts before, and go on with the last
    /// one's logs. Notes: look for gaps.
    void follow(const RunState &state);
    /// Print what is new, at most about a megabyte a process. True when there may be more.
    bool printNew(const RunState &state);
    /// Print all that is left, one log after the other, unfinished last lines included.
    void printRest(const RunState &state);

private:
    struct Reading {
        std::unique_ptr<LogTail> tail;
        qint64 offset = 0; ///< What has been read.
    };
    void open(const RunState &state);
    /// True when there may be more.
    bool readSome(std::size_t index, const LogTail::Sink &sink);
    LogTail::Sink sinkFor(const PrintedLog &log, const RunState &state);

    LogChoice m_choice;
    std::vector<PrintedLog> m_logs;
    std::vector<Reading> m_readings; ///< Of each log.
    qsizetype m_notes = 0;           ///< Of the run, when gaps were looked for.
    LineWriter m_writer;
};

} // namespace rankdeck
