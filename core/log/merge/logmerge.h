#pragma once

#include "log/loglinereader.h"
#include "log/logtail.h"
#include "log/logtypes.h"

#include <QByteArray>
#include <QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Several growing logs as one, ordered by time and, where that is the same, by log; the lines of each log
/// keep their order. Reads the logs as it goes, whole lines, and holds a few hundred kilobytes of them.
///
/// A line without a stamp follows the one before it in its log; where the log's growth tells that it came
/// more than 2 s later than the last stamp, it has that time. Lines before the first stamp come first. A log
/// that has no stamp in what is read of it first goes by how it had grown at what time, until it has.
class LogMerge
{
public:
    using Now = std::chrono::milliseconds; ///< Of a steady clock.
    static Now now();

    struct Line {
        int log;             ///< As add() returned.
        QByteArrayView text; ///< Without its end; valid only while it is passed on.
        ByteOffset begin;
        LogLineReader::Line said;
    };
    using Sink = std::function<void(const Line &)>;
    /// When a log had first grown to a size; nothing when that is not known. Asked for growing sizes.
    using Growth = std::function<std::optional<LogTime>(ByteOffset size)>;

    /// @param patience for how long a line waits for an earlier one of a log that says nothing at the moment.
    explicit LogMerge(Now patience = std::chrono::milliseconds(500));
    ~LogMerge();
    Q_DISABLE_COPY_MOVE(LogMerge)

    /// Before the first line is taken.
    /// @param start where to begin in the file as it is now.
    int add(const QString &path, ByteOffset start = {}, Growth growth = {});

    /// Pass on the lines whose turn has come, about `most` bytes. True when there may be more at once.
    bool take(const Sink &sink, Now now, qint64 most = 1024 * 1024);
    /// Pass on all that is left, unfinished last lines included: the logs grow no more.
    void takeRest(const Sink &sink);

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
