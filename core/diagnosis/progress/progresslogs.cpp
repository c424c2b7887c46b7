#include "diagnosis/progress/progresslogs.h"

#include <QDateTime>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 bytesOfOneLog = 1024 * 1024;
constexpr qint64 bytesAtOnce = 8 * bytesOfOneLog;
/// Logs that are held open; of more, each is opened when it has grown.
constexpr std::size_t mostOpen = 128;
/// Of all series together.
constexpr int manyBuckets = 256 * 1024;
constexpr int fewestBuckets = 256;
/// What a bar ends with.
constexpr char barEnd = ']';

int bucketsOf(std::size_t processes)
{
    return std::clamp(manyBuckets / static_cast<int>(std::max<std::size_t>(processes, 1)), fewestBuckets,
                      ValueSeries::manyBuckets);
}

} // namespace

struct ProgressLogs::Log {
    explicit Log(int mostBuckets)
        : tracker(mostBuckets)
    {
    }

    std::array<std::unique_ptr<LogTail>, 2> tails;
    std::array<LogLineReader, 2> lines; ///< For their stamps.
    ProgressTracker tracker;
    bool isChanged = false;
};

ProgressLogs::ProgressLogs(const LaunchPlan &plan, ProgressReader reader)
    : m_reader(std::move(reader))
    , m_keepsOpen(plan.processes.size() <= mostOpen)
{
    for (const ProcessPlan &process : plan.processes) {
        m_logs.push_back(nullptr);
        if (process.role != Role::Worker)
            continue;
        m_logs.back() = std::make_unique<Log>(bucketsOf(plan.processes.size()));
        const auto tail = [](const QString &path) {
            return std::make_unique<LogTail>(path, ByteOffset(), LogTail::LineEnd::NewlineOrReturn);
        };
        m_logs.back()->tails[0] = tail(process.logFile);
        if (!process.stderrFile.isEmpty())
            m_logs.back()->tails[1] = tail(process.stderrFile);
    }
}

ProgressLogs::~ProgressLogs() = default;

const ProgressTracker &ProgressLogs::tracker(int process) const
{
    static const ProgressTracker nothing;
    const auto &log = m_logs.at(static_cast<std::size_t>(process));
    return log ? log->tracker : nothing;
}

std::vector<int> ProgressLogs::takeChanged()
{
    std::vector<int> changed;
    for (std::size_t process = 0; process < m_logs.size(); ++process) {
        if (m_logs[process] && std::exchange(m_logs[process]->isChanged, false))
            changed.push_back(static_cast<int>(process));
    }
    return changed;
}

qint64 ProgressLogs::read(Log &log, std::size_t stream, qint64 most, bool isLive)
{
    const std::unique_ptr<LogTail> &tail = log.tails[stream];
    if (!tail)
        return 0;
    const auto seen = isLive ? std::optional(QDateTime::currentMSecsSinceEpoch()) : std::nullopt;
    const auto take = [&](QByteArrayView line) {
        const auto point = m_reader.read(line);
        if (!point)
            return;
        log.tracker.add({*point, static_cast<int>(stream), log.lines[stream].read(line).time, seen});
        log.isChanged = true;
    };
    const qint64 size = tail->readLines(take, most);
    // A bar stands there until the next one takes its place.
    if (size > 0 && tail->unfinished().endsWith(barEnd))
        take(tail->unfinished());
    if (!m_keepsOpen)
        tail->release();
    return std::max<qint64>(size, 0);
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
            if (!log->tails[stream])
                continue;
            log->tails[stream]->flushRest([&](QByteArrayView line) {
                if (const auto point = m_reader.read(line)) {
                    log->tracker.add(
                        {*point, static_cast<int>(stream), log->lines[stream].read(line).time, {}});
                    log->isChanged = true;
                }
            });
        }
    }
}

} // namespace rankdeck
