#include "mainwindow/session/sessionlogs.h"

#include "diagnosis/failure/growthclock.h"
#include "run/record/growthmarks.h"

#include <numeric>

namespace rankdeck
{

/// Marks for where lines may be missing in a process's log, or in its standard error where that is separate.
/// Reads a file: not for the GUI thread.
static QList<LogMark> gapMarks(const QString &growthFolder, int process, bool isError)
{
    QList<LogMark> marks;
    for (const LogGap &gap : logGaps(growthFolder, process, isError)) {
        const QString time = gap.since.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
        const QString text = tr("lines may be missing here: the disk was full at %1");
        marks.append({ByteOffset(gap.offset), text.arg(time), {}});
    }
    return marks;
}

void SessionLogs::setState(const RunState &state)
{
    const RunState before = std::exchange(m_state, state);
    if (before.plan != state.plan) {
        restart();
    } else if (m_logs.size() < state.ranks.size() + state.tools.size()) {
        m_logs.resize(state.ranks.size() + state.tools.size());
        m_errorLogs.resize(m_logs.size());
    }
    // The note about a disk that has room again follows the gaps.
    if (before.notes.size() != state.notes.size())
        markAllGaps();
}

void SessionLogs::restart()
{
    m_forLastLine.clear();
    m_logs.clear();
    m_errorLogs.clear();
    const size_t processes = m_state.plan->processes.size();
    m_logs.resize(processes + m_state.tools.size());
    m_errorLogs.resize(m_logs.size());
    QList<int> followed = m_seen;
    if (processes <= size_t(maxLastLines)) {
        followed.resize(int(processes));
        std::iota(followed.begin(), followed.end(), 0);
    }
    followLastLines(followed);
}

void SessionLogs::setGrowing(bool mayGrow)
{
    const auto step = mayGrow ? &LogLines::start : &LogLines::finish;
    for (const Followers *followers : {&m_logs, &m_errorLogs}) {
        for (const RemoteOwner<LogFollower> &follower : *followers) {
            if (follower)
                QMetaObject::invokeMethod(follower.get(), step);
        }
    }
    for (const QPointer<MergedLines> &lines : std::as_const(m_merged)) {
        if (lines)
            QMetaObject::invokeMethod(lines.get(), step);
    }
}

LogFollower *SessionLogs::log(int process)
{
    m_forLastLine.remove(process);
    return follow(process);
}

void SessionLogs::followLastLines(const QList<int> &processes)
{
    m_seen = processes;
    for (const int process : processes) {
        if (process < 0 || process >= int(m_logs.size()) || m_logs[size_t(process)])
            continue;
        m_forLastLine.insert(process);
        follow(process);
    }
    dropUnseen();
}

/// Recently visible logs stay open while there is room.
void SessionLogs::dropUnseen()
{
    for (auto each = m_forLastLine.begin();
         each != m_forLastLine.end() && m_forLastLine.size() > maxLastLines;) {
        if (m_seen.contains(*each)) {
            ++each;
            continue;
        }
        m_logs[size_t(*each)].reset();
        each = m_forLastLine.erase(each);
    }
}

LogFollower *SessionLogs::follow(int process)
{
    if (process < 0 || process >= int(m_logs.size()))
        return nullptr;
    RemoteOwner<LogFollower> &follower = m_logs[size_t(process)];
    if (follower)
        return follower.get();
    follower.reset(new LogFollower(m_state.planOf(process)->logFile));
    const bool isTool = size_t(process) >= m_state.plan->processes.size();
    if (!isTool)
        connect(follower.get(), &LogFollower::grew, this,
                [this, process, plan = m_state.plan](qint64, qint64, const QString &line) {
                    if (plan == m_state.plan)
                        Q_EMIT lastLine(process, line);
                });
    startFollowing(follower.get(), process, false);
    return follower.get();
}

LogFollower *SessionLogs::errorLog(int process)
{
    if (process < 0 || process >= int(m_errorLogs.size()))
        return nullptr;
    const QString &path = m_state.planOf(process)->stderrFile;
    RemoteOwner<LogFollower> &follower = m_errorLogs[size_t(process)];
    if (!follower && !path.isEmpty()) {
        follower.reset(new LogFollower(path));
        startFollowing(follower.get(), process, true);
    }
    return follower.get();
}

MergedSpec::Log SessionLogs::mergedLog(int process, bool isError) const
{
    const ProcessPlan &plan = *m_state.planOf(process);
    MergedSpec::Log log;
    log.path = isError ? plan.stderrFile : plan.logFile;
    if (m_source != RunSource::Logs) {
        log.clock = [marks = marksFile(growthFolder(), process, isError)] {
            return growthClock(marks);
        };
    }
    return log;
}

RemoteOwner<MergedLines> SessionLogs::merge(const MergedSpec &spec)
{
    RemoteOwner<MergedLines> lines(new MergedLines(spec));
    m_merged.removeAll(QPointer<MergedLines>());
    m_merged.append(lines.get());
    m_thread.adopt(lines.get());
    QMetaObject::invokeMethod(lines.get(), &MergedLines::start);
    if (!mayGrow(m_state.phase))
        QMetaObject::invokeMethod(lines.get(), &MergedLines::finish);
    return lines;
}

void SessionLogs::startFollowing(LogFollower *follower, int process, bool isError)
{
    m_thread.adopt(follower);
    markGaps(follower, process, isError);
    QMetaObject::invokeMethod(follower, &LogFollower::start);
    if (!mayGrow(m_state.phase))
        QMetaObject::invokeMethod(follower, &LogFollower::finish);
}

void SessionLogs::markGaps(LogFollower *follower, int process, bool isError)
{
    if (m_source != RunSource::Run)
        return;
    QMetaObject::invokeMethod(follower, [follower, folder = growthFolder(), process, isError] {
        follower->setMarks(gapMarks(folder, process, isError));
    });
}

void SessionLogs::markAllGaps()
{
    for (int process = 0; process < int(m_logs.size()); ++process) {
        if (const auto &follower = m_logs[size_t(process)])
            markGaps(follower.get(), process, false);
        if (const auto &follower = m_errorLogs[size_t(process)])
            markGaps(follower.get(), process, true);
    }
}

QString SessionLogs::growthFolder() const
{
    return rankdeck::growthFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt);
}

} // namespace rankdeck
