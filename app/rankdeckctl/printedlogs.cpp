#include "printedlogs.h"

#include "launch/attempt.h"
#include "log/lastlines.h"
#include "output.h"

#include <QCoreApplication>

namespace rankdeck
{

QByteArray PrintedLog::linePrefix(const RunState &state, LogPrefix kind) const
{
    if (kind == LogPrefix::None || !prefix.isEmpty())
        return kind == LogPrefix::None ? QByteArray() : prefix;
    const qint64 pid = state.ranks[static_cast<std::size_t>(process)].pid;
    return label + " (pid: " + QByteArray::number(pid) + "): ";
}

void PrintedLog::sayFirstGap()
{
    say(QCoreApplication::translate("LogPrinter", "%1: lines may be missing here, the disk was full at %2.")
            .arg(QString::fromUtf8(label),
                 gaps.front().since.toLocalTime().toString(QStringLiteral("HH:mm:ss"))));
    gaps.erase(gaps.begin());
}

std::vector<PrintedLog> logsToPrint(const RunState &state, const LogChoice &choice)
{
    std::vector<PrintedLog> logs;
    const LaunchPlan plan = forAttempt(*state.recordedPlan, choice.attempt);
    for (const int index : choice.processes) {
        const ProcessPlan &process = plan.processes[static_cast<std::size_t>(index)];
        const auto add = [&](bool isError) {
            const QString &path = isError ? process.stderrFile : process.logFile;
            const ByteOffset start = choice.tail < 0 ? ByteOffset() : offsetOfLastLines(path, choice.tail);
            logs.push_back(
                {index, isError, path, process.consolePrefix.toUtf8(), process.label().toUtf8(), start});
        };
        const Streams wanted = choice.streams.value_or(process.console);
        const bool isOneFile = process.stderrFile.isEmpty();
        if (contains(wanted, Streams::Out) || (isOneFile && wanted != Streams::None))
            add(false);
        if (!isOneFile && contains(wanted, Streams::Error))
            add(true);
    }
    lookForGaps(logs, state, choice.attempt);
    for (PrintedLog &log : logs)
        std::erase_if(log.gaps, [&](const LogGap &gap) { return gap.offset < log.start.value; });
    return logs;
}

void lookForGaps(std::vector<PrintedLog> &logs, const RunState &state, int attempt)
{
    const QString growth = growthFolder(state.directory, *state.recordedPlan, attempt);
    for (PrintedLog &log : logs) {
        const std::vector<LogGap> gaps = logGaps(growth, log.process, log.isError);
        for (; log.knownGaps < gaps.size(); ++log.knownGaps)
            log.gaps.push_back(gaps[log.knownGaps]);
    }
}

} // namespace rankdeck
