#include "diagnosis/verdict/verdictdetails.h"

#include "base/regularfile.h"
#include "diagnosis/evidence/rankevidence.h"
#include "diagnosis/failure/growthclock.h"
#include "diagnosis/stall/stackgroups.h"
#include "diagnosis/stall/stalldetector.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"
#include "run/record/growthmarks.h"

#include <QRegularExpression>

#include <cmath>
#include <deque>
#include <limits>

namespace rankdeck
{

namespace
{

constexpr qint64 microsecondsInSecond = 1'000'000;
constexpr std::size_t mostLastLines = 40;
constexpr qsizetype mostStackLines = 150;

/// The end of a log, without stacks that faulthandler wrote there when it was asked for them.
struct LastWords {
    QString file;
    qint64 line = 0;                ///< Number of the last line that is not empty, from 1; 0: there is none.
    QString text;                   ///< Its text.
    ByteOffset end;                 ///< Its end.
    std::optional<LogTime> written; ///< When it was written, as far as the growth of the log shows it.
    std::deque<QByteArray> lines;
};

/// Finds the lines of a log that are stacks by faulthandler.
class StacksInLog
{
public:
    bool take(QByteArrayView line)
    {
        const bool isThread = line.startsWith("Thread 0x") || line.startsWith("Current thread 0x") ||
                              line.startsWith("Stack (most recent call first)");
        const bool isFrame = line.startsWith("  File ") || line.startsWith("  <") || line.startsWith("  ...");
        m_isInside = isThread || (m_isInside && (isFrame || line.trimmed().isEmpty()));
        return m_isInside;
    }

private:
    bool m_isInside = false;
};

/// @param until ms since 1970: leaves out lines written later, as far as the growth of the log shows it.
LastWords lastWordsIn(const QString &path, const QString &marks, qint64 until)
{
    LastWords last;
    last.file = path;
    RegularFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return last;
    StacksInLog stacks;
    const auto known = marksUntil(marks, until, 1);
    const qint64 most = known && !known->empty() ? known->back().size : std::numeric_limits<qint64>::max();
    const auto scanned = scanLines(file, [&](const ScannedLine &line) {
        if (line.end.value > most)
            return false;
        const QByteArrayView words = line.text.trimmed();
        if (stacks.take(line.text) || words.isEmpty())
            return true;
        last.line = line.line.value + 1;
        last.end = line.end;
        last.lines.push_back(
            line.text.first(std::min<qsizetype>(line.text.size(), ErrorLine::mostText)).toByteArray());
        if (last.lines.size() > mostLastLines)
            last.lines.pop_front();
        return true;
    });
    static_cast<void>(scanned); // The part that could not be read is not the last line.
    if (last.line == 0)
        return last;
    last.text = AnsiDecoder::plainText(last.lines.back().trimmed());
    last.written = growthClock(marks)(last.end);
    return last;
}

/// Returns when the first process failed by itself, ms since 1970, or when this one fell silent in a stall:
/// later output may answer a signal.
qint64 firstBadEnd(const RunState &state, int process)
{
    constexpr qint64 settleMs = 2000; // A stall tells whole seconds.
    qint64 first = std::numeric_limits<qint64>::max();
    if (state.endStall && state.endStall->silentSince.contains(process))
        first = state.endStall->silentSince.value(process) + settleMs;
    for (const RankState &rank : state.ranks) {
        if (rank.endedBadlyByItself() && rank.ended.isValid())
            first = std::min(first, rank.ended.toMSecsSinceEpoch());
    }
    return first;
}

/// Returns the end of the log of the process that was written last.
LastWords lastWordsOf(const Verdict &verdict, const ProcessPlan &process, const RunState &state)
{
    const QString marks = growthFolder(state.directory, *state.plan, state.attempt);
    const qint64 until = firstBadEnd(state, verdict.process);
    LastWords output = lastWordsIn(process.logFile, marksFile(marks, verdict.process, false), until);
    LastWords error = lastWordsIn(process.stderrFile, marksFile(marks, verdict.process, true), until);
    const bool isErrorNewer =
        error.line > 0 &&
        (output.line == 0 || (error.written && output.written && *output.written < *error.written));
    return isErrorNewer ? std::move(error) : std::move(output);
}

void addLastLine(Verdict &verdict, const LastWords &last)
{
    if (last.line == 0)
        return;
    verdict.evidence.insert(
        verdict.evidence.begin(),
        Verdict::Evidence{
            verdict.process, verdict.role, verdict.rank, last.file, last.line, last.text, {}, {}});
    for (const QByteArray &line : last.lines)
        verdict.lastLines << AnsiDecoder::plainText(line);
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
        verdict.stacks = stacks.front().text.trimmed().split('\n'_L1).mid(0, mostStackLines);
        return;
    }
    if (!problem.isEmpty())
        verdict.notes << Sentence(problem);
}

} // namespace

void addHangDetails(Verdict &verdict, const RunState &state, const std::optional<LogTime> &reported)
{
    if (!verdict.isHang || verdict.process < 0)
        return;
    const ProcessPlan &process = state.plan->processes[std::size_t(verdict.process)];
    const LastWords last = lastWordsOf(verdict, process, state);
    addStep(verdict, process, state);
    verdict.isPaused = verdict.isPaused || state.ranks[std::size_t(verdict.process)].wasPaused;
    if (reported && last.written && *last.written < *reported)
        verdict.silentSeconds = (reported->value - last.written->value) / microsecondsInSecond;
    addLastLine(verdict, last);
    addStacks(verdict, state);
}

/// Share of the card's memory; a driver and a few small processes use less.
constexpr double tellingShare = 0.1;

/// Returns the first size in GiB that `form` finds; its groups are number and unit.
static std::optional<double> gibibytes(const QString &text, const QString &form)
{
    const QRegularExpressionMatch match =
        QRegularExpression(form.arg(u"([\\d.]+) (bytes|[KMGT]iB)"_s)).match(text);
    if (!match.hasMatch())
        return std::nullopt;
    constexpr double unit = 1024;
    const QChar prefix = match.captured(2).front();
    const double power = prefix == 'T'_L1   ? 1
                         : prefix == 'G'_L1 ? 0
                         : prefix == 'M'_L1 ? -1
                         : prefix == 'K'_L1 ? -2
                                            : -3;
    return match.captured(1).toDouble() * std::pow(unit, power);
}

/// Returns the memory that the process itself holds.
static std::optional<double> ownGibibytes(const QString &error)
{
    if (const auto own = gibibytes(error, u"this process has %1 memory in use"_s))
        return own;
    const auto allocated = gibibytes(error, u"%1 already allocated"_s);
    const auto reserved = gibibytes(error, u"%1 reserved in total"_s);
    return allocated && reserved ? std::max(allocated, reserved) : allocated ? allocated : reserved;
}

Sentence memoryOnCard(const QString &error)
{
    auto total = gibibytes(error, u"total capaci?ty of %1"_s);
    if (!total)
        total = gibibytes(error, u"%1 total capacity"_s);
    auto free = gibibytes(error, u"of which %1 is free"_s);
    if (!free)
        free = gibibytes(error, u"%1 free"_s);
    const auto asked = gibibytes(error, u"[Tt]ried to allocate %1"_s);
    if (asked && total && *asked > *total)
        return Sentence::tr(
                   "It asked for %1 GiB, more than the %2 GiB of a whole card: look for a wrong shape or "
                   "size, a smaller batch does not help.")
            .arg(std::lround(*asked))
            .arg(std::lround(*total));
    const auto own = ownGibibytes(error);
    if (!total || !free || !own)
        return {};
    const double others = *total - *free - *own;
    if (others < tellingShare * *total)
        return {};
    return Sentence::tr("Other processes use %1 of %2 GiB of this card.")
        .arg(std::lround(others))
        .arg(std::lround(*total));
}

} // namespace rankdeck
