#pragma once

#include "launch/spec/streams.h"
#include "log/line/logfilter.h"
#include "log/merge/logfold.h"
#include "run/record/growthmarks.h"

#include <unistd.h>

namespace rankdeck
{

struct RunState;
struct LaunchPlan;

/// Writes lines to standard output or standard error in large blocks of whole lines: unchanged into a file or
/// a pipe, as terminalText() to a terminal.
class LineWriter
{
public:
    /// @param descriptor STDOUT_FILENO or STDERR_FILENO.
    /// @param isRaw unchanged to a terminal, too.
    LineWriter(int descriptor, bool isRaw);

    void write(QByteArrayView prefix, QByteArrayView line)
    {
        if (m_isGuarded) {
            writeGuarded(prefix, line);
            return;
        }
        char *const end = roomFor(prefix.size() + line.size() + 1);
        append(append(end, prefix), line)[0] = '\n';
        m_size += prefix.size() + line.size() + 1;
    }
    /// Does the same with colours: the prefix in `sgr` ("36"), the line in the colour of its severity, unless
    /// it has colours of its own.
    void writeColored(QByteArrayView prefix, QByteArrayView sgr, QByteArrayView line, LogSeverity severity);
    void flush();

private:
    void writeGuarded(QByteArrayView prefix, QByteArrayView line);
    static char *append(char *end, QByteArrayView bytes);
    /// Returns where `size` bytes can be appended.
    char *roomFor(qsizetype size)
    {
        if (m_size + size > m_capacity)
            makeRoom(size);
        return m_block.get() + m_size;
    }
    void makeRoom(qsizetype size);

    std::unique_ptr<char[]> m_block;
    qsizetype m_capacity;
    qsizetype m_size = 0;
    int m_descriptor;
    bool m_isGuarded; ///< Lines are made harmless for a terminal.
};

/// Whether to colour what goes to standard output: `choice` is always, never, or auto, which is a terminal
/// that can, unless NO_COLOR (no-color.org) is set.
bool usesColor(const QString &choice);

enum class LogPrefix { None, Label };

/// The logs of a run to print.
struct LogsToPrint {
    std::vector<int> processes; ///< Indexes in the plan.
    LogPrefix prefix = LogPrefix::Label;
    int tail = -1; ///< How many of the lines that are there already are printed, of each log; -1 for all.
    /// Their streams, if standard error has a file of its own; nothing: as the plan says for the console.
    std::optional<Streams> streams = {};
    int attempt = 0;    ///< The attempt with the logs, 0 .. state.attempt.
    bool isRaw = false; ///< Output reaches a terminal unchanged.
    /// LogPrinter prints to standard error what processes have written there, where that has a file of its
    /// own.
    bool hasErrorsApart = false;
};

struct PrintedLog {
    int process;
    bool isError;
    QString path;
    QByteArray prefix; ///< Prefix in the plan; empty: label and pid.
    QByteArray label;
    ByteOffset start;
    std::vector<LogGap> gaps = {}; ///< Gaps that are still to come.
    std::size_t knownGaps = 0;

    /// Returns the text before each of its lines.
    QByteArray linePrefix(const RunState &state, LogPrefix kind) const;
    /// Reports on standard error that lines may be missing here, and removes the gap.
    void sayFirstGap();
};

/// Prints the logs of a run's processes as they grow: whole lines, never mixed. Reports on standard error
/// where lines may be missing.
class PrintedLogs
{
public:
    virtual ~PrintedLogs() = default;
    Q_DISABLE_COPY_MOVE(PrintedLogs)

    /// Takes a new state of the run. After a restart, prints the rest of the earlier attempts and goes on
    /// with the last one's logs.
    void follow(const RunState &state);
    /// Prints new lines, at most about a megabyte of each process. Returns true if there may be more.
    virtual bool printNew(const RunState &state) = 0;
    /// Prints all lines that are left, unfinished last ones included.
    virtual void printRest(const RunState &state) = 0;

protected:
    explicit PrintedLogs(LogsToPrint choice)
        : m_choice(std::move(choice))
        , m_writer(STDOUT_FILENO, m_choice.isRaw)
    {
    }
    /// Opens the logs of the chosen attempt.
    virtual void open(const RunState &state) = 0;
    /// Finds these logs; `state` is of a run that was read from its directory.
    void findLogs(const RunState &state);

    LogsToPrint m_choice;
    std::vector<PrintedLog> m_logs;
    LineWriter m_writer;

private:
    void findGaps(const RunState &state);

    qsizetype m_notes = 0; ///< Number of the run's notes when gaps were last looked for.
};

/// Prints line by line, one log after the other, without a look at the lines.
class LogPrinter : public PrintedLogs
{
public:
    LogPrinter(const RunState &state, const LogsToPrint &choice);

    bool printNew(const RunState &state) override;
    void printRest(const RunState &state) override;

private:
    struct Reading {
        std::unique_ptr<LogTail> tail;
        qint64 offset = 0; ///< Bytes read so far.
    };

    void open(const RunState &state) final;
    /// Returns true if there may be more.
    bool readSome(std::size_t index, const LogTail::Sink &sink);
    LogTail::Sink sinkFor(const PrintedLog &log, const RunState &state);

    /// Writes both, in this order.
    void flush();

    LineWriter m_errors;
    std::vector<Reading> m_readings; ///< One for each log.
};

/// How LogViewer shows logs.
struct ViewOptions {
    LogFilter filter;
    bool isMerged = false;  ///< All logs in one, by time.
    bool isFolded = false;  ///< Lines that several ranks print alike once, with these ranks; merged.
    bool isColored = false; ///< One colour for each rank, and one for warnings and errors.
    bool isJson = false;    ///< Each line as a JSON object; see LogViewer::jsonOf().
};

/// Prints logs filtered, merged, folded, coloured, or as JSON.
class LogViewer : public PrintedLogs
{
public:
    LogViewer(const RunState &state, LogsToPrint choice, ViewOptions view);

    bool printNew(const RunState &state) override;
    void printRest(const RunState &state) override;

private:
    void open(const RunState &state) final;
    void addLine(const LogMerge::Line &line, std::size_t firstLog);
    void print(int log, const std::vector<int> &members, QByteArrayView text,
               const LogLineReader::Line &said);
    /// {"rank" (null: no worker; folded: "ranks"), "role", "stream" ("stdout", "stderr", or "both" in one
    /// file), "level" and "time" (null where none is known), "text"}
    QByteArray jsonOf(const PrintedLog &log, const std::vector<int> &members, QByteArrayView text,
                      const LogLineReader::Line &said) const;
    void findPrefixes(const RunState &state);

    ViewOptions m_view;
    std::shared_ptr<const LaunchPlan> m_plan;
    std::vector<QByteArray> m_prefixes; ///< Prefix of each log.
    std::vector<int> m_members; ///< Member of the fold for each log: its index in m_ranks, or LogFold::alone.
    std::vector<int> m_ranks;   ///< Rank of each member, ascending.
    std::vector<std::unique_ptr<LogMerge>> m_merges; ///< One of all logs, or one for each log.
    std::optional<LogFold> m_fold;
    LogMerge::Now m_now{};
};

} // namespace rankdeck
