#pragma once

#include "log/logtail.h"
#include "run/runstate.h"

#include <QByteArray>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Prints the logs of a run's processes to standard output as they grow: whole lines, never mixed.
class LogPrinter
{
public:
    enum class Prefix { None, Label };

    /// @param processes indexes in the plan.
    /// @param streams what of them is printed, where standard error has a file of its own; nothing: what the
    /// plan means for the console.
    /// @param tail how many of the lines that are there already are printed; -1 for all.
    LogPrinter(const LaunchPlan &plan, const std::vector<int> &processes, Prefix prefix, int tail,
               std::optional<Streams> streams = {});

    /// Print what is new, at most about a megabyte a process. True when there may be more.
    bool printNew(const RunState &state);
    /// Print all that is left, one log after the other, unfinished last lines included.
    void printRest(const RunState &state);

private:
    struct Log {
        int process;
        QByteArray prefix; ///< Of the plan; empty: label and pid.
        QByteArray label;
        std::unique_ptr<LogTail> tail;
    };
    void add(int index, const ProcessPlan &process, const QString &path, int tail);
    LogTail::Sink sinkFor(const Log &log, const RunState &state);
    void flush();

    Prefix m_prefix;
    std::vector<Log> m_logs;
    QByteArray m_buffer;
};

} // namespace rankdeck
