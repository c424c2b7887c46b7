#include "log/merge/mergedindex.h"

#include <iterator>

namespace rankdeck
{

constexpr qint64 shortestSlot = 100 * 1000; ///< Microseconds.

/// Rounds down, also before 1970.
static qint64 floored(qint64 time, qint64 width)
{
    const qint64 rest = time % width;
    return time - (rest < 0 ? rest + width : rest);
}

constexpr qint64 sliceBytes = 8 * 1024 * 1024;

static QByteArray withBar(const QString &label, qsizetype width, QByteArrayView color)
{
    return "\x1b[" + color.toByteArray() + 'm' + label.leftJustified(width).toUtf8() + "\x1b[0m \u2502 ";
}

/// Returns the index entry for a line of the merge or of the fold.
template <typename Line>
static LineIndex::Line placeOf(const Line &line)
{
    return {line.log, line.said.ownSeverity(), line.said.beginsError(), line.begin};
}

LogActivity::LogActivity(int logs)
    : m_rows(std::size_t(logs))
    , m_width(shortestSlot)
{
}

void LogActivity::add(int log, LogTime time, LogSeverity severity)
{
    reach(time.value);
    std::vector<Slot> &row = m_rows[std::size_t(log)];
    const auto slot = std::size_t((time.value - m_begin) / m_width);
    if (row.size() <= slot)
        row.resize(slot + 1);
    ++row[slot].lines;
    row[slot].worst = std::max(row[slot].worst, severity);
}

LogActivity::Slot LogActivity::at(int log, int slot) const
{
    const std::vector<Slot> &row = m_rows[std::size_t(log)];
    return slot < int(row.size()) ? row[std::size_t(slot)] : Slot();
}

/// Extends the rows to this time.
void LogActivity::reach(qint64 time)
{
    if (m_slots == 0) {
        m_begin = floored(time, m_width);
        m_slots = 1;
        return;
    }
    while (time - m_begin >= m_width * mostSlots || m_begin + m_slots * m_width - time > m_width * mostSlots)
        coarsen();
    if (time < m_begin) {
        const auto before = int((m_begin - floored(time, m_width)) / m_width);
        for (std::vector<Slot> &row : m_rows) {
            if (!row.empty())
                row.insert(row.begin(), std::size_t(before), Slot());
        }
        m_begin -= before * m_width;
        m_slots += before;
    }
    m_slots = std::max(m_slots, int((time - m_begin) / m_width) + 1);
}

/// Joins slots in pairs.
void LogActivity::coarsen()
{
    const qint64 begin = floored(m_begin, 2 * m_width);
    const bool isOdd = begin != m_begin;
    for (std::vector<Slot> &row : m_rows) {
        std::vector<Slot> coarse((row.size() + (isOdd ? 1 : 0) + 1) / 2);
        for (std::size_t slot = 0; slot < row.size(); ++slot) {
            Slot &into = coarse[(slot + (isOdd ? 1 : 0)) / 2];
            into.lines += row[slot].lines;
            into.worst = std::max(into.worst, row[slot].worst);
        }
        row = std::move(coarse);
    }
    m_slots = (m_slots + (isOdd ? 1 : 0) + 1) / 2;
    m_begin = begin;
    m_width *= 2;
}

/// Either all logs name their row, or none does.
static int activityRows(const MergedSpec &spec)
{
    int rows = 0;
    for (const MergedSpec::Log &log : spec.logs)
        rows = std::max(rows, log.row + 1);
    const bool isNamed = !spec.logs.empty() && spec.logs.front().row >= 0;
    return isNamed ? rows : int(spec.logs.size());
}

MergedIndex::MergedIndex(const MergedSpec &spec)
    : m_filter(spec.filter)
    , m_context(spec.context)
    , m_isLabelled(spec.isLabelled)
    , m_merge(spec.patience)
    , m_activity(activityRows(spec))
{
    for (const MergedSpec::Log &log : spec.logs) {
        if (log.isShown && log.rank != LogFold::alone)
            m_ranks.push_back(log.rank);
        m_labelWidth = std::max(m_labelWidth, log.label.size());
    }
    m_ranks = sortedOnce(m_ranks);
    m_colors.resize(m_ranks.size());
    for (const MergedSpec::Log &log : spec.logs) {
        const auto place = std::ranges::lower_bound(m_ranks, log.rank);
        const bool isMember = log.isShown && log.rank != LogFold::alone;
        const int member = isMember ? int(place - m_ranks.begin()) : LogFold::alone;
        if (isMember)
            m_colors[std::size_t(member)] = log.color;
        m_logs.push_back({log.isShown, member, log.row < 0 ? int(m_logs.size()) : log.row,
                          withBar(log.label, m_labelWidth, rankColor(log.color))});
        m_merge.add(log.path, {}, log.clock ? log.clock() : nullptr, log.limit);
    }
    if (spec.isFolded)
        m_fold.emplace(int(m_ranks.size()), [this](const LogFold::Line &line) { addFolded(line); });
}

bool MergedIndex::readOn()
{
    const LogMerge::Now now = LogMerge::now();
    const bool more =
        m_merge.take([this, now](const LogMerge::Line &line) { take(line, now); }, now, sliceBytes);
    if (m_fold)
        m_fold->passOn(now);
    return more;
}

void MergedIndex::readRest()
{
    m_merge.takeRest([this, now = LogMerge::now()](const LogMerge::Line &line) { take(line, now); });
    if (m_fold)
        m_fold->passRest();
}

void MergedIndex::take(const LogMerge::Line &line, LogMerge::Now now)
{
    if (line.said.time)
        m_activity.add(m_logs[std::size_t(line.log)].row, *line.said.time, line.said.ownSeverity());
    const Log &log = m_logs[std::size_t(line.log)];
    if (!log.isShown)
        return;
    const bool isWanted = m_filter.wants(line.text, line.said);
    if (!m_fold)
        addWithContext({placeOf(line), line.said.time}, isWanted);
    else if (isWanted)
        m_fold->add(line, log.member, now);
}

void MergedIndex::addWithContext(const Passed &line, bool isWanted)
{
    if (isWanted) {
        for (const Passed &each : m_before)
            add(each);
        m_before.clear();
        add(line);
        m_contextLeft = m_context;
    } else if (m_contextLeft > 0) {
        --m_contextLeft;
        add(line);
    } else if (m_context > 0) {
        m_before.push_back(line);
        if (int(m_before.size()) > m_context)
            m_before.pop_front();
    }
}

void MergedIndex::addFolded(const LogFold::Line &line)
{
    const bool isOfRanks = line.members.front() != LogFold::alone;
    m_setOfLine.push_back(isOfRanks ? setOf(line.members) : 0);
    add({placeOf(line), line.said.time});
}

void MergedIndex::add(const Passed &line)
{
    if (m_lines.size() % linesPerTime == 0)
        m_times.push_back(m_latest);
    if (line.time)
        m_latest = std::max(m_latest, line.time->value);
    m_lines.append(line.line);
}

/// Returns the number of a set of members; 0 means a line of no rank.
quint32 MergedIndex::setOf(const std::vector<int> &members)
{
    const auto [place, isNew] = m_sets.try_emplace(members, quint32(m_setLabels.size()) + 1);
    if (isNew) {
        std::vector<int> ranks;
        for (const int member : members)
            ranks.push_back(m_ranks[std::size_t(member)]);
        const int color = m_colors[std::size_t(members.front())];
        m_setLabels.push_back(withBar(rankWords(ranks, m_ranks), m_labelWidth,
                                      members.size() > 1 ? severalRanksColor : rankColor(color)));
    }
    return place->second;
}

QByteArray MergedIndex::labelOf(qint64 line) const
{
    if (!m_isLabelled)
        return {};
    const quint32 set = m_fold ? m_setOfLine[std::size_t(line)] : 0;
    return set > 0 ? m_setLabels[set - 1] : m_logs[std::size_t(m_lines.at(line).log)].label;
}

qint64 MergedIndex::lineBefore(LogTime time) const
{
    const auto after = std::ranges::lower_bound(m_times, time.value);
    return after == m_times.begin() ? 0 : (std::distance(m_times.begin(), after) - 1) * linesPerTime;
}

} // namespace rankdeck
