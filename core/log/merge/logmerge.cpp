#include "log/merge/logmerge.h"

#include <limits>

namespace rankdeck
{

/// Bytes to read ahead for all logs together, and the least and most for one log.
constexpr qint64 readAhead = 1024 * 1024;
constexpr qint64 leastReadAhead = 1024;
constexpr qint64 mostReadAhead = 64 * 1024;

constexpr LogTime beforeAll(std::numeric_limits<qint64>::min());

/// Lines without a stamp that come this soon after a line belong to it, such as a traceback.
constexpr qint64 togetherMicroseconds = 2 * 1000 * 1000;

struct LogMerge::Log {
    struct Entry {
        ByteOffset begin;
        qsizetype place; ///< In bytes.
        qsizetype size;
        LogLineReader::Line said;
    };

    Log(const QString &path, ByteOffset start, Growth grown)
        : tail(path, start)
        , growth(std::move(grown))
    {
    }

    LogTail tail;
    Growth growth;
    LogLineReader reader{};
    bool hasStamps = false;
    bool goesByGrowth = false;
    bool wasRead = false;
    std::optional<LogTime> stamp{};   ///< The last one;
    ByteOffset stampEnd{};            ///< where its line ends;
    std::optional<LogTime> stamped{}; ///< and when the log had grown that far, once that was asked.
    QByteArray bytes{};
    std::vector<Entry> entries{};
    std::size_t next = 0;
    Now arrived{};

    bool isEmpty() const { return next == entries.size(); }
    LogTime time() const { return entries[next].said.time.value_or(beforeAll); }
    void append(QByteArrayView line);
    void place(bool isUnfinished);
    void timeByGrowth(Entry &entry);
};

void LogMerge::Log::append(QByteArrayView line)
{
    const LogLineReader::Line said = reader.read(line);
    hasStamps = hasStamps || said.time;
    entries.push_back({{}, bytes.size(), line.size(), said});
    bytes.append(line);
}

/// Sets the offsets of the lines that were read, and their times as far as the log's growth shows them.
void LogMerge::Log::place(bool isUnfinished)
{
    // The file may have been cut, so places are counted back from where reading goes on.
    qint64 end = tail.nextLine().value + (isUnfinished ? 1 : 0);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        entry->begin = ByteOffset(std::max<qint64>(0, end - entry->size - 1));
        end = entry->begin.value;
    }
    if (!wasRead)
        goesByGrowth = growth && !hasStamps;
    wasRead = true;
    if (!growth)
        return;
    for (Entry &entry : entries)
        timeByGrowth(entry);
}

/// Gives a line without a stamp the time of the last one, plus the delay that the growth shows.
void LogMerge::Log::timeByGrowth(Entry &entry)
{
    const ByteOffset end(entry.begin.value + entry.size);
    if (!entry.said.time) {
        if (goesByGrowth)
            entry.said.time = growth(end);
        return;
    }
    if (entry.said.time != stamp) {
        stamp = entry.said.time;
        stampEnd = end;
        stamped.reset();
        return;
    }
    if (!stamped)
        stamped = growth(stampEnd);
    const auto now = growth(end);
    if (stamped && now && now->value - stamped->value > togetherMicroseconds)
        entry.said.time = LogTime(stamp->value + now->value - stamped->value);
}

LogMerge::Now LogMerge::now()
{
    return std::chrono::duration_cast<Now>(std::chrono::steady_clock::now().time_since_epoch());
}

LogMerge::LogMerge(Now patience)
    : m_patience(patience)
{
}

LogMerge::~LogMerge() = default;

int LogMerge::add(const QString &path, ByteOffset start, Growth growth, LogLimit limit)
{
    m_logs.push_back(std::make_unique<Log>(path, start, std::move(growth)));
    m_logs.back()->tail.setLimit(std::move(limit));
    return int(m_logs.size()) - 1;
}

/// The heap has the greatest on top.
bool LogMerge::isBefore(int one, int other) const
{
    const LogTime a = m_logs[std::size_t(one)]->time();
    const LogTime b = m_logs[std::size_t(other)]->time();
    return a != b ? a < b : one < other;
}

void LogMerge::refill(Log &log, Now now, bool isLast)
{
    log.bytes.clear();
    log.entries.clear();
    log.next = 0;
    const LogTail::Sink sink = [&log](QByteArrayView line) {
        log.append(line);
    };
    const qint64 most = std::clamp(readAhead / qint64(m_logs.size()), leastReadAhead, mostReadAhead);
    // A line may be longer than one read.
    while (log.isEmpty() && log.tail.readLines(sink, most) > 0) {
    }
    const bool isUnfinished = log.isEmpty() && isLast && log.tail.flushRest(sink);
    if (m_logs.size() >= manyLogs) {
        log.tail.release();
        if (log.isEmpty())
            log.entries.shrink_to_fit();
    }
    log.arrived = now;
    if (!log.isEmpty())
        log.place(isUnfinished);
}

/// Returns the earliest log that has waited long enough: one whose clock is behind must not stop the others.
std::vector<int>::iterator LogMerge::firstThatHasWaited(Now now)
{
    const auto hasWaited = [&](int index) {
        return now - m_logs[std::size_t(index)]->arrived >= m_patience;
    };
    if (hasWaited(m_waiting.front()))
        return m_waiting.begin();
    auto first = m_waiting.end();
    for (auto each = m_waiting.begin(); each != m_waiting.end(); ++each) {
        if (hasWaited(*each) && (first == m_waiting.end() || isBefore(*each, *first)))
            first = each;
    }
    return first;
}

bool LogMerge::pass(const Sink &sink, Now now, qint64 most, bool isLast)
{
    const auto isLater = [this](int one, int other) {
        return isBefore(other, one);
    };
    const auto readOn = [&](int index) {
        Log &log = *m_logs[std::size_t(index)];
        if (log.isEmpty())
            refill(log, now, isLast);
        if (log.isEmpty())
            return;
        m_waiting.push_back(index);
        std::push_heap(m_waiting.begin(), m_waiting.end(), isLater);
    };
    for (int index = 0; index < int(m_logs.size()); ++index) {
        if (m_logs[std::size_t(index)]->isEmpty())
            readOn(index);
    }

    while (!m_waiting.empty()) {
        if (most <= 0)
            return true;
        const bool mayComeTooEarly = !isLast && m_waiting.size() < m_logs.size();
        const auto next = mayComeTooEarly ? firstThatHasWaited(now) : m_waiting.begin();
        if (next == m_waiting.end())
            return false;
        const int index = *next;
        Log &log = *m_logs[std::size_t(index)];
        if (next == m_waiting.begin()) {
            std::pop_heap(m_waiting.begin(), m_waiting.end(), isLater);
            m_waiting.pop_back();
        } else {
            m_waiting.erase(next);
            std::make_heap(m_waiting.begin(), m_waiting.end(), isLater);
        }
        do {
            const Log::Entry &entry = log.entries[log.next++];
            const QByteArrayView text(log.bytes.constData() + entry.place, entry.size);
            sink({index, text, entry.begin, entry.said});
            most -= entry.size + 1;
        } while (!log.isEmpty() && most > 0 && (m_waiting.empty() || isBefore(index, m_waiting.front())));
        readOn(index);
    }
    return false;
}

} // namespace rankdeck
