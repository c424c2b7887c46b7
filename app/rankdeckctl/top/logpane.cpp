#include "rankdeckctl/top/logpane.h"

#include "diagnosis/failure/growthclock.h"
#include "log/file/logfollower.h"
#include "rankdeckctl/console/output.h"
#include "run/record/growthmarks.h"

namespace rankdeck
{

std::optional<LogChoice> LogChoice::changedBy(QChar letter, int chosen) const
{
    LogChoice choice = *this;
    if (letter == u'm') {
        choice.process = process < 0 ? chosen : -1;
    } else if (letter == u'f') {
        choice.isFolded = !isFolded;
        choice.process = choice.isFolded ? -1 : process;
    } else if (letter == u'l') {
        choice.least = least == LogSeverity::None      ? LogSeverity::Warning
                       : least == LogSeverity::Warning ? LogSeverity::Error
                                                       : LogSeverity::None;
    } else {
        return {};
    }
    return choice;
}

MergedSpec::Log LogPane::mergedLog(const RunState &state, const QString &folder, int process, bool isError)
{
    const ProcessPlan &plan = state.plan->processes[std::size_t(process)];
    MergedSpec::Log log;
    log.path = isError ? plan.stderrFile : plan.logFile;
    log.label = plan.role == Role::Worker ? tr("rank %1").arg(plan.rank.value) : plan.label();
    log.rank = plan.role == Role::Worker ? plan.rank.value : LogFold::alone;
    log.color = plan.role == Role::Worker ? plan.rank.value : 0;
    log.row = 0; // Activity is not shown here, and a row for each log takes kilobytes.
    log.clock = [folder, process, isError] {
        return growthClock(marksFile(folder, process, isError));
    };
    return log;
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
    const QString folder = growthFolder(state.directory, *state.recordedPlan, state.attempt);
    for (int process = 0; process < int(state.ranks.size()); ++process) {
        if (choice.process >= 0 && choice.process != process)
            continue;
        for (const bool isError : {false, true}) {
            if (isError && state.plan->processes[std::size_t(process)].stderrFile.isEmpty())
                continue;
            spec.logs.push_back(mergedLog(state, folder, process, isError));
            if (limitOf)
                spec.logs.back().limit = limitOf(process, isError);
        }
    }
    if (spec.logs.size() > LineIndex::mostLogs)
        spec.logs.resize(LineIndex::mostLogs);
    m_choice = choice;
    m_page = {};
    m_column = 0;
    m_problem.clear();
    if (spec.logs.size() == 1 && filter->isEmpty()) {
        auto *const follower = new LogFollower(spec.logs.front().path);
        follower->setLimit(spec.logs.front().limit);
        m_lines.reset(follower);
    } else {
        m_lines.reset(new MergedLines(spec));
    }
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
    // In a replay a log grows and shrinks with the time, in any state of the run.
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

ScreenLine LogPane::title(const RunSnapshot &run, int cells) const
{
    QStringList parts;
    if (m_choice.process >= 0)
        parts << processName(run, m_choice.process);
    else
        parts << (m_choice.isFolded ? tr("all ranks, folded") : tr("all ranks"));
    if (!m_choice.pattern.isEmpty())
        parts << tr("only \"%1\"").arg(visibleText(m_choice.pattern));
    if (m_choice.least != LogSeverity::None)
        parts << (m_choice.least == LogSeverity::Error ? tr("errors") : tr("warnings and errors"));
    if (m_isFollowing)
        parts << tr("%1 lines, following").arg(m_page.totalLines);
    else
        parts << tr("line %1 of %2").arg(m_page.first.value + 1).arg(m_page.totalLines);
    if (!m_problem.isEmpty())
        parts << m_problem;
    if (m_column > 0)
        parts << tr("from column %1").arg(m_column + 1);
    const QString title = u"── "_s + parts.join(u" · "_s) + u' ';
    const int rest = std::max(0, cells - cellWidth(title));
    return {{textRun(title + u"─"_s.repeated(rest), Look::Label)}};
}

QList<ScreenLine> LogPane::lines(const RunSnapshot &run, int cells, int rows)
{
    QList<ScreenLine> lines{title(run, cells)};
    setRows(std::max(0, rows - 1));
    for (qsizetype at = 0; at < m_page.lines.size() && lines.size() <= m_rows; ++at) {
        const LogSeverity severity =
            at < m_page.said.size() ? m_page.said[at].ownSeverity() : LogSeverity::None;
        lines << ScreenLine{partOf(logRuns(m_page.lines[at], severity), m_column, cells)};
    }
    return lines;
}

} // namespace rankdeck
