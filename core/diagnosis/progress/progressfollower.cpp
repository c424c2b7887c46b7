#include "diagnosis/progress/progressfollower.h"

#include "launch/plan/launchplan.h"
#include "run/record/growthmarks.h"

namespace rankdeck
{

constexpr qint64 bytesOfOneLog = 1024 * 1024;
constexpr qint64 bytesAtOnce = 8 * bytesOfOneLog;
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

constexpr int lookMs = 250;
/// From this many processes on polling is slower.
constexpr int manyProcesses = 256;
constexpr int seldomLookMs = 1000;

struct ProgressLogs::Log {
    explicit Log(int mostBuckets)
        : tracker(mostBuckets)
    {
    }

    std::array<std::unique_ptr<LogTail>, 2> tails;
    std::array<LogLineReader, 2> lines;               ///< For their stamps.
    std::array<std::optional<GrowthTimes>, 2> growth; ///< When the backlog came.
    ProgressTracker tracker;
    bool isChanged = false;
};

ProgressLogs::ProgressLogs(const LaunchPlan &plan, ProgressReader reader, const QString &growthFolder,
                           int mostBuckets)
    : m_reader(std::move(reader))
    , m_keepsOpen(plan.processes.size() <= mostOpen)
{
    if (mostBuckets == 0)
        mostBuckets = bucketsOf(plan.processes.size());
    for (const ProcessPlan &process : plan.processes) {
        m_logs.push_back(nullptr);
        if (process.role != Role::Worker)
            continue;
        m_logs.back() = std::make_unique<Log>(mostBuckets);
        const auto tail = [](const QString &path) {
            return std::make_unique<LogTail>(path, ByteOffset(), LogTail::LineEnd::NewlineOrReturn);
        };
        m_logs.back()->tails[0] = tail(process.logFile);
        if (!process.stderrFile.isEmpty())
            m_logs.back()->tails[1] = tail(process.stderrFile);
        for (std::size_t stream = 0; !growthFolder.isEmpty() && stream < 2; ++stream)
            m_logs.back()->growth[stream].emplace(
                marksFile(growthFolder, int(m_logs.size()) - 1, stream == 1));
    }
}

ProgressLogs::~ProgressLogs() = default;

const ProgressTracker &ProgressLogs::tracker(int process) const
{
    static const ProgressTracker nothing;
    const auto &log = m_logs.at(std::size_t(process));
    return log ? log->tracker : nothing;
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

void ProgressLogs::take(Log &log, std::size_t stream, QByteArrayView line, std::optional<qint64> seen) const
{
    const auto point = m_reader.read(line);
    if (!point)
        return;
    log.tracker.add({*point, int(stream), log.lines[stream].read(line).time, seen});
    log.isChanged = true;
}

qint64 ProgressLogs::read(Log &log, std::size_t stream, qint64 most, bool isLive)
{
    const std::unique_ptr<LogTail> &tail = log.tails[stream];
    if (!tail)
        return 0;
    std::optional<qint64> seen;
    const auto takeLine = [&](QByteArrayView line) {
        take(log, stream, line, seen);
    };
    qint64 total = 0;
    for (qint64 size = 1; size > 0 && total < most; total += std::max<qint64>(size, 0)) {
        // A backlog is read as far as the log had grown at each mark: each is a look, as if live.
        const qint64 offset = tail->nextLine().value + tail->unfinished().size();
        const auto mark = !isLive && log.growth[stream] ? log.growth[stream]->mark(offset + 1) : std::nullopt;
        if (isLive)
            seen = QDateTime::currentMSecsSinceEpoch();
        else
            seen = mark ? std::optional(mark->time) : std::nullopt;
        size = tail->readLines(takeLine, mark ? std::min(mark->size - offset, most - total) : most - total);
        // A bar stays unfinished until the next one overwrites it.
        if (size > 0 && tail->unfinished().endsWith(barEnd))
            takeLine(tail->unfinished());
    }
    if (!m_keepsOpen)
        tail->release();
    return total;
}

bool ProgressLogs::readOn(bool isLive)
{
    qint64 left = bytesAtOnce;
    bool isMore = false;
    for (std::size_t turn = 0; turn < m_logs.size() && left > 0; ++turn) {
        const std::size_t process = m_next;
        m_next = (m_next + 1) % m_logs.size();
        for (std::size_t stream = 0; m_logs[process] && stream < 2; ++stream) {
            const qint64 size = read(*m_logs[process], stream, bytesOfOneLog, isLive && m_isCaughtUp);
            left -= size;
            isMore = isMore || size >= bytesOfOneLog;
        }
    }
    isMore = isMore || left <= 0;
    m_isCaughtUp = m_isCaughtUp || !isMore;
    return isMore;
}

void ProgressLogs::readRest()
{
    while (readOn(false)) {
    }
    for (const auto &log : m_logs) {
        for (std::size_t stream = 0; log && stream < 2; ++stream) {
            if (log->tails[stream])
                log->tails[stream]->flushRest([&](QByteArrayView line) { take(*log, stream, line, {}); });
        }
    }
}

ProgressFollower::ProgressFollower(const LaunchPlan &plan, ProgressReader reader, const QString &growthFolder,
                                   int mostBuckets, QObject *parent)
    : QObject(parent)
    , m_logs(plan, std::move(reader), growthFolder, mostBuckets)
    , m_timer(this)
    , m_catchUp(this)
    , m_publish(this)
{
    m_timer.setInterval(m_logs.count() < manyProcesses ? lookMs : seldomLookMs);
    m_catchUp.setSingleShot(true);
    m_publish.setSingleShot(true);
    m_publish.setInterval(publishMs);
    connect(&m_timer, &QTimer::timeout, this, &ProgressFollower::look);
    connect(&m_catchUp, &QTimer::timeout, this, &ProgressFollower::look);
    connect(&m_publish, &QTimer::timeout, this, &ProgressFollower::publish);
}

void ProgressFollower::start()
{
    m_isFinishing = false;
    m_timer.start();
    look();
}

void ProgressFollower::finish()
{
    m_isFinishing = true;
    look();
}

void ProgressFollower::look()
{
    const bool isMore = m_logs.readOn(!m_isFinishing);
    if (isMore) {
        m_catchUp.start(0);
    } else if (m_isFinishing) {
        m_timer.stop();
        m_logs.readRest();
    }
    if (!m_publish.isActive())
        publish();
}

void ProgressFollower::publish()
{
    const std::vector<int> changed = m_logs.takeChanged();
    if (changed.empty())
        return;
    ProgressNews news;
    bool isPlotted = false;
    for (const int process : changed) {
        news.ranks.append({process, m_logs.tracker(process).progress()});
        isPlotted = isPlotted || m_plotted.contains(process);
    }
    Q_EMIT progressed(news);
    if (isPlotted)
        sendCurves();
    m_publish.start();
}

void ProgressFollower::plot(const QList<int> &processes)
{
    m_plotted = processes;
    m_plotted.removeIf([this](int process) { return process < 0 || process >= m_logs.count(); });
    if (!m_plotted.isEmpty())
        sendCurves();
}

void ProgressFollower::sendCurves()
{
    ProgressCurves curves;
    for (const int process : std::as_const(m_plotted)) {
        const ProgressTracker &tracker = m_logs.tracker(process);
        curves.curves.append(
            {process, tracker.loss(), tracker.stepTime(), tracker.progress().steps.value_or(0)});
    }
    Q_EMIT plotted(curves);
}

} // namespace rankdeck
