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

} // namespace rankdeck
