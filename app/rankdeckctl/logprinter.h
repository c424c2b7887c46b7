#pragma once

#include "log/logtail.h"
#include "run/growthmarks.h"
#include "run/runstate.h"

#include <QByteArray>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Prints the logs of a run's processes to standard output as they grow: whole lines, never mixed. Where
/// lines may be missing standard error says so.
class LogPrinter
{
public:
    enum class Prefix { None, Label };

    /// @param state of a run that was read from its directory.
    /// @param processes indexes in the plan.
    /// @param streams what of them is printed, where standard error has a file of its own; nothing: what the
    /// plan means for the console.
    /// @param tail how many of the lines that are there already are printed; -1 for all.
    /// @param attempt whose logs are printed, 0 .. state.attempt.
    LogPrinter(const RunState &state, std::vector<int> processes, Prefix prefix, int tail,
               std::optional<Streams> streams, int attempt);

    /// After news of the run. Restarts: print what is left of the attempts before, and go on with the last
    /// one's logs. Notes: look for gaps.
    void follow(const RunState &state);
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
        bool isError = false;
        std::vector<LogGap> gaps; ///< Those that are still to come.
        std::size_t knownGaps = 0;
        qint64 offset = 0; ///< What has been read.
    };
    void open(const RunState &state, int tail);
    void add(int index, const ProcessPlan &process, bool isError, int tail);
    void lookForGaps(const RunState &state);
    /// True when there may be more.
    bool readSome(Log &log, const LogTail::Sink &sink);
    LogTail::Sink sinkFor(const Log &log, const RunState &state);
    void flush();

    std::vector<int> m_processes;
    Prefix m_prefix;
    std::optional<Streams> m_streams;
    int m_attempt;
    std::vector<Log> m_logs;
    qsizetype m_notes = 0; ///< Of the run, when gaps were looked for.
    QByteArray m_buffer;
};

} // namespace rankdeck
