#include "diagnosis/failure/launcherwords.h"

#include <re2/re2.h>

#include <string>
#include <utility>

namespace rankdeck
{

using Piece = re2::StringPiece;
using Kind = ExitStatus::Kind;

constexpr qsizetype longestLauncherLine = 16 * 1024;
constexpr int shellSignalBase = 128;
/// µs: torchrun's order of failures counts only if their times are at least this far apart.
constexpr qint64 nearMicroseconds = 2'000'000;

/// Python's exit code: below 0 for a signal; a shell adds 128 to its number.
static ExitStatus fromPython(int code)
{
    constexpr int mostSignal = 64;
    if (code > shellSignalBase && code <= shellSignalBase + mostSignal)
        return {Kind::Signalled, code - shellSignalBase};
    return code < 0 ? ExitStatus{Kind::Signalled, -code} : ExitStatus{Kind::Exited, code};
}

/// "SIGKILL", as ExitStatus names it.
static std::optional<ExitStatus> fromSignalName(const std::string &name)
{
    constexpr int mostSignal = 64;
    for (int signal = 1; signal <= mostSignal; ++signal) {
        if (ExitStatus::signalName(signal).toStdString() == name)
            return ExitStatus{Kind::Signalled, signal};
    }
    return std::nullopt;
}

/// "Killed", "SIGKILL", "Segmentation fault", "Exited with exit code 3"
static std::optional<ExitStatus> fromWords(const std::string &words)
{
    constexpr std::array<std::pair<const char *, int>, 8> names{{{"Killed", SIGKILL},
                                                                 {"Segmentation fault", SIGSEGV},
                                                                 {"Aborted", SIGABRT},
                                                                 {"Bus error", SIGBUS},
                                                                 {"Illegal instruction", SIGILL},
                                                                 {"Floating point exception", SIGFPE},
                                                                 {"Out Of Memory", SIGKILL},
                                                                 {"Terminated", SIGTERM}}};
    static const re2::RE2 code("(?i)exit code:? (-?\\d{1,5})");
    static const re2::RE2 number("(?i)signal (\\d{1,2})\\b");
    int value = 0;
    if (re2::RE2::PartialMatch(words, code, &value))
        return fromPython(value);
    if (re2::RE2::PartialMatch(words, number, &value))
        return ExitStatus{Kind::Signalled, value};
    for (const auto &[name, signal] : names) {
        if (words.starts_with(name))
            return ExitStatus{Kind::Signalled, signal};
    }
    return fromSignalName(words.substr(0, words.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ12")));
}

/// Returns true for an end that another rank's failure does not bring about by itself.
static bool isCrash(const ExitStatus &status)
{
    return status.kind == Kind::Signalled && status.number != SIGTERM && status.number != SIGINT &&
           status.number != SIGHUP;
}

void LauncherWords::end(int rank, const ExitStatus &status, qint64 pid)
{
    if (!m_firstTold)
        m_firstTold = rank;
    ToldEnd &told = m_ends[rank];
    told.status = status;
    if (pid > 0) {
        told.pid = pid;
        m_ranks[pid] = rank;
    }
    if (m_block == rank && m_blockTime)
        told.time = m_blockTime;
}

bool LauncherWords::take(QByteArrayView line)
{
    const QByteArrayView text = line.first(std::min(line.size(), longestLauncherLine));
    return takeRankdeck(text) || takeTorchrun(text) || takeTasks(text) || takeOthers(text);
}

/// "proc-rank-2-device-2 (pid: 4711): exit code 1", in both languages, and the verdict right behind such
/// lines, which repeats lines of ranks: from "DistributedRuntimeError: Rank 2 failed first: …" to
/// "Run …: failed." Elsewhere that word is a rank's own: programs for davincirun raise errors of this name.
bool LauncherWords::takeRankdeck(QByteArrayView line)
{
    static const re2::RE2 endForm("^(?:proc-rank-(\\d{1,7})(?:-device-\\d{1,6})?|scheduler|console)"
                                  "(?: \\(pid: |（PID：)(\\d{1,10})(?:\\): |）：)"
                                  "(?:(?:exit code|退出码) (\\d{1,3})|(SIG\\w{1,10}))?");
    static const re2::RE2 verdict(
        "^DistributedRuntimeError: (?:[Rr]ank (\\d{1,7}) (?:failed first|最先失败))?");
    static const re2::RE2 runEnd("^(?:Run \\S+: \\S.{0,20}\\.|任务 \\S+：.{1,20}。)$");
    constexpr int mostVerdictLines = 5000;
    const Piece text(line.data(), std::size_t(line.size()));
    qint64 pid = 0;
    std::string rank;
    std::string number;
    std::string signal;
    const bool isBehindEnd = std::exchange(m_isBehindEnd, false);
    if (re2::RE2::PartialMatch(text, endForm, &rank, &pid, &number, &signal)) {
        m_isBehindEnd = true;
        const auto status = number.empty() ? fromSignalName(signal)
                                           : std::optional(ExitStatus{Kind::Exited, std::stoi(number)});
        if (status && !rank.empty())
            end(std::stoi(rank), *status, pid);
        return true;
    }
    if (isBehindEnd && re2::RE2::PartialMatch(text, verdict, &number)) {
        m_verdictLines = mostVerdictLines;
        if (!number.empty())
            m_ownFirst = std::stoi(number);
        return true;
    }
    if (re2::RE2::PartialMatch(text, runEnd)) {
        m_verdictLines = 0;
        return true;
    }
    if (m_verdictLines == 0)
        return false;
    --m_verdictLines;
    return true;
}

/// "  rank      : 4 (local_rank: 4)", "  exitcode  : -9 (pid: 208585)"
bool LauncherWords::takeTorchrun(QByteArrayView line)
{
    static const re2::RE2 rankForm("^\\s+rank\\s*: (\\d{1,7}) \\(local_rank: \\d+\\)");
    static const re2::RE2 exitForm("^\\s+exitcode\\s*: (-?\\d{1,5}) \\(pid: (\\d{1,10})\\)");
    static const re2::RE2 timeForm("^\\s+time\\s*: (\\d{4}-\\d\\d-\\d\\d_\\d\\d:\\d\\d:\\d\\d)");
    static const re2::RE2 otherForm("^\\s+(?:host|error_file|traceback)\\s*: ");
    static const re2::RE2 failed(
        "failed \\(exitcode: (-?\\d{1,5})\\) local_rank: (\\d{1,6}) \\(pid: (\\d{1,10})\\)");
    static const re2::RE2 own("Sending process \\d+ closing signal|Root Cause \\(first observed failure\\)");
    const Piece text(line.data(), std::size_t(line.size()));
    int number = 0;
    qint64 pid = 0;
    std::string time;
    if (re2::RE2::PartialMatch(text, rankForm, &number)) {
        m_block = number;
        if (m_isRootCause)
            m_rootCause = number;
        return true;
    }
    if (re2::RE2::PartialMatch(text, timeForm, &time)) {
        m_block.reset();
        const QDateTime when = QDateTime::fromString(QString::fromStdString(time), u"yyyy-MM-dd_HH:mm:ss"_s);
        m_blockTime = when.isValid() ? std::optional(logTimeOf(when)) : std::nullopt;
        return true;
    }
    if (re2::RE2::PartialMatch(text, exitForm, &number, &pid)) {
        if (m_block)
            end(*m_block, fromPython(number), pid);
        return true;
    }
    int local = 0;
    if (re2::RE2::PartialMatch(text, failed, &number, &local, &pid)) {
        ++m_failedAttempts;
        if (m_ends.empty()) // The following failures name their rank themselves.
            m_endsByPid[pid] = {fromPython(number), pid, {}};
        return true;
    }
    if (!re2::RE2::PartialMatch(text, own))
        return re2::RE2::PartialMatch(text, otherForm);
    m_isRootCause = m_isRootCause || line.contains("Root Cause");
    return true;
}

/// "srun: error: host-2: task 9: Killed", "srun: error: host-1: tasks 0-3,7: Exited with exit code 1"
bool LauncherWords::takeTasks(QByteArrayView line)
{
    static const re2::RE2 form("^srun: error: [^:]+: tasks? ([\\d,\\[\\]-]{1,200}): (.{1,200})");
    static const re2::RE2 range("(\\d{1,6})(?:-(\\d{1,6}))?");
    constexpr int mostTasks = 65536;
    std::string tasks;
    std::string words;
    if (!re2::RE2::PartialMatch(Piece(line.data(), std::size_t(line.size())), form, &tasks, &words))
        return line.startsWith("srun: ") || line.startsWith("slurmstepd: ");
    const auto status = fromWords(words);
    Piece rest(tasks);
    int first = 0;
    std::string last;
    while (status && re2::RE2::FindAndConsume(&rest, range, &first, &last)) {
        const int end = last.empty() ? first : std::min(std::stoi(last), first + mostTasks);
        for (int task = first; task <= end; ++task)
            this->end(task, *status);
    }
    return true;
}

bool LauncherWords::takeOthers(QByteArrayView line)
{
    static const re2::RE2 mpirun(
        "process rank (\\d{1,6}) with PID (\\d{1,10}) on node \\S+ exited on(?: (signal \\d+)|$)");
    static const re2::RE2 mpirunName("^\\s*Process name: \\[(?:\\[\\d+,\\d+\\]|\\S+@\\d+),(\\d{1,6})\\]");
    static const re2::RE2 mpirunCode(
        "^\\s*(?:(?:Exit code:|Errorcode:|with errorcode)\\s*(-?\\d{1,5})|(signal \\d+))");
    static const re2::RE2 abort("MPI_ABORT was invoked on rank (\\d{1,6})");
    static const re2::RE2 deepspeed("--local_rank=(\\d{1,6})'.*exits with return code = (-?\\d{1,5})");
    static const re2::RE2 own("Killing subprocess \\d+|exits with return code = -?\\d|^pdsh@\\S+: ");
    static const re2::RE2 msrunGone("_api\\.py:\\d+\\] Time out nodes are \\['(\\d{1,7})'\\]");
    static const re2::RE2 vllm(
        "Worker proc VllmWorker-(\\d{1,6}) died(?:[^(]*\\(exit code: (-?\\d{1,5})\\))?");
    static const re2::RE2 spawn("-- Process (\\d{1,6}) terminated with the following error|"
                                "process (\\d{1,6}) terminated with (?:signal (\\w+)|exit code (\\d{1,5}))");
    static const re2::RE2 msrunStart(
        "Start worker process with rank id: ?(\\d{1,7}),.{0,300}?pid: ?(\\d{1,10})");
    static const re2::RE2 msrunEnd("[Ww]orker process (?:with rank id )?(\\d{1,10}),? exit.{0,40}?"
                                   "(?:[Ee]rror|[Ee]xit) code:? ?(-?\\d{1,5})");
    const Piece text(line.data(), std::size_t(line.size()));
    int rank = 0;
    int code = 0;
    qint64 pid = 0;
    std::string words;
    std::string other;
    const auto process = std::exchange(m_process, std::nullopt);
    if (re2::RE2::PartialMatch(text, mpirun, &rank, &pid, &words)) {
        end(rank, fromWords(words).value_or(ExitStatus{Kind::Unknown}), pid);
        m_process = words.empty() ? std::optional(rank) : std::nullopt; // Open MPI 5 breaks the line there.
    } else if (re2::RE2::PartialMatch(text, mpirunName, &rank)) {
        m_process = rank;
    } else if (process && re2::RE2::PartialMatch(text, mpirunCode, &words, &other)) {
        if (words != "0") // MPI_Abort(0) is a failure too; its code does not say so.
            end(*process, fromWords(other.empty() ? "exit code " + words : other).value_or(ExitStatus()));
    } else if (const bool isAbort = re2::RE2::PartialMatch(text, abort, &rank);
               isAbort || re2::RE2::PartialMatch(text, msrunGone, &rank)) {
        end(rank, {Kind::Unknown});
        m_process = isAbort ? std::optional(rank) : std::nullopt;
    } else if (re2::RE2::PartialMatch(text, deepspeed, &rank, &code)) {
        end(rank, fromPython(code));
    } else if (std::string exit; re2::RE2::PartialMatch(text, vllm, &rank, &exit)) {
        end(rank, exit.empty() ? ExitStatus{Kind::Unknown} : fromPython(std::stoi(exit)));
    } else if (std::string second, signal;
               re2::RE2::PartialMatch(text, spawn, &words, &second, &signal, &other)) {
        const ExitStatus status = !signal.empty() ? fromWords(signal).value_or(ExitStatus{Kind::Unknown})
                                  : other.empty() ? ExitStatus{Kind::Exited, 1}
                                                  : ExitStatus{Kind::Exited, std::stoi(other)};
        end(std::stoi(words.empty() ? second : words), status);
    } else if (re2::RE2::PartialMatch(text, msrunEnd, &pid, &code)) {
        m_endsByPid.emplace(pid, ToldEnd{fromPython(code), pid, {}});
    } else if (re2::RE2::PartialMatch(text, msrunStart, &rank, &pid)) {
        m_ranks[pid] = rank;
    } else {
        m_process = line.contains("  Proc: [") ? process : std::nullopt; // Between MPI_ABORT and its code.
        return re2::RE2::PartialMatch(text, own);
    }
    return true;
}

std::optional<int> LauncherWords::first() const
{
    if (m_ownFirst && m_ends.contains(*m_ownFirst))
        return m_ownFirst;
    const std::optional<int> told = m_rootCause ? m_rootCause : m_firstTold;
    const auto root = told ? m_ends.find(*told) : m_ends.end();
    if (root == m_ends.end() || isCrash(root->second.status))
        return told;
    const auto &time = root->second.time;
    for (const auto &[rank, end] : m_ends) {
        const bool isNear = !time || !end.time || end.time->value - time->value <= nearMicroseconds;
        if (isCrash(end.status) && isNear)
            return rank;
    }
    return told;
}

} // namespace rankdeck
