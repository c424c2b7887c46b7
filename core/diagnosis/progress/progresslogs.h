#pragma once

#include "diagnosis/progress/keptprogress.h"
#include "diagnosis/progress/progressreader.h"

#include <functional>

namespace rankdeck
{

struct RunState;

/// What a reader of progress uses beside the logs of an attempt.
struct ProgressPlaces {
    /// growthFolder(), which has the times of the backlog's lines; empty, as for logs alone: unknown.
    QString growth = {};
    /// progressFolder(), with what others have read already; empty: all is read.
    QString kept = {};
    /// Whoever reads to the end keeps it there: the run has ended, and its directory is this user's to write.
    bool mayKeep = false;

    static ProgressPlaces of(const RunState &state);
};

/// What a long reading asks and tells now and then; either may be null.
struct LongReading {
    std::function<bool()> isCancelled = {};
    std::function<void(qint64 doneBytes, qint64 allBytes)> progress = {};
};

/// Reads the progress in the logs of all ranks, each byte once, in bounded memory: 16 MB for a thousand
/// ranks. Reads only workers, and what is kept of their logs in place of the logs. Reads the disk: not for
/// the GUI thread.
class ProgressLogs
{
public:
    /// Use a new object for another run or attempt.
    /// @param mostBuckets of each curve, as ValueSeries takes it; 0: as many as that memory has room for.
    ProgressLogs(const LaunchPlan &plan, ProgressReader reader, ProgressPlaces places = {},
                 int mostBuckets = 0);
    ~ProgressLogs();
    Q_DISABLE_COPY_MOVE(ProgressLogs)

    /// Reads on, some megabytes at most. Returns true if there is more at once.
    /// @param isLive lines come as they are printed once the backlog has been read.
    bool readOn(bool isLive);
    /// Reads to the end, including an unfinished last line: the logs do not grow any more. Returns false if
    /// it was cancelled.
    bool readRest(const LongReading &reading = {});

    /// Reads on in the logs of a process, as far as their growth is marked and some hundred KB at most, as
    /// every later reader will: begins again if a log was cut or replaced. Returns the number of bytes read.
    qint64 readMarked(int process);
    /// Keeps what is known of a process for later readers.
    void keep(int process);

    /// Processes of the plan.
    int count() const { return int(m_logs.size()); }
    /// Returns the progress of a process; empty if it is not a worker or printed none.
    const ProgressTracker &tracker(int process) const;
    /// Returns the processes whose progress has changed since the last call, in their order.
    std::vector<int> takeChanged();
    /// Bytes in the logs of a process that were not read yet.
    qint64 leftBytes(int process) const;
    /// Bytes that were read since what is known of a process was kept.
    qint64 unkeptBytes(int process) const;

private:
    enum class Extent {
        Marked,  ///< As far as growth is marked.
        Backlog, ///< All of it, as far as it was at each mark.
        Live,    ///< All of it, as of now.
    };
    struct Log;
    struct Part;
    std::unique_ptr<Log> unread(std::size_t process) const;
    bool restore(std::size_t process);
    static bool isAsKnown(const Log &log);
    void settle(Log &log) const;
    std::optional<Part> nextPart(Log &log, const std::array<bool, 2> &isDone, Extent extent) const;
    qint64 readPart(Log &log, const Part &part, qint64 most, Extent extent) const;
    qint64 read(Log &log, qint64 most, Extent extent) const;
    void take(Log &log, std::size_t stream, QByteArrayView line, std::optional<qint64> seen) const;
    qint64 leftBytes() const;

    ProgressReader m_reader;
    ProgressPlaces m_places;
    int m_mostBuckets;
    int m_keptBuckets;                        ///< Those of curves that are kept.
    std::vector<std::unique_ptr<Log>> m_logs; ///< By process; null for a process that is not a worker.
    std::size_t m_next = 0;
    bool m_isCaughtUp = false;
    bool m_wasLive = false; ///< Lines were read as they came: later readers would not know when.
    bool m_keepsOpen = true;
};

} // namespace rankdeck
