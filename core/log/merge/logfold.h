#pragma once

#include "log/logmerge.h"

#include <QByteArray>
#include <QHash>
#include <QString>

#include <deque>
#include <functional>
#include <vector>

namespace rankdeck
{

/// Makes one line of those that several ranks printed alike: but for stamp, pid and rank where the form of
/// the line says where these stand. It stands where the first of them printed it, with that one's bytes. A
/// line that only some printed stays a line of its own. Memory is bounded: what stands too far apart (10 s by
/// its stamps, 20,000 lines or 8 MiB) is not looked for.
class LogFold
{
public:
    using Now = LogMerge::Now;

    struct Line {
        int log; ///< The first one's, as is all but `members`.
        QByteArray text;
        ByteOffset begin;
        LogLineReader::Line said;
        std::vector<int> members; ///< Who printed it, ascending; never empty.
    };
    using Sink = std::function<void(const Line &)>;
    static constexpr int alone = -1; ///< A member whose lines are never made one with others'.

    /// @param members how many there are: 0 .. members - 1.
    /// @param patience for how long a line waits for those of others.
    LogFold(int members, Sink sink, Now patience = std::chrono::milliseconds(500));

    /// A line of `member`, in the order of the merge.
    void add(const LogMerge::Line &line, int member, Now now);
    /// Pass on the lines that have waited long enough.
    void passOn(Now now);
    /// Pass on all lines.
    void passRest();

private:
    struct Group {
        Line line;
        QByteArray key;
        Now arrived;
        bool isDone;
    };
    void join(quint64 number, int member);
    /// What is done or passed on is always the first with its key.
    void closeFirstOf(const QByteArray &key);
    void passFirst();
    bool isFull(const LogMerge::Line &newest) const;

    int m_members;
    Sink m_sink;
    Now m_patience;
    std::deque<Group> m_groups;
    quint64 m_firstNumber = 0;                      ///< Of m_groups.front(); they are numbered as they come.
    QHash<QByteArray, std::vector<quint64>> m_open; ///< Numbers of groups by key, ascending.
    qint64 m_bytes = 0;
};

/// "rank 3", "ranks 0-7", "ranks 0,2,5", or, of many, "all but 3". Both ascending; `some` is a part of `all`.
QString rankWords(const std::vector<int> &some, const std::vector<int> &all);

/// "0-2,4": ascending ranks, those that follow one another from the first to the last.
QString rankRanges(const std::vector<int> &numbers);

} // namespace rankdeck
