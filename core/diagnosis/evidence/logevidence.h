#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/evidence/rankevidence.h"
#include "diagnosis/failure/launcherwords.h"

namespace re2
{
class RE2;
} // namespace re2

namespace rankdeck
{

// Readers of single log lines. All are linear in the length of a line (RE2).

inline std::string_view viewOf(QByteArrayView text)
{
    return {text.data(), std::size_t(text.size())};
}

/// Returns true for an error line without an entry if the rank waited for others.
bool tellsOfOthers(std::string_view text);
/// Returns true for lines that a rank prints because it is stopped with the others. They are not errors.
bool tellsOfBeingEnded(std::string_view text);
/// The same for the trace of an exception: a helper process lost its parent, or the parent its helper.
bool tellsOfBeingEnded(const PythonTrace &trace, std::string_view exception);

/// Returns true for lines by which a launcher reports a failed process. They are not errors of a rank.
bool tellsOfOtherProcesses(std::string_view text);

/// Returns true for a step, epoch or loss with its number: the program goes on. Less than readProgressLine().
bool tellsProgress(std::string_view text);

/// Returns true for a line that says that the program goes on without something: "…, falling back to eager".
bool tellsOfGoingOn(std::string_view text);

/// Returns true if a line without head and entry calls itself an error.
bool beginsLikeError(std::string_view text);

/// "ValueError: bad value", or the name alone: what ends a traceback.
bool isExceptionLine(std::string_view text);

/// Returns the first non-empty group of a match, without blanks around it.
/// @param form with at most three groups.
std::optional<QByteArray> firstGroup(std::string_view text, const re2::RE2 &form);

/// Like firstGroup(), for a number.
std::optional<qint64> firstNumber(std::string_view text, const re2::RE2 &form);

/// Facts in a log about its rank and the launch. Source: HCCL's own log lines ("Entry-Hccl…",
/// "HCCL_CONNECT_TIMEOUT set …"), see its fault diagnosis guide; "world_size=4" and the like of torch, of
/// training scripts and of variables that they print.
struct RankFacts {
    std::optional<int> rank;
    std::optional<int> device;         ///< Its number on the server.
    QByteArray server;                 ///< Server id of this rank; empty if the log has none.
    QByteArray rootServer;             ///< Server id of rank 0; empty if the log has none.
    std::optional<int> worldSize;      ///< The largest number of ranks in the log.
    std::optional<int> connectTimeout; ///< HCCL_CONNECT_TIMEOUT, s.

    /// Learns from a line; later lines overrule.
    void take(std::string_view line);
};

/// The errors of one log, in bounded memory.
struct LogEvidence {
    static constexpr std::size_t mostErrors = 200;

    qint64 bytes = 0;
    qint64 lines = 0;
    std::optional<LogTime> firstTime; ///< First stamp in the log.
    std::optional<LogTime> lastTime;
    /// The errors of the trouble with which the log ends, in order; of more than mostErrors, the first and
    /// the last ones. Does not contain errors after which the program went on.
    std::vector<ErrorLine> errors;
    qint64 errorCount = 0; ///< All of that trouble.
    qint64 survived = 0;   ///< Errors after which the program went on.
    /// The last of these that came with a traceback: by the order of lines alone, so it may have been the
    /// end.
    std::vector<ErrorLine> survivedErrors;
    /// The first and the last tracebacks of that trouble.
    std::vector<PythonTrace> traces;
    std::vector<PythonTrace> survivedTraces; ///< As survivedErrors.
    std::optional<PythonTrace> stack;        ///< Where its main thread stood last, from py-spy.
    std::set<qint64> pids;                   ///< The first few pids in its lines.
    RankFacts facts;
};

/// Reads a log to its present end, at about 400 MB/s. Blocks. Fails if the log cannot be read.
/// @param timeOf returns when the log had grown to a size, for a log without stamps; may be null.
/// @param isCancelled called now and then; once it returns true, what was read so far counts.
/// @param begin lines that end before this place are skipped: an earlier process wrote them.
Result<LogEvidence> readEvidence(const QString &path, const ErrorCatalogue &catalogue,
                                 const std::function<std::optional<LogTime>(ByteOffset)> &timeOf = {},
                                 const std::function<bool()> &isCancelled = {}, ByteOffset begin = {});

/// The errors in one file with the output of a launcher and all its ranks.
struct ConsoleEvidence {
    std::map<int, LogEvidence> ranks; ///< By the rank before their lines; see RankPrefixes.
    LogEvidence rest;                 ///< Lines that do not show their rank.
    LauncherWords words;
    /// Attempts that failed before the last one, after whose start no failure is told: their errors are left
    /// out.
    int failedAttempts = 0;
};

/// Reads such a file from its start to its present end. Blocks. Fails if it cannot be read.
/// @param isCancelled called now and then; once it returns true, what was read so far counts.
Result<ConsoleEvidence> readConsole(const QString &path, const ErrorCatalogue &catalogue,
                                    const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
