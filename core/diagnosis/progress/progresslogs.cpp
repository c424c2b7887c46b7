#include "diagnosis/progress/progresslogs.h"

#include "base/regularfile.h"
#include "launch/plan/launchplan.h"
#include "log/file/logtail.h"
#include "run/record/growthmarks.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"

#include <QFileInfo>

#include <unistd.h>

namespace rankdeck
{

constexpr qint64 bytesOfOneLog = 1024 * 1024;
constexpr qint64 bytesAtOnce = 8 * bytesOfOneLog;
constexpr qint64 markedBytes = 256 * 1024;
/// Less is read as fast as what is kept of it.
constexpr qint64 leastKept = 256 * 1024;
/// Number of logs kept open; if there are more, each is opened when it has grown.
constexpr std::size_t mostOpen = 128;
/// Buckets of all series together.
constexpr int manyBuckets = 256 * 1024;
constexpr int fewestBuckets = 256;
/// Last character of a bar.
constexpr char barEnd = ']';

static int bucketsOf(std::size_t processes)
{
    return std::clamp(manyBuckets / int(std::max<std::size_t>(processes, 1)), fewestBuckets,
                      ValueSeries::manyBuckets);
}

ProgressPlaces ProgressPlaces::of(const RunState &state)
{
    if (!state.recordedPlan)
        return {};
    ProgressPlaces places{growthFolder(state.directory, *state.recordedPlan, state.attempt)};
    if (hasLogsAlone(state.phase))
        return places;
    places.kept = progressFolder(state.directory, *state.recordedPlan, state.attempt);
    places.mayKeep = !mayGrow(state.phase) && hasRunRecord(state.directory) &&
                     access(QFile::encodeName(state.directory).constData(), W_OK) == 0;
    return places;
}

struct ProgressLogs::Log {
    std::array<QString, 2> paths;
    std::array<std::unique_ptr<LogTail>, 2> tails;    ///< Null for a log that the process does not have.
    std::array<std::optional<GrowthTimes>, 2> growth; ///< When the backlog came.
    KnownProgress known;                              ///< Its sizes are only true after settle().
    qint64 unkept = 0;                                ///< Bytes read since `known` was kept.
    bool isChanged = false;
};

/// What is read at once, as one look at a log.
struct ProgressLogs::Part {
    std::size_t stream = 0;
    std::optional<GrowthMark> mark; ///< How far the log had grown, and when; nothing: that is unknown.
};

ProgressLogs::ProgressLogs(const LaunchPlan &plan, ProgressReader reader, ProgressPlaces places,
                           int mostBuckets)
    : m_reader(std::move(reader))
    , m_places(std::move(places))
    , m_mostBuckets(mostBuckets > 0 ? mostBuckets : bucketsOf(plan.processes.size()))
    , m_keptBuckets(bucketsOf(plan.processes.size()))
    , m_keepsOpen(plan.processes.size() <= mostOpen)
{
    m_places.mayKeep = m_places.mayKeep && m_mostBuckets == m_keptBuckets;
    const bool isKept =
        m_mostBuckets <= m_keptBuckets && !m_places.kept.isEmpty() && QFileInfo(m_places.kept).isDir();
    for (const ProcessPlan &process : plan.processes) {
        m_logs.push_back(process.role == Role::Worker ? std::make_unique<Log>() : nullptr);
        if (process.role != Role::Worker)
            continue;
        m_logs.back()->paths = {process.logFile, process.stderrFile};
        const std::size_t index = m_logs.size() - 1;
        m_logs.back() = unread(index);
        if (isKept)
            restore(index);
    }
}

ProgressLogs::~ProgressLogs() = default;

/// Returns the logs of a process before anything was read.
std::unique_ptr<ProgressLogs::Log> ProgressLogs::unread(std::size_t process) const
{
    auto log = std::make_unique<Log>();
    log->paths = m_logs[process]->paths;
    log->known.tracker = ProgressTracker(m_mostBuckets);
    for (std::size_t stream = 0; stream < 2; ++stream) {
        // A log without a name never comes.
        if (stream > 0 && log->paths[stream].isEmpty())
            continue;
        log->tails[stream] =
            std::make_unique<LogTail>(log->paths[stream], ByteOffset(), LogTail::LineEnd::NewlineOrReturn);
        if (!m_places.growth.isEmpty())
            log->growth[stream].emplace(marksFile(m_places.growth, int(process), stream == 1));
    }
    return log;
}

/// Goes on from what is kept of a process, if its logs are still those that were read.
bool ProgressLogs::restore(std::size_t process)
{
    auto known = keptProgress(m_places.kept, int(process), m_reader.pattern(), m_keptBuckets);
    if (!known)
        return false;
    if (m_mostBuckets < m_keptBuckets)
        known->tracker.limitCurves(m_mostBuckets);
    auto log = unread(process);
    log->known = std::move(*known);
    if (!isAsKnown(*log))
        return false;
    for (std::size_t stream = 0; stream < 2; ++stream) {
        const KnownProgress::Stream &read = log->known.streams[stream];
        if (read.size == 0)
            continue;
        if (!log->tails[stream] || read.unfinished > LogTail::longestPiece)
            return false;
        RegularFile file(log->paths[stream]); // Fewer bytes, if it has no longer so many.
        const bool isThere = file.open(QIODevice::ReadOnly) && file.seek(read.size - read.unfinished);
        QByteArray unfinished = isThere ? file.read(read.unfinished) : QByteArray();
        if (unfinished.size() != read.unfinished)
            return false;
        log->tails[stream] =
            std::make_unique<LogTail>(log->paths[stream], ByteOffset(read.size),
                                      LogTail::LineEnd::NewlineOrReturn, std::move(unfinished));
    }
    log->isChanged = !log->known.tracker.progress().isSilent();
    m_logs[process] = std::move(log);
    return true;
}

bool ProgressLogs::isAsKnown(const Log &log)
{
    for (std::size_t stream = 0; stream < 2; ++stream) {
        const KnownProgress::Stream &known = log.known.streams[stream];
        if (known.size > 0 &&
            (known.print.isEmpty() || logPrint(log.paths[stream], known.size) != known.print))
            return false;
    }
    return true;
}

/// Notes how far the logs were read.
void ProgressLogs::settle(Log &log) const
{
    for (std::size_t stream = 0; stream < 2; ++stream) {
        KnownProgress::Stream &known = log.known.streams[stream];
        if (!log.tails[stream])
            continue;
        known.size = log.tails[stream]->offset().value;
        known.unfinished = log.tails[stream]->unfinished().size();
        known.print = known.size > 0 ? logPrint(log.paths[stream], known.size) : QByteArray();
    }
}

const ProgressTracker &ProgressLogs::tracker(int process) const
{
    static const ProgressTracker nothing;
    const auto &log = m_logs.at(std::size_t(process));
    return log ? log->known.tracker : nothing;
}

std::vector<int> ProgressLogs::takeChanged()
{
    std::vector<int> changed;
    for (std::size_t process = 0; process < m_logs.size(); ++process) {
        if (m_logs[process] && std::exchange(m_logs[process]->isChanged, false))
            changed.push_back(int(process));
    }
    return changed;
}

qint64 ProgressLogs::leftBytes(int process) const
{
    const auto &log = m_logs.at(std::size_t(process));
    qint64 left = 0;
    for (std::size_t stream = 0; log && stream < 2; ++stream) {
        if (log->tails[stream])
            left += std::max<qint64>(0, QFileInfo(log->paths[stream]).size() -
                                            log->tails[stream]->offset().value);
    }
    return left;
}

qint64 ProgressLogs::leftBytes() const
{
    qint64 left = 0;
    for (int process = 0; process < count(); ++process)
        left += leftBytes(process);
    return left;
}

qint64 ProgressLogs::unkeptBytes(int process) const
{
    const auto &log = m_logs.at(std::size_t(process));
    return log ? log->unkept : 0;
}

void ProgressLogs::take(Log &log, std::size_t stream, QByteArrayView line, std::optional<qint64> seen) const
{
    const auto point = m_reader.read(line);
    if (!point)
        return;
    log.known.tracker.add({*point, int(stream), log.known.streams[stream].lines.read(line).time, seen});
    log.isChanged = true;
}

/// Returns the part that came first, by the marks; what has no mark came after all that has.
std::optional<ProgressLogs::Part> ProgressLogs::nextPart(Log &log, const std::array<bool, 2> &isDone,
                                                         Extent extent) const
{
    std::optional<Part> next;
    for (std::size_t stream = 0; stream < 2; ++stream) {
        if (isDone[stream])
            continue;
        Part part{stream, {}};
        if (extent != Extent::Live && log.growth[stream])
            part.mark = log.growth[stream]->mark(log.tails[stream]->offset().value + 1);
        if (!next || (part.mark && (!next->mark || part.mark->time < next->mark->time)))
            next = part;
    }
    return next;
}

qint64 ProgressLogs::readPart(Log &log, const Part &part, qint64 most, Extent extent) const
{
    LogTail &tail = *log.tails[part.stream];
    std::optional<qint64> seen;
    if (extent == Extent::Live)
        seen = QDateTime::currentMSecsSinceEpoch();
    else if (part.mark)
        seen = part.mark->time;
    const auto takeLine = [&](QByteArrayView line) {
        take(log, part.stream, line, seen);
    };
    const qint64 wanted = part.mark ? std::min(part.mark->size - tail.offset().value, most) : most;
    const qint64 size = tail.readLines(takeLine, wanted);

    // A bar stays unfinished until the next one overwrites it. It counts where a look ended, not where a
    // slice was full.
    bool &isBarTaken = log.known.streams[part.stream].isBarTaken;
    isBarTaken = isBarTaken && size <= 0;
    const bool isAtMark = part.mark && tail.offset().value == part.mark->size;
    const bool isAtEnd = extent != Extent::Marked && size >= 0 && size < wanted;
    if ((isAtMark || isAtEnd) && !isBarTaken && tail.unfinished().endsWith(barEnd)) {
        isBarTaken = true;
        takeLine(tail.unfinished());
    }
    return std::max<qint64>(size, 0);
}

qint64 ProgressLogs::read(Log &log, qint64 most, Extent extent) const
{
    std::array<bool, 2> isDone{!log.tails[0], !log.tails[1]};
    std::array<qint64, 2> sizes{};
    while (const auto part = nextPart(log, isDone, extent)) {
        const qint64 left = most - sizes[part->stream];
        // Nothing after this part may be read before it.
        if ((left <= 0 && part->mark) || (!part->mark && extent == Extent::Marked))
            break;
        const qint64 size = left > 0 ? readPart(log, *part, left, extent) : 0;
        sizes[part->stream] += size;
        isDone[part->stream] = size == 0;
    }
    for (const auto &tail : log.tails) {
        if (!m_keepsOpen && tail)
            tail->release();
    }
    log.unkept += sizes[0] + sizes[1];
    return sizes[0] + sizes[1];
}

bool ProgressLogs::readOn(bool isLive)
{
    qint64 left = bytesAtOnce;
    bool isMore = false;
    const Extent extent = isLive && m_isCaughtUp ? Extent::Live : Extent::Backlog;
    m_wasLive = m_wasLive || extent == Extent::Live;
    for (std::size_t turn = 0; turn < m_logs.size() && left > 0; ++turn) {
        const std::size_t process = m_next;
        m_next = (m_next + 1) % m_logs.size();
        if (!m_logs[process])
            continue;
        const qint64 size = read(*m_logs[process], bytesOfOneLog, extent);
        left -= size;
        isMore = isMore || size >= bytesOfOneLog;
    }
    isMore = isMore || left <= 0;
    m_isCaughtUp = m_isCaughtUp || !isMore;
    return isMore;
}

bool ProgressLogs::readRest(const LongReading &reading)
{
    const qint64 all = reading.progress ? leftBytes() : 0;
    const auto isCancelled = [&] {
        return reading.isCancelled && reading.isCancelled();
    };
    while (!isCancelled() && readOn(false)) {
        if (reading.progress)
            reading.progress(std::clamp<qint64>(all - leftBytes(), 0, all), all);
    }
    if (isCancelled())
        return false;
    for (int process = 0; process < count(); ++process) {
        const auto &log = m_logs[std::size_t(process)];
        if (m_places.mayKeep && !m_wasLive && unkeptBytes(process) >= leastKept) {
            settle(*log);
            keep(process);
        }
        for (std::size_t stream = 0; log && stream < 2; ++stream) {
            if (log->tails[stream])
                log->tails[stream]->flushRest([&](QByteArrayView line) { take(*log, stream, line, {}); });
        }
    }
    return true;
}

qint64 ProgressLogs::readMarked(int process)
{
    auto &log = m_logs.at(std::size_t(process));
    if (!log)
        return 0;
    if (!isAsKnown(*log))
        log = unread(std::size_t(process));
    const qint64 size = read(*log, markedBytes, Extent::Marked);
    for (std::size_t stream = 0; stream < 2; ++stream) {
        if (log->tails[stream] && log->tails[stream]->offset().value < log->known.streams[stream].size) {
            log = unread(std::size_t(process)); // It was cut right then.
            return 0;
        }
    }
    if (size > 0)
        settle(*log);
    return size;
}

void ProgressLogs::keep(int process)
{
    const auto &log = m_logs.at(std::size_t(process));
    if (log && !m_places.kept.isEmpty() &&
        keepProgress(m_places.kept, process, log->known, m_reader.pattern()))
        log->unkept = 0;
}

} // namespace rankdeck
