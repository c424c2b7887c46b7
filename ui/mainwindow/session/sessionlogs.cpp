#include "mainwindow/session/sessionlogs.h"

#include "diagnosis/failure/growthclock.h"

#include <QRegularExpression>

#include <numeric>

namespace rankdeck
{

/// Marks for where lines may be missing in a process's log, or in its standard error where that is separate.
/// Reads a file: not for the GUI thread.
static QList<LogMark> gapMarks(const QString &growthFolder, int process, bool isError)
{
    QList<LogMark> marks;
    for (const LogGap &gap : logGaps(growthFolder, process, isError)) {
        const QString time = gap.since.toLocalTime().toString(u"HH:mm:ss"_s);
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
        m_bothLogs.resize(m_logs.size());
    }
    // The note about a disk that has room again follows the gaps.
    if (before.notes.size() != state.notes.size())
        markAllGaps();
    askForFailures();
}

void FailureReader::read(int process, const ProcessPlan &plan)
{
    const std::optional<LoggedError> error = readLoggedError(plan);
    if (error && !error->message.isEmpty())
        Q_EMIT told(process, error->message);
}

SessionLogs::SessionLogs(RunSource source, IoThread &thread, QObject *parent)
    : QObject(parent)
    , m_source(source)
    , m_thread(thread)
    , m_failures(new FailureReader)
{
    m_thread.adopt(m_failures.get());
}

/// Reads the failure texts of processes that have failed since, and of those without a text yet.
void SessionLogs::askForFailures()
{
    const LaunchPlan &plan = *m_state.plan;
    for (int process = 0; process < int(std::min(plan.processes.size(), m_state.ranks.size())); ++process) {
        const bool hasFailed = m_state.ranks[size_t(process)].phase == RankPhase::Failed;
        if (!hasFailed)
            m_failureTexts.remove(process); // A replay went back.
        if (!hasFailed || m_failureTexts.contains(process))
            continue;
        m_failureTexts.insert(process, {});
        QMetaObject::invokeMethod(m_failures.get(),
                                  [reader = m_failures.get(), process,
                                   its = plan.processes[size_t(process)]] { reader->read(process, its); });
    }
}

void SessionLogs::tellLastLine(int process, const QString &line)
{
    const QString failure = m_failureTexts.value(process);
    // Progress bars of blocks take the room of a whole cell.
    static const QRegularExpression bar(u"\\|[\\x{2588}-\\x{258F}#][\\x{2588}-\\x{258F}# ]*\\|"_s);
    Q_EMIT lastLine(process, failure.isEmpty() ? QString(line).remove(bar) : failure);
}

void SessionLogs::restart()
{
    m_forLastLine.clear();
    m_logs.clear();
    m_errorLogs.clear();
    m_bothLogs.clear();
    m_failureTexts.clear();
    disconnect(m_failures.get(), nullptr, this, nullptr);
    connect(m_failures.get(), &FailureReader::told, this,
            [this, plan = m_state.plan](int process, const QString &text) {
                if (plan != m_state.plan)
                    return;
                m_failureTexts.insert(process, text);
                Q_EMIT lastLine(process, text);
            });
    const size_t processes = m_state.plan->processes.size();
    m_logs.resize(processes + m_state.tools.size());
    m_errorLogs.resize(m_logs.size());
    m_bothLogs.resize(m_logs.size());
    QList<int> followed = m_seen;
    if (processes <= size_t(maxLastLines)) {
        followed.resize(int(processes));
        std::iota(followed.begin(), followed.end(), 0);
    }
    followLastLines(followed);
}

void SessionLogs::setLengths(const std::vector<LogLengths> &lengths)
{
    m_limits.resize(std::max(m_limits.size(), lengths.size()));
    for (size_t process = 0; process < lengths.size(); ++process) {
        auto &[log, error] = m_limits[process];
        if (!log) {
            log = std::make_shared<std::atomic<qint64>>();
            error = std::make_shared<std::atomic<qint64>>();
        }
        log->store(lengths[process].log);
        error->store(lengths[process].error);
    }
}

LogLimit SessionLogs::limitOf(int process, bool isError) const
{
    return process < int(m_limits.size()) ? m_limits[size_t(process)][isError ? 1 : 0] : nullptr;
}

void SessionLogs::setGrowing(bool mayGrow)
{
    // Logs of other nodes have been fetched by now.
    m_failureTexts.removeIf([](const auto &each) { return each.value().isEmpty(); });
    if (!mayGrow)
        askForFailures();
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
                        tellLastLine(process, line);
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
    log.isError = isError;
    log.directory = plan.workDir;
    log.limit = limitOf(process, isError);
    if (m_source != RunSource::Logs) {
        log.clock = [marks = marksFile(growthFolder(), process, isError)] {
            return growthClock(marks);
        };
    }
    return log;
}

std::vector<MergedSpec::Log> SessionLogs::bothSpecs(int process) const
{
    std::vector<MergedSpec::Log> logs{mergedLog(process, false), mergedLog(process, true)};
    for (MergedSpec::Log &log : logs) {
        // Without marks of its growth, lines without a stamp were written by the time of the file.
        if (!log.clock)
            log.clock = [path = log.path] {
                const LogTime written = logTimeOf(QFileInfo(path).lastModified());
                return [written](ByteOffset) {
                    return std::optional(written);
                };
            };
    }
    return logs;
}

MergedLines *SessionLogs::bothLogs(int process)
{
    if (process < 0 || process >= int(m_bothLogs.size()) || m_state.planOf(process)->stderrFile.isEmpty())
        return nullptr;
    RemoteOwner<MergedLines> &lines = m_bothLogs[size_t(process)];
    if (!lines) {
        MergedSpec spec;
        spec.logs = bothSpecs(process);
        spec.isLabelled = false;
        spec.patience = {}; // Both streams are read at once: a silent one has no earlier line to wait for.
        lines = merge(spec);
        markBothGaps(lines.get(), process);
    }
    return lines.get();
}

RemoteOwner<MergedLines> SessionLogs::merge(const MergedSpec &spec)
{
    RemoteOwner<MergedLines> lines(new MergedLines(spec));
    m_merged.removeAll(QPointer<MergedLines>());
    m_merged.append(lines.get());
    m_thread.adopt(lines.get());
    QMetaObject::invokeMethod(lines.get(), &MergedLines::start);
    if (!isGrowing())
        QMetaObject::invokeMethod(lines.get(), &MergedLines::finish);
    return lines;
}

void SessionLogs::startFollowing(LogFollower *follower, int process, bool isError)
{
    m_thread.adopt(follower);
    follower->setLimit(limitOf(process, isError));
    markGaps(follower, process, isError);
    QMetaObject::invokeMethod(follower, &LogFollower::start);
    if (!isGrowing())
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

void SessionLogs::markBothGaps(MergedLines *lines, int process)
{
    if (m_source != RunSource::Run)
        return;
    QMetaObject::invokeMethod(lines, [lines, folder = growthFolder(), process] {
        lines->setMarks(0, gapMarks(folder, process, false));
        lines->setMarks(1, gapMarks(folder, process, true));
    });
}

void SessionLogs::markAllGaps()
{
    for (int process = 0; process < int(m_logs.size()); ++process) {
        if (const auto &follower = m_logs[size_t(process)])
            markGaps(follower.get(), process, false);
        if (const auto &follower = m_errorLogs[size_t(process)])
            markGaps(follower.get(), process, true);
        if (const auto &lines = m_bothLogs[size_t(process)])
            markBothGaps(lines.get(), process);
    }
}

QString SessionLogs::growthFolder() const
{
    return rankdeck::growthFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt);
}

} // namespace rankdeck
