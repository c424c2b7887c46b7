#include "rankdeckctl/top/logpane.h"

#include "diagnosis/failure/growthclock.h"
#include "log/file/logfollower.h"
#include "rankdeckctl/console/output.h"
#include "run/record/growthmarks.h"

namespace rankdeck
{

MergedSpec::Log LogPane::mergedLog(const RunState &state, int process, bool isError)
{
    const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
    MergedSpec::Log log;
    log.path = isError ? plan.stderrFile : plan.logFile;
    log.label = plan.role == Role::Worker ? tr("rank %1").arg(plan.rank.value) : plan.label();
    log.rank = plan.role == Role::Worker ? plan.rank.value : LogFold::alone;
    log.color = plan.role == Role::Worker ? plan.rank.value : 0;
    const QString folder = growthFolder(state.directory, *state.recordedPlan, state.attempt);
    log.clock = [marks = marksFile(folder, process, isError)] {
        return growthClock(marks);
    };
    return log;
}

static LogFollower *followerOf(const MergedSpec::Log &log)
{
    auto *const follower = new LogFollower(log.path);
    follower->setLimit(log.limit);
    return follower;
}

std::optional<Error> LogPane::open(const RunState &state, const LogChoice &choice, const LimitOf &limitOf)
{
    LogFilterSpec wanted;
    if (!choice.pattern.isEmpty())
        wanted.patterns = {
            {{.text = choice.pattern, .caseSensitive = choice.pattern != choice.pattern.toLower()}}};
    wanted.leastSeverity = choice.least;
    const auto filter = LogFilter::create(wanted);
    if (!filter)
        return filter.error();

    MergedSpec spec;
    spec.filter = *filter;
    spec.isFolded = choice.isFolded && choice.process < 0;
    spec.isLabelled = choice.process < 0;
    for (int process = 0; process < int(state.ranks.size()); ++process) {
        if (choice.process >= 0 && choice.process != process)
            continue;
        for (const bool isError : {false, true}) {
            if (isError && state.plan->processes[static_cast<std::size_t>(process)].stderrFile.isEmpty())
                continue;
            spec.logs.push_back(mergedLog(state, process, isError));
            if (limitOf)
                spec.logs.back().limit = limitOf(process, isError);
        }
    }
    if (spec.logs.size() > LineIndex::mostLogs)
        spec.logs.resize(LineIndex::mostLogs);
    m_choice = choice;
    m_page = {};
    m_problem.clear();
    if (spec.logs.size() == 1 && filter->isEmpty())
        m_lines.reset(followerOf(spec.logs.front()));
    else
        m_lines.reset(new MergedLines(spec));
    connect(m_lines.get(), &LogLines::page, this, &LogPane::takePage);
    connect(m_lines.get(), &LogLines::grew, this, [this](qint64 lines) {
        m_page.totalLines = lines;
        Q_EMIT changed();
    });
    connect(m_lines.get(), &LogLines::restarted, this, &LogPane::follow);
    connect(m_lines.get(), &LogLines::unreadable, this, [this](const QString &sentence) {
        m_problem = sentence;
        Q_EMIT changed();
    });
    m_thread.adopt(m_lines.get());
    QMetaObject::invokeMethod(m_lines.get(), &LogLines::start);
    // In a replay a log grows and shrinks with the time, whatever state the run is in.
    if (!limitOf && !mayGrow(state.phase))
        finish();
    follow();
    return {};
}

void LogPane::finish()
{
    if (m_lines)
        QMetaObject::invokeMethod(m_lines.get(), &LogLines::finish);
}

void LogPane::setRows(int rows)
{
    if (std::exchange(m_rows, rows) == rows)
        return;
    if (m_isFollowing)
        follow();
    else
        request(m_first);
}

void LogPane::scroll(qint64 lines)
{
    const qint64 last = std::max<qint64>(0, m_page.totalLines - m_rows);
    const qint64 first = (m_isFollowing ? last : m_first.value) + lines;
    if (first >= last)
        follow();
    else
        request(LineNumber(std::max<qint64>(0, first)));
}

void LogPane::follow()
{
    m_isFollowing = true;
    if (m_lines)
        QMetaObject::invokeMethod(m_lines.get(),
                                  [lines = m_lines.get(), rows = m_rows] { lines->followTail(rows); });
    Q_EMIT changed();
}

void LogPane::request(LineNumber first)
{
    m_isFollowing = false;
    m_first = first;
    if (!m_lines)
        return;
    QMetaObject::invokeMethod(m_lines.get(), [lines = m_lines.get(), first, rows = m_rows] {
        lines->followTail(0);
        lines->request(first, rows);
    });
    Q_EMIT changed();
}

void LogPane::takePage(const LogPage &page)
{
    // A page that was asked for before is on its way while the screen is elsewhere already.
    if (sender() != m_lines.get() || (!m_isFollowing && page.first != m_first))
        return;
    m_page = page;
    m_problem.clear();
    Q_EMIT changed();
}

} // namespace rankdeck
