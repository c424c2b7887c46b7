#include "logviewer.h"

#include "diagnosis/growthclock.h"
#include "log/ranklabel.h"
#include "run/growthmarks.h"

#include <algorithm>

namespace rankdeck
{

LogViewer::LogViewer(const RunState &state, LogChoice choice, ViewOptions view)
    : m_choice(std::move(choice))
    , m_view(std::move(view))
{
    open(state);
}

void LogViewer::open(const RunState &state)
{
    m_notes = state.notes.size();
    m_logs = logsToPrint(state, m_choice);
    m_ranks.clear();
    const auto isWorker = [&](const PrintedLog &log) {
        return state.recordedPlan->processes[static_cast<std::size_t>(log.process)].role == Role::Worker;
    };
    const auto rankOf = [&](const PrintedLog &log) {
        return state.recordedPlan->processes[static_cast<std::size_t>(log.process)].rank.value;
    };
    for (const PrintedLog &log : m_logs) {
        if (isWorker(log))
            m_ranks.push_back(rankOf(log));
    }
    std::sort(m_ranks.begin(), m_ranks.end());
    m_ranks.erase(std::unique(m_ranks.begin(), m_ranks.end()), m_ranks.end());
    m_members.clear();
    m_merges.clear();
    const QString growth = growthFolder(state.directory, *state.recordedPlan, m_choice.attempt);
    for (const PrintedLog &log : m_logs) {
        const auto place = std::lower_bound(m_ranks.begin(), m_ranks.end(), rankOf(log));
        m_members.push_back(isWorker(log) ? static_cast<int>(place - m_ranks.begin()) : LogFold::alone);
        if (m_merges.empty() || !m_view.isMerged)
            m_merges.push_back(std::make_unique<LogMerge>());
        m_merges.back()->add(log.path, log.start, growthClock(marksFile(growth, log.process, log.isError)));
    }
    if (m_view.isFolded)
        m_fold.emplace(static_cast<int>(m_ranks.size()), [this](const LogFold::Line &line) {
            print(line.log, line.members, line.text, line.said);
        });
}

void LogViewer::take(const LogMerge::Line &line, std::size_t firstLog)
{
    const std::size_t log = firstLog + static_cast<std::size_t>(line.log);
    while (!m_logs[log].gaps.empty() && m_logs[log].gaps.front().offset <= line.begin.value) {
        if (m_fold)
            m_fold->passRest();
        m_writer.flush(); // So that it stands between the right lines.
        m_logs[log].sayFirstGap();
    }
    if (!m_view.filter.wants(line.text, line.said))
        return;
    const int member = m_members[log];
    if (m_fold)
        m_fold->add(line, member, m_now);
    else
        print(static_cast<int>(log), {member}, line.text, line.said);
}

void LogViewer::print(int log, const std::vector<int> &members, QByteArrayView text,
                      const LogLineReader::Line &said)
{
    QByteArray prefix = m_prefixes[static_cast<std::size_t>(log)];
    if (m_fold && members.front() != LogFold::alone && m_choice.prefix == LogPrefix::Label) {
        std::vector<int> ranks;
        for (const int member : members)
            ranks.push_back(m_ranks[static_cast<std::size_t>(member)]);
        prefix = rankWords(ranks, m_ranks).toUtf8() + ": ";
    }
    if (!m_view.isColored) {
        m_writer.write(prefix, text);
        return;
    }
    m_writer.writeColored(prefix, members.size() > 1 ? severalRanksColor() : rankColor(members.front()), text,
                          said.severity);
}

void LogViewer::findPrefixes(const RunState &state)
{
    m_prefixes.clear();
    for (const PrintedLog &log : m_logs)
        m_prefixes.push_back(log.linePrefix(state, m_choice.prefix));
}

void LogViewer::follow(const RunState &state)
{
    while (m_choice.attempt < state.attempt) {
        printRest(state);
        ++m_choice.attempt;
        m_choice.tail = -1;
        open(state);
    }
    if (m_notes != state.notes.size()) {
        m_notes = state.notes.size();
        lookForGaps(m_logs, state, m_choice.attempt);
    }
}

bool LogViewer::printNew(const RunState &state)
{
    m_now = LogMerge::now();
    findPrefixes(state);
    bool more = false;
    for (std::size_t merge = 0; merge < m_merges.size(); ++merge)
        more = m_merges[merge]->take([&](const LogMerge::Line &line) { take(line, merge); }, m_now) || more;
    if (m_fold)
        m_fold->passOn(m_now);
    m_writer.flush();
    return more;
}

void LogViewer::printRest(const RunState &state)
{
    m_now = LogMerge::now();
    findPrefixes(state);
    for (std::size_t merge = 0; merge < m_merges.size(); ++merge)
        m_merges[merge]->takeRest([&](const LogMerge::Line &line) { take(line, merge); });
    if (m_fold)
        m_fold->passRest();
    m_writer.flush();
    for (PrintedLog &log : m_logs) {
        while (!log.gaps.empty())
            log.sayFirstGap();
    }
}

} // namespace rankdeck
