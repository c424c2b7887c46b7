#pragma once

#include "log/logtail.h"
#include "run/runstate.h"

#include <QByteArray>

#include <memory>
#include <vector>

namespace rankdeck
{

/// Prints the logs of a run's processes to standard output as they grow: whole lines, never mixed.
class LogPrinter
{
public:
    enum class Prefix { None, Label };

    /// @param processes indexes in the plan.
    /// @param tail how many of the lines that are there already are printed; -1 for all.
    LogPrinter(const LaunchPlan &plan, const std::vector<int> &processes, Prefix prefix, int tail);

    /// Print what is new, at most about a megabyte a process. True when there may be more.
    bool printNew(const RunState &state);
    /// Print all that is left, unfinished last lines included.
    void printRest(const RunState &state);

private:
    struct Log {
        int process;
        QByteArray label;
        std::unique_ptr<LogTail> tail;
    };
    LogTail::Sink sinkFor(const Log &log, const RunState &state);
    void flush();

    Prefix m_prefix;
    std::vector<Log> m_logs;
    QByteArray m_buffer;
};

} // namespace rankdeck
