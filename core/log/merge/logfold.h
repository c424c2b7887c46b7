#pragma once

#include "base/sentence.h"
#include "log/merge/logmerge.h"

#include <QHash>

#include <deque>

namespace rankdeck
{

/// Joins lines that several ranks printed alike, ignoring stamp, pid and rank if the form of the line tells
/// where they stand. The joined line takes the place and the bytes of the first. Memory is bounded: lines too
/// far apart (10 s by their stamps, 20,000 lines or 8 MiB) are not joined.
class LogFold
{
public:
    using Now = LogMerge::Now;

    struct Line {
        int log; ///< The first member's; so are all fields but `members`.
        QByteArray text;
        ByteOffset begin;
        LogLineReader::Line said;
        std::vector<int> members; ///< Members that printed it, ascending; never empty.
    };
    using Sink = std::function<void(const Line &)>;
    static constexpr int alone = -1; ///< Member number of a log whose lines are never joined.

    /// @param members how many there are: 0 .. members - 1.
    /// @param patience for how long a line waits for those of others.
    LogFold(int members, Sink sink, Now patience = std::chrono::milliseconds(500));

    /// Adds a line of `member`, in the order of the merge.
    void add(const LogMerge::Line &line, int member, Now now);
    /// Passes on the lines that have waited long enough.
    void passOn(Now now);
    /// Passes on all lines.
    void passRest();

private:
    struct Group {
        Line line;
        QByteArray key;
        Now arrived;
        bool isDone;
    };
    void join(quint64 number, int member);
    /// Removes the first open group with this key.
    void closeFirstOf(const QByteArray &key);
    void passFirst();
    bool isFull(const LogMerge::Line &newest) const;

    int m_members;
    Sink m_sink;
    Now m_patience;
    std::deque<Group> m_groups;
    /// Number of m_groups.front(); groups are numbered in the order of their first lines.
    quint64 m_firstNumber = 0;
    QHash<QByteArray, std::vector<quint64>> m_open; ///< Numbers of groups by key, ascending.
    qint64 m_bytes = 0;
};

/// Returns "rank 3", "ranks 0-7", "ranks 0,2,5" or "all except 3". `some` of `all`, both ascending.
Sentence rankWords(const std::vector<int> &some, const std::vector<int> &all);

/// "0-2,4": ascending ranks, those that follow one another from the first to the last.
QString rankRanges(const std::vector<int> &numbers);

} // namespace rankdeck
