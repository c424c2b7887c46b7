#pragma once

#include "log/lineindex.h"
#include "log/logactivity.h"
#include "log/logfilter.h"
#include "log/logfold.h"
#include "log/logmerge.h"

#include <QByteArray>
#include <QString>

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Lines of which logs, and which of them.
struct MergedSpec {
    struct Log {
        QString path;
        QString label;             ///< Such as "rank 3".
        int rank = LogFold::alone; ///< Whose lines may be made one with other ranks'; `alone`: no one's.
        int color = 0;             ///< Of the label, as rankColor() takes it.
        /// Makes what LogMerge::add() takes, for each reading another. Called in the thread of the lines.
        std::function<LogMerge::Growth()> clock{};
        bool isShown = true; ///< Else only its activity is told.
    };

    std::vector<Log> logs{}; ///< No more than LineIndex::mostLogs.
    LogFilter filter{};
    int context = 0;        ///< How many lines around each wanted one are there too; of a fold none.
    bool isFolded = false;  ///< Lines that several ranks print alike are there once.
    bool isLabelled = true; ///< Each line has the label of its log, or the ranks of the fold.
};

/// Finds the lines of a MergedSpec in their order and remembers where each stands: 9 bytes a line, of a fold
/// 13. Reads the disk; not for the GUI thread.
class MergedIndex
{
public:
    explicit MergedIndex(const MergedSpec &spec);
    Q_DISABLE_COPY_MOVE(MergedIndex)

    /// Read on, about 8 MB. True when there may be more at once.
    bool readOn();
    /// Read to the end: the logs grow no more.
    void readRest();

    const LineIndex &lines() const { return m_lines; }
    /// When the logs printed, lines that are not wanted included.
    const LogActivity &activity() const { return m_activity; }
    /// What stands before a line: text with styles; empty where lines have no labels.
    QByteArray labelOf(qint64 line) const;
    /// A line before which all are earlier than `time`, at most linesPerTime before the first that is not.
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
        QByteArray label;
    };

    std::vector<Log> m_logs;
    std::vector<int> m_ranks;   ///< Of the logs that are shown, ascending; a member is a place here.
    std::vector<int> m_colors;  ///< Of the members.
    qsizetype m_labelWidth = 0; ///< Characters.
    LogMerge m_merge;
    std::optional<LogFold> m_fold;

    LineIndex m_lines;
    std::deque<qint64> m_times; ///< The latest so far, at every linesPerTime-th line.
    qint64 m_latest = std::numeric_limits<qint64>::min();
    std::deque<quint32> m_setOfLine; ///< Of a fold, a place in m_setLabels.
    std::map<std::vector<int>, quint32> m_sets;
    std::vector<QByteArray> m_setLabels;
    std::deque<Passed> m_before; ///< The last lines, none of them wanted.
    int m_contextLeft = 0;       ///< Lines after the last wanted one that belong to it.
    LogActivity m_activity;
};

} // namespace rankdeck
