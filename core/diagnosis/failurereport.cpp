#include "diagnosis/failurereport.h"

#include "diagnosis/exitwords.h"
#include "log/ansidecoder.h"
#include "log/lastlines.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

constexpr int tailLines = 40;
constexpr int tailBytes = 16 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("FailureReport", text);
}

QString placeOf(const Failure &failure)
{
    if (failure.pid == 0 && failure.node.isEmpty()) // Nothing but its log is known.
        return failure.device == ProcessPlan::noDevice ? QString()
                                                       : tr("device %1").arg(failure.device.value);
    if (failure.role == Role::Scheduler)
        return tr("on %1, pid %2").arg(failure.node).arg(failure.pid);
    if (failure.device == ProcessPlan::noDevice)
        return tr("on %1, pid %2").arg(failure.node).arg(failure.pid);
    return tr("device %1 on %2, pid %3").arg(failure.device.value).arg(failure.node).arg(failure.pid);
}

QStringList tailOf(const QString &logFile)
{
    QStringList tail;
    for (const QByteArray &line : lastLines(logFile, tailLines, tailBytes))
        tail << AnsiDecoder::plainText(line);
    return tail;
}

} // namespace

Failure failureOf(const LaunchPlan &plan, int index, qint64 pid, const ExitStatus &status,
                  const QString &reason)
{
    const ProcessPlan &process = plan.processes.at(static_cast<std::size_t>(index));
    // A traceback goes to standard error.
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

Failure failureOfHook(const LaunchPlan &plan, const RunEvent &event)
{
    Failure failure;
    failure.node = event.node;
    failure.pid = event.pid;
    failure.status = event.status.value_or(ExitStatus{ExitStatus::Kind::Exited, 1});
    failure.reason = event.text;
    for (const ProcessPlan &hook : plan.before) {
        if (hook.node.isEmpty() || hook.node == event.node)
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

QString failureTitle(const Failure &failure)
{
    if (failure.rank == Failure::noRank)
        return tr("The run failed: %1").arg(failure.reason);
    if (failure.role == Role::Scheduler)
        return tr("The scheduler failed first: %1").arg(describeExit(failure.status));
    return tr("Rank %1 failed first: %2").arg(failure.rank.value).arg(describeExit(failure.status));
}

QString failureAdvice(const Failure &failure)
{
    const ExitStatus refused{ExitStatus::Kind::Exited, Failure::refused};
    if (failure.rank == Failure::noRank && !failure.logFile.isEmpty())
        return tr("Mend the command and launch again; no process was started.");
    if (failure.rank == Failure::noRank && failure.status == refused)
        return tr("Mend that and launch again; no process was started.");
    if (failure.rank == Failure::noRank)
        return tr("See the run's journal for what happened before.");
    if (failure.status.kind == ExitStatus::Kind::NotStarted)
        return tr("Mend the command and launch again; no training was done.");
    if (failure.role == Role::Scheduler)
        return tr("Look at the scheduler's log first: without it the workers cannot find each other.");
    return tr(
        "Look at this rank's log first: what the other ranks print after that is mostly a consequence.");
}

QString failureReport(const RunState &state)
{
    return state.failure ? failureReport(state, explainFailure(*state.failure)) : QString();
}

QString failureReport(const RunState &state, const FailureExplanation &explanation)
{
    if (!state.failure)
        return {};
    const Failure &failure = *state.failure;
    QStringList lines{QStringLiteral("DistributedRuntimeError: ") + failureTitle(failure)};
    if (failure.rank != Failure::noRank) {
        if (const QString place = placeOf(failure); !place.isEmpty())
            lines << place;
        if (!failure.reason.isEmpty())
            lines << failure.reason;
    }
    if (!failure.logFile.isEmpty())
        lines << tr("Log: %1").arg(failure.logFile);
    lines << failureAdvice(failure) << QString();
    if (const QStringList known = explanationLines(explanation); !known.isEmpty())
        lines << known << QString();
    if (!failure.traceback.isEmpty())
        lines << failure.traceback << QString();
    if (!failure.logTail.isEmpty())
        lines << tr("Last lines of the log:") << failure.logTail << QString();

    lines << (hasLogsAlone(state.phase) ? tr("Logs %1 (%2), %3") : tr("Run %1 (%2), %3"))
                 .arg(state.name, state.plan->launcher, phaseWord(state.phase));
    if (state.plan->maxRestarts > 0)
        lines << tr("Attempt %1, after as many restarts of at most %2")
                     .arg(state.attempt)
                     .arg(state.plan->maxRestarts);
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        const QString status = rank.status ? rank.status->text() : QString();
        const ProcessPlan &process = state.plan->processes[index];
        const QString who = process.role == Role::Scheduler
                                ? QStringLiteral("scheduler")
                                : QStringLiteral("rank %1").arg(process.rank.value);
        lines << QStringLiteral("  %1  %2  %3").arg(who, phaseWord(rank.phase), status);
    }
    lines << (hasLogsAlone(state.phase) ? tr("Log directory: %1") : tr("Run directory: %1"))
                 .arg(state.directory);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace rankdeck
