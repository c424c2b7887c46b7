#include "diagnosis/verdict/hangdetails.h"

#include "base/tr.h"
#include "diagnosis/evidence/rankevidence.h"
#include "diagnosis/failure/growthclock.h"
#include "diagnosis/stall/stackgroups.h"
#include "diagnosis/stall/stalldetector.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"
#include "run/record/growthmarks.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <initializer_list>

namespace rankdeck
{

namespace
{

constexpr qint64 microsecondsInSecond = 1'000'000;
constexpr int mostLastLines = 40;
constexpr qint64 mostLastBytes = 16 * 1024;
constexpr qsizetype mostStackLines = 150;

/// Returns the log of the process that was written last.
QString lastLog(const ProcessPlan &process)
{
    const QFileInfo log(process.logFile);
    const QFileInfo error(process.stderrFile);
    const bool isErrorNewer =
        !process.stderrFile.isEmpty() && error.size() > 0 && error.lastModified() > log.lastModified();
    return isErrorNewer ? process.stderrFile : process.logFile;
}

/// Puts the last line of the log that is not empty first.
void addLastLine(Verdict &verdict, const ProcessPlan &process)
{
    Verdict::Evidence last{verdict.process, verdict.role, verdict.rank, lastLog(process), 0, {}, {}, {}};
    QFile file(last.file);
    if (!file.open(QIODevice::ReadOnly))
        return;
    QByteArray text;
    const auto scanned = scanLines(file, [&](const ScannedLine &line) {
        if (const QByteArrayView words = line.text.trimmed(); !words.isEmpty()) {
            text = words.first(std::min<qsizetype>(words.size(), ErrorLine::mostText)).toByteArray();
            last.line = line.line.value + 1;
        }
        return true;
    });
    if (!scanned || text.isEmpty())
        return;
    last.text = AnsiDecoder::plainText(text);
    for (const QByteArray &line : lastLines(last.file, mostLastLines, mostLastBytes))
        verdict.lastLines << AnsiDecoder::plainText(line);
    verdict.evidence.insert(verdict.evidence.begin(), last);
}

void addStep(Verdict &verdict, const ProcessPlan &process, const RunState &state)
{
    const auto reader = state.spec ? ProgressReader::create(state.spec->common.progressPattern)
                                   : Result<ProgressReader>(Error{});
    for (const QString &path : {process.logFile, process.stderrFile}) {
        const auto step =
            path.isEmpty() ? std::nullopt : hintOfLog(path, reader ? *reader : ProgressReader()).step;
        if (step)
            verdict.step = std::max(verdict.step.value_or(*step), *step);
    }
}

/// Where lines have no stamps: by the growth of the log.
void addSilence(Verdict &verdict, const ProcessPlan &process, const RunState &state, const LogTime &reported)
{
    const QString marks = growthFolder(state.directory, *state.plan, state.attempt);
    std::optional<LogTime> last;
    for (const bool isError : {false, true}) {
        const QFileInfo log(isError ? process.stderrFile : process.logFile);
        if (log.filePath().isEmpty() || log.size() == 0)
            continue;
        const auto grown = growthClock(marksFile(marks, verdict.process, isError))(ByteOffset(log.size()));
        if (grown && (!last || *last < *grown))
            last = grown;
    }
    if (last && *last < reported)
        verdict.silentSeconds = (reported.value - last->value) / microsecondsInSecond;
}

void addStacks(Verdict &verdict, const RunState &state)
{
    QString problem;
    for (const StackDump &dump : state.dumps) {
        if (dump.process == verdict.process)
            problem = dump.problem;
    }
    for (const StackDump &dump : lastDumps(state.dumps)) {
        if (dump.process != verdict.process)
            continue;
        const auto stacks = readStacks(state.directory, {dump});
        if (stacks.empty())
            continue;
        verdict.stacks = stacks.front().text.trimmed().split(QLatin1Char('\n')).mid(0, mostStackLines);
        return;
    }
    if (!problem.isEmpty())
        verdict.notes << problem;
}

} // namespace

void addHangDetails(Verdict &verdict, const RunState &state, const std::optional<LogTime> &reported)
{
    if (!verdict.isHang || verdict.process < 0)
        return;
    const ProcessPlan &process = state.plan->processes[std::size_t(verdict.process)];
    addStep(verdict, process, state);
    if (reported && !verdict.silentSeconds)
        addSilence(verdict, process, state, *reported);
    addLastLine(verdict, process);
    addStacks(verdict, state);
}

} // namespace rankdeck
