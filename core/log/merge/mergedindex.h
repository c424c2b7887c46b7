#pragma once

#include "log/line/logfilter.h"
#include "log/merge/logfold.h"

#include <limits>
#include <map>

namespace rankdeck
{

/// When each of several logs printed, and the worst severity: one row of time slots for each log, all over
/// the same time. Slots become longer as the time grows.
class LogActivity
{
public:
    static constexpr int mostSlots = 512;

    struct Slot {
        quint32 lines = 0;
        LogSeverity worst = LogSeverity::None;

        bool operator==(const Slot &) const = default;
    };

    explicit LogActivity(int logs = 0);

    int logs() const { return int(m_rows.size()); }
    /// Adds a line of a log; times may come in any order.
    void add(int log, LogTime time, LogSeverity severity);

    /// Returns the slots of each row; 0 before the first line.
    int slotCount() const { return m_slots; }
    /// Returns the time of the first slot.
    LogTime begin() const { return LogTime(m_begin); }
    qint64 slotMicroseconds() const { return m_width; }
    Slot at(int log, int slot) const;

    bool operator==(const LogActivity &) const = default;

private:
    void reach(qint64 time);
    void coarsen();

    std::vector<std::vector<Slot>> m_rows;
    qint64 m_begin = 0; ///< A multiple of m_width.
    qint64 m_width;     ///< Microseconds.
    int m_slots = 0;
};

/// The lines of several logs that a view shows, in its order: 8 bytes a line.
class LineIndex
{
public:
    static constexpr int mostLogs = 1 << 16;

    struct Line {
        int log = 0;                              ///< 0 .. mostLogs - 1
        LogSeverity severity = LogSeverity::None; ///< LogLineReader::Line::ownSeverity().
        bool beginsError = false;
        ByteOffset begin; ///< In its file, less than 2^44.
    };

    void append(const Line &line)
    {
        m_lines.push_back(quint64(line.log) << logShift | quint64(line.beginsError) << errorShift |
                          quint64(line.severity) << severityShift | quint64(line.begin.value));
    }
    Line at(qint64 index) const
    {
        const quint64 packed = m_lines[std::size_t(index)];
        return {int(packed >> logShift), static_cast<LogSeverity>(packed >> severityShift & severityMask),
                (packed >> errorShift & 1) != 0, ByteOffset(qint64(packed & offsetMask))};
    }
    qint64 size() const { return qint64(m_lines.size()); }
    void clear() { m_lines.clear(); }

private:
    static constexpr int severityShift = 44;
    static constexpr int errorShift = 47;
    static constexpr int logShift = 48;
    static constexpr quint64 severityMask = 7;
    static constexpr quint64 offsetMask = (quint64(1) << severityShift) - 1;

    std::deque<quint64> m_lines;
};

/// The lines to show, and the logs to read them from.
struct MergedSpec {
    struct Log {
        QString path;
        QString label;             ///< Such as "rank 3".
        int rank = LogFold::alone; ///< Rank whose lines may be joined with those of others.
        int color = 0;             ///< Colour of the label, as rankColor() numbers it.
        /// Makes the growth clock for LogMerge::add(), anew for each reading, in the lines' thread.
        std::function<LogMerge::Growth()> clock{};
        bool isShown = true;  ///< If false, only its activity counts.
        bool isError = false; ///< The log is a standard error.
        int row = -1;         ///< Row in the activity, which logs can share; -1: a row of its own.
        LogLimit limit{};     ///< Once it is lowered, the lines begin again.
        QString directory{};  ///< Where relative paths in its lines begin.
    };

    std::vector<Log> logs{}; ///< No more than LineIndex::mostLogs.
    LogFilter filter{};
    int context = 0;        ///< How many lines around each wanted one are there too; of a fold none.
    bool isFolded = false;  ///< Lines that several ranks print alike are there once.
    bool isLabelled = true; ///< Each line has the label of its log, or the ranks of the fold.
    /// Longest time that a line waits for an earlier line of another log.
    std::chrono::milliseconds patience{500};
};

/// Finds the lines of a MergedSpec and their places: 9 bytes a line, 13 in a fold. Not for the GUI thread.
class MergedIndex
{
public:
    explicit MergedIndex(const MergedSpec &spec);
    Q_DISABLE_COPY_MOVE(MergedIndex)

    /// Reads on, about 8 MB. Returns true if there may be more at once.
    bool readOn();
    /// Reads to the end: the logs do not grow any more.
    void readRest();

    const LineIndex &lines() const { return m_lines; }
    /// Returns when the logs printed, including lines that are filtered out.
    const LogActivity &activity() const { return m_activity; }
    /// Returns the label of a line: text with styles; empty if lines have no labels.
    QByteArray labelOf(qint64 line) const;
    /// Returns a line up to linesPerTime before the first that is not earlier than `time`.
    qint64 lineBefore(LogTime time) const;

    static constexpr int linesPerTime = 16;

private:
    struct Passed {
        LineIndex::Line line;
        std::optional<LogTime> time;
    };

    void take(const LogMerge::Line &line, LogMerge::Now now);
    void addWithContext(const Passed &line, bool isWanted);
    void addFolded(const LogFold::Line &line);
    void add(const Passed &line);
    quint32 setOf(const std::vector<int> &members);

    LogFilter m_filter;
    int m_context;
    bool m_isLabelled;
    struct Log {
        bool isShown;
        int member;
        int row; ///< Row in the activity.
        QByteArray label;
    };

    std::vector<Log> m_logs;
    std::vector<int> m_ranks;   ///< Ranks of the logs that are shown, ascending; a member is an index here.
    std::vector<int> m_colors;  ///< Colour of each member.
    qsizetype m_labelWidth = 0; ///< Characters.
    LogMerge m_merge;
    std::optional<LogFold> m_fold;

    LineIndex m_lines;
    std::deque<qint64> m_times; ///< The latest so far, at every linesPerTime-th line.
    qint64 m_latest = std::numeric_limits<qint64>::min();
    std::deque<quint32> m_setOfLine; ///< For a fold: index in m_setLabels.
    std::map<std::vector<int>, quint32> m_sets;
    std::vector<QByteArray> m_setLabels;
    std::deque<Passed> m_before; ///< The last lines, none of which passed the filter.
    int m_contextLeft = 0;       ///< Lines after the last wanted one that belong to it.
    LogActivity m_activity;
};

} // namespace rankdeck
