#include "diagnosis/failure/failurereport.h"

#include "base/listcomma.h"
#include "diagnosis/failure/errorfile.h"
#include "diagnosis/failure/schedulerfailure.h"
#include "launch/plan/launchplan.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"
#include "run/record/runstate.h"

#include <QFileInfo>

#include <cerrno>

namespace rankdeck
{

static std::optional<ErrorFile> errorFileOf(const ProcessPlan &process)
{
    const QString path = process.setVariables.value(QLatin1String(errorFileVariable));
    return path.isEmpty() ? std::nullopt : readErrorFile(path);
}

static void add(Failure &failure, const ErrorFile &file)
{
    failure.reason = Sentence(file.message);
    failure.traceback = file.traceback;
}

/// Reads the log again: a copy from another node arrives after the event of its process.
static void readCopiedLogAgain(Failure &failure, const LaunchPlan &plan)
{
    const auto process = std::ranges::find_if(plan.processes, [&](const auto &each) {
        return each.role == failure.role && each.rank == failure.rank;
    });
    if (process == plan.processes.end() || process->copiedFrom.isEmpty())
        return;
    const Failure now =
        failureOf(plan, int(process - plan.processes.begin()), failure.pid, failure.status, failure.reason);
    failure.logFile = now.logFile;
    failure.logTail = now.logTail;
}

static Sentence signalCause(int number)
{
    const QMap<int, Sentence> causes{
        {SIGKILL, Sentence::tr("killed from outside, often by the kernel when out of memory")},
        {SIGSEGV, Sentence::tr("invalid memory access (segmentation fault)")},
        {SIGBUS, Sentence::tr("access to memory that does not exist (bus error), often a full /dev/shm")},
        {SIGABRT, Sentence::tr("it aborted, after an assertion or an error that it could not handle")},
        {SIGILL, Sentence::tr("it ran an instruction that this processor does not support")},
        {SIGFPE, Sentence::tr("an arithmetic error, often a division by zero")},
        {SIGTERM, Sentence::tr("it was asked to terminate")},
        {SIGINT, Sentence::tr("it was interrupted")},
        {SIGPIPE, Sentence::tr("broken pipe: the reader is gone")}};
    return causes.value(number);
}

static Sentence signalFact(int number)
{
    return Sentence::tr("ended by signal %1 (%2)").arg(number).arg(ExitStatus::signalName(number));
}

static Sentence wordsFor(const ExitStatus &status)
{
    switch (status.kind) {
    case ExitStatus::Kind::NotStarted:
        return status.number == ENOEXEC
                   ? Sentence::tr("the process could not be started")
                   : Sentence::tr("the process could not be started: %1").arg(errnoWords(status.number));
    case ExitStatus::Kind::Signalled: {
        const Sentence cause = signalCause(status.number);
        const Sentence fact = signalFact(status.number);
        return cause.isEmpty() ? fact : withColon(fact, cause);
    }
    case ExitStatus::Kind::Unknown:
        return Sentence::tr("exit code unknown, the error comes from its log");
    case ExitStatus::Kind::Exited:
        break;
    }
    const Sentence fact = status.text();
    if (status.number == 0)
        return Sentence::tr("succeeded (exit code 0)");
    if (status.number == 126)
        return Sentence::tr("%1: a shell's exit code for a command that may not be executed").arg(fact);
    if (status.number == 127)
        return Sentence::tr("%1: a shell's exit code for a command that was not found").arg(fact);
    if (status.number > 128 && status.number < 128 + NSIG)
        return Sentence::tr("%1: a shell's exit code for the end by %2")
            .arg(fact, ExitStatus::signalName(status.number - 128));
    return fact;
}

constexpr int tailLines = 40;
constexpr int tailBytes = 16 * 1024;

static QStringList tailOf(const QString &logFile)
{
    QStringList tail;
    for (const QByteArray &line : lastLines(logFile, tailLines, tailBytes))
        tail << AnsiDecoder::plainText(line);
    return tail;
}

std::optional<Failure> rootCause(const RunState &state)
{
    const LaunchPlan &plan = *state.plan;
    if (plan.launcher != "processes"_L1) // The others have no error files.
        return std::nullopt;
    struct Candidate {
        std::size_t index = 0;
        double time = 0;
        QDateTime seen;
        std::optional<ErrorFile> file;
    };
    std::optional<Candidate> first;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        if (!rank.status || rank.status->isSuccess() || rank.stopRequested)
            continue;
        Candidate candidate{index, 0, rank.ended, errorFileOf(plan.processes[index])};
        if (rank.phase != RankPhase::Failed && !candidate.file)
            continue;
        candidate.time = candidate.file && candidate.file->timestamp
                             ? *candidate.file->timestamp
                             : double(rank.ended.toMSecsSinceEpoch()) / 1000;
        if (!first || std::pair(candidate.time, candidate.seen) < std::pair(first->time, first->seen))
            first = candidate;
    }
    if (!first)
        return std::nullopt;
    const RankState &rank = state.ranks[first->index];
    Failure failure = failureOf(plan, int(first->index), rank.pid, *rank.status, {});
    if (first->file)
        add(failure, *first->file);
    return failure;
}

Failure settledFailure(const RunState &state, const Failure &first)
{
    Failure settled = first;
    if (first.rank == Failure::noRank) {
        readLogAgain(settled);
        return settled;
    }
    if (const auto cause = rootCause(state)) {
        if (cause->rank != first.rank || !cause->reason.isEmpty())
            settled = *cause;
    } else if (first.role == Role::Worker && first.reason.isEmpty()) {
        settled.reason = Sentence(missingWorkersReason(state));
    }
    readCopiedLogAgain(settled, *state.plan);
    return settled;
}

/// Returns true if the process failed and Rankdeck had not been asked to stop it, or if it handled the signal
/// and chose its own exit code.
static bool hasFailedByItself(const RankState &rank)
{
    if (!rank.status || rank.status->isSuccess() || rank.stopRequested)
        return false;
    return rank.phase == RankPhase::Failed || (rank.phase == RankPhase::Ended && rank.endedBadlyByItself());
}

int codeOfFailure(const RunState &state, int named, const Failure &settled, const Failure &first)
{
    const auto &processes = state.plan->processes;
    const auto settledAt = std::ranges::find_if(processes, [&](const ProcessPlan &process) {
        return process.role == settled.role && process.rank == settled.rank;
    });
    const int settledIndex = settledAt == processes.end() ? -1 : int(settledAt - processes.begin());
    for (const int index : {named, settledIndex}) {
        const RankState *rank = state.stateOf(index);
        if (rank && hasFailedByItself(*rank) && !state.planOf(index)->isFound)
            return rank->status->shellCode();
    }
    return first.status.shellCode();
}

Failure failureAt(const RunState &state, int index, qint64 pid, const ExitStatus &status,
                  const Sentence &problem)
{
    const ProcessPlan &process = state.plan->processes.at(std::size_t(index));
    Sentence reason = problem;
    if (reason.isEmpty() && process.role == Role::Scheduler)
        reason = Sentence(schedulerFailureReason(state, index));
    Failure failure = failureOf(*state.plan, index, pid, status, reason);
    if (const auto file = errorFileOf(process))
        add(failure, *file);
    return failure;
}

Sentence describeExit(const ExitStatus &status)
{
    if (status.requestedSignal > 0) {
        const bool isBySignal =
            status.kind == ExitStatus::Kind::Signalled && status.number == status.requestedSignal;
        return isBySignal ? Sentence::tr("%1, which was sent to it on request").arg(signalFact(status.number))
                          : Sentence::tr("%1, after %2 was sent to it on request")
                                .arg(wordsFor(status), ExitStatus::signalName(status.requestedSignal));
    }
    if (status.outOfMemory.isEmpty())
        return wordsFor(status);
    // The usual causes do not apply then.
    const bool isSignal = status.kind == ExitStatus::Kind::Signalled;
    return Sentence::joined(
        {isSignal ? signalFact(status.number) : wordsFor(status), Sentence(status.outOfMemory)},
        listSemicolon());
}

QString exitEntry(const ExitStatus &status)
{
    if (status.isSuccess() || status.kind == ExitStatus::Kind::Unknown)
        return {};
    if (status.kind == ExitStatus::Kind::NotStarted) {
        const bool isPrograms = status.number == EACCES || status.number == ENOEXEC;
        return status.number == ENOENT ? u"exit-127"_s
               : isPrograms            ? u"exit-126"_s
                                       : QString(); // The system had nothing left for a process.
    }
    if (!status.outOfMemory.isEmpty())
        return u"system-oom-killer"_s;
    if (status.requestedSignal > 0)
        return {};
    const bool isShellsSignal = status.kind == ExitStatus::Kind::Exited && status.number > 128;
    const int signal = isShellsSignal                               ? status.number - 128
                       : status.kind == ExitStatus::Kind::Signalled ? status.number
                                                                    : 0;
    constexpr std::array explained{SIGKILL, SIGSEGV, SIGBUS, SIGABRT, SIGTERM, SIGINT};
    if (std::ranges::find(explained, signal) != explained.end())
        return u"exit-"_s + ExitStatus::signalName(signal);
    if (status.kind == ExitStatus::Kind::Exited && (status.number == 126 || status.number == 127))
        return u"exit-%1"_s.arg(status.number);
    return {};
}

Failure failureOf(const LaunchPlan &plan, int index, qint64 pid, const ExitStatus &status,
                  const Sentence &reason)
{
    const ProcessPlan &process = plan.processes.at(std::size_t(index));
    // A traceback is written to standard error.
    const bool isErrorEmpty = process.stderrFile.isEmpty() || QFileInfo(process.stderrFile).size() == 0;
    Failure failure;
    failure.role = process.role;
    failure.rank = process.rank;
    failure.device = process.device;
    failure.node = process.node;
    failure.pid = pid;
    failure.status = status;
    failure.reason = reason;
    failure.logFile = isErrorEmpty ? process.logFile : process.stderrFile;
    failure.logTail = tailOf(failure.logFile);
    return failure;
}

Failure failureOfHook(const LaunchPlan &plan, const QString &node, qint64 pid, const ExitStatus &status,
                      const Sentence &reason)
{
    Failure failure;
    failure.node = node;
    failure.pid = pid;
    failure.status = status;
    failure.reason = reason;
    for (const ProcessPlan &hook : plan.before) {
        if (hook.node.isEmpty() || hook.node == node)
            failure.logFile = hook.logFile;
    }
    readLogAgain(failure);
    return failure;
}

void readLogAgain(Failure &failure)
{
    if (!failure.logFile.isEmpty())
        failure.logTail = tailOf(failure.logFile);
}

Sentence failureTitle(const Failure &failure)
{
    if (failure.rank == Failure::noRank)
        return Sentence::tr("The run failed: %1").arg(failure.reason);
    if (failure.role == Role::Scheduler)
        return Sentence::tr("The scheduler failed: %1").arg(describeExit(failure.status));
    if (failure.role == Role::Console)
        return Sentence::tr("The command failed: %1").arg(describeExit(failure.status));
    return Sentence::tr("Rank %1 failed: %2").arg(failure.rank.value).arg(describeExit(failure.status));
}

Sentence failureAdvice(const Failure &failure)
{
    const ExitStatus refused{ExitStatus::Kind::Exited, Failure::refused};
    if (failure.rank == Failure::noRank && !failure.logFile.isEmpty())
        return Sentence::tr("Fix the command and launch again; no process was started.");
    if (failure.rank == Failure::noRank && failure.status == refused)
        return Sentence::tr("Fix this and launch again. No process was started.");
    if (failure.rank == Failure::noRank)
        return Sentence::tr("See the run's journal for earlier events.");
    if (failure.status.kind == ExitStatus::Kind::NotStarted)
        return Sentence::tr("Fix the command and launch again; no training was done.");
    if (failure.role == Role::Scheduler)
        return Sentence::tr(
            "Read the scheduler's log first: without the scheduler the workers cannot find each other.");
    if (failure.role == Role::Console)
        return Sentence::tr("Read the log of the command: it also holds what its ranks printed.");
    return Sentence::tr(
        "Read this rank's log first: what the other ranks print after that is mostly a consequence.");
}

} // namespace rankdeck
