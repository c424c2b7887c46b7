#pragma once

#include "log/file/logtail.h"
#include "log/line/loglinereader.h"

#include <chrono>
#include <memory>
#include <vector>

namespace rankdeck
{

/// Merges several growing logs, ordered by time and then by log; the lines of each log keep their order.
/// Holds a few hundred kilobytes.
///
/// A line without a stamp follows the one before it; if the log's growth shows that it came more than 2 s
/// later, it has that time. Lines before the first stamp come first. A log without stamps goes by its growth.
class LogMerge
{
public:
    /// From this many logs on, files are open only while they are read: a process may have few open files.
    static constexpr std::size_t manyLogs = 256;
    using Now = std::chrono::milliseconds; ///< Time of a steady clock.
    static Now now();

    struct Line {
        int log;             ///< As add() returned.
        QByteArrayView text; ///< Without its end; valid only while it is passed on.
        ByteOffset begin;
        LogLineReader::Line said;
    };
    using Sink = std::function<void(const Line &)>;
    /// Returns when a log had grown to a size; nothing if unknown. Called with growing sizes.
    using Growth = std::function<std::optional<LogTime>(ByteOffset size)>;

    /// @param patience longest wait of a line for an earlier one of a log that is silent at the moment.
    explicit LogMerge(Now patience = std::chrono::milliseconds(500));
    ~LogMerge();
    Q_DISABLE_COPY_MOVE(LogMerge)

    /// Adds a log; to be called before the first take().
    /// @param start offset to begin at in the present file.
    int add(const QString &path, ByteOffset start = {}, Growth growth = {}, LogLimit limit = {});

    /// Passes on the lines whose turn has come, about `most` bytes. Returns true if there may be more.
    bool take(const Sink &sink, Now now, qint64 most = 1024 * 1024) { return pass(sink, now, most, false); }
    /// Passes on the rest, including unfinished last lines: the logs do not grow any more.
    void takeRest(const Sink &sink) { pass(sink, Now::max(), std::numeric_limits<qint64>::max(), true); }

private:
    struct Log;
    bool isBefore(int one, int other) const;
    void refill(Log &log, Now now, bool isLast);
    std::vector<int>::iterator firstThatHasWaited(Now now);
    bool pass(const Sink &sink, Now now, qint64 most, bool isLast);

    Now m_patience;
    std::vector<std::unique_ptr<Log>> m_logs;
    std::vector<int> m_waiting; ///< Logs that have a line, a heap with the earliest on top.
};

} // namespace rankdeck
