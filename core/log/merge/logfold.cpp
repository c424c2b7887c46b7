#include "log/merge/logfold.h"

#include <iterator>

namespace rankdeck
{

constexpr qint64 widestMicroseconds = 10 * 1000 * 1000;
constexpr std::size_t mostGroups = 20000;
constexpr qint64 mostBytes = 8 * 1024 * 1024;
/// With fewer ranks it is simpler to name those that printed the line.
constexpr std::size_t leastForAllBut = 4;
constexpr std::size_t mostMissing = 2;

LogFold::LogFold(int members, Sink sink, Now patience)
    : m_members(members)
    , m_sink(std::move(sink))
    , m_patience(patience)
{
}

void LogFold::add(const LogMerge::Line &line, int member, Now now)
{
    while (!m_groups.empty() && isFull(line))
        passFirst();
    const bool isAlone = member == alone || m_members < 2;
    QByteArray key = isAlone ? QByteArray() : textOfAllRanks(line.text, readLogLineHead(line.text));
    if (!isAlone) {
        std::vector<quint64> &open = m_open[key];
        // Members join the first group they can, so the groups of a member stand first.
        const auto next = std::partition_point(open.begin(), open.end(), [&](quint64 number) {
            const std::vector<int> &members = m_groups[number - m_firstNumber].line.members;
            return std::binary_search(members.begin(), members.end(), member);
        });
        if (next != open.end()) {
            join(*next, member);
            return;
        }
        open.push_back(m_firstNumber + m_groups.size());
    }
    m_bytes += key.size() + line.text.size();
    m_groups.push_back(
        {{line.log, line.text.toByteArray(), line.begin, line.said, {member}}, std::move(key), now, isAlone});
}

void LogFold::join(quint64 number, int member)
{
    Group &group = m_groups[number - m_firstNumber];
    std::vector<int> &members = group.line.members;
    members.insert(std::ranges::upper_bound(members, member), member);
    group.isDone = int(members.size()) == m_members;
    if (!group.isDone)
        return;
    closeFirstOf(group.key);
    while (!m_groups.empty() && m_groups.front().isDone)
        passFirst();
}

bool LogFold::isFull(const LogMerge::Line &newest) const
{
    const Group &oldest = m_groups.front();
    const bool isFarApart = newest.said.time && oldest.line.said.time &&
                            newest.said.time->value - oldest.line.said.time->value > widestMicroseconds;
    return oldest.isDone || isFarApart || m_groups.size() >= mostGroups || m_bytes >= mostBytes;
}

void LogFold::closeFirstOf(const QByteArray &key)
{
    const auto open = m_open.find(key);
    open->erase(open->begin());
    if (open->empty())
        m_open.erase(open);
}

void LogFold::passFirst()
{
    Group &group = m_groups.front();
    if (!group.isDone)
        closeFirstOf(group.key);
    m_bytes -= group.key.size() + group.line.text.size();
    m_sink(group.line);
    m_groups.pop_front();
    ++m_firstNumber;
}

void LogFold::passOn(Now now)
{
    while (!m_groups.empty() && (m_groups.front().isDone || now - m_groups.front().arrived >= m_patience))
        passFirst();
}

void LogFold::passRest()
{
    while (!m_groups.empty())
        passFirst();
}

QString rankRanges(const std::vector<int> &numbers)
{
    QStringList ranges;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t end = at;
        while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1)
            ++end;
        // Two numbers are listed, not shown as a range.
        if (end == at + 1)
            end = at;
        ranges << (end == at ? QString::number(numbers[at]) : u"%1-%2"_s.arg(numbers[at]).arg(numbers[end]));
        at = end + 1;
    }
    return ranges.join(','_L1);
}

Sentence rankWords(const std::vector<int> &some, const std::vector<int> &all)
{
    if (some.size() == 1)
        return Sentence::tr("rank %1").arg(some.front());
    std::vector<int> missing;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(missing));
    if (all.size() >= leastForAllBut && !missing.empty() && missing.size() <= mostMissing)
        return Sentence::tr("all except %1").arg(rankRanges(missing));
    return Sentence::tr("ranks %1").arg(rankRanges(some));
}

} // namespace rankdeck
