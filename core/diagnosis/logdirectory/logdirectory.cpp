#include "diagnosis/logdirectory/logdirectory.h"

#include "diagnosis/errorfile.h"
#include "diagnosis/failurereport.h"
#include "diagnosis/logdirectory/foundlogs.h"
#include "diagnosis/schedulerfailure.h"
#include "launch/processes.h"
#include "launch/writtenfiles.h"
#include "run/runrecord.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

const ExitStatus unknownExit{ExitStatus::Kind::Unknown, 0};

QString tr(const char *text)
{
    return QCoreApplication::translate("LogDirectory", text);
}

QStringList filesOf(const ProcessPlan &process)
{
    QStringList files = writtenFiles(process);
    files.removeAll(QString());
    return files;
}

/// What the rank wrote for others to read counts most, then its standard error.
std::optional<LoggedError> errorOf(const ProcessPlan &process)
{
    const QString errorFile = process.setVariables.value(QLatin1String(errorFileVariable));
    if (!errorFile.isEmpty()) {
        if (const auto file = readErrorFile(errorFile))
            return LoggedError{file->message, file->traceback, file->timestamp};
    }
    if (!process.stderrFile.isEmpty()) {
        if (const auto error = readLoggedError(process.stderrFile))
            return error;
    }
    return readLoggedError(process.logFile);
}

} // namespace

LogDirectory::LogDirectory(const QString &directory)
    : m_directory(QDir(directory).absolutePath())
{
}

Result<RunState> LogDirectory::open()
{
    if (const auto record = readRunRecord(m_directory))
        return Error{tr("this is the directory of a run, not of logs alone"), m_directory,
                     tr("Open it as a run: rankdeck --attach, rankdeckctl attach or logs.")};
    const auto plan = findLogs(m_directory);
    if (!plan)
        return plan.error();
    m_found.clear();
    m_state = {};
    m_state.name = QDir(m_directory).dirName();
    m_state.directory = m_directory;
    work(*plan);
    return m_state;
}

bool LogDirectory::update()
{
    const auto plan = findLogs(m_directory);
    if (!plan)
        return false;
    const RunState before = m_state;
    work(*plan);
    return before.plan != m_state.plan || before.phase != m_state.phase ||
           before.failure != m_state.failure || before.notes != m_state.notes ||
           !std::equal(before.ranks.begin(), before.ranks.end(), m_state.ranks.begin(), m_state.ranks.end(),
                       [](const RankState &one, const RankState &other) { return one.phase == other.phase; });
}

LogDirectory::Found LogDirectory::foundIn(const ProcessPlan &process) const
{
    Found found{{}, 0, {}};
    for (const QString &path : filesOf(process)) {
        const QFileInfo file(path);
        if (!file.exists())
            continue;
        found.bytes += file.size();
        found.written = std::max(found.written, file.lastModified().toUTC());
    }
    const auto known = m_found.constFind(process.logFile);
    const bool isSame =
        known != m_found.cend() && known->written == found.written && known->bytes == found.bytes;
    found.error = isSame ? known->error : errorOf(process);
    return found;
}

void LogDirectory::work(const LaunchPlan &plan)
{
    if (!m_state.plan || plan != *m_state.plan)
        m_state.setPlan(plan);
    m_written = {};
    m_state.phase = RunPhase::Recorded;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (std::size_t index = 0; index < m_state.ranks.size(); ++index) {
        const ProcessPlan &process = m_state.plan->processes[index];
        const Found found = foundIn(process);
        m_found.insert(process.logFile, found);
        m_written = std::max(m_written, found.written);
        const bool isWriting = found.written.isValid() && found.written.secsTo(now) < writingSeconds;
        if (isWriting)
            m_state.phase = RunPhase::Writing;
        RankState &rank = m_state.ranks[index];
        rank.phase = found.error ? RankPhase::Failed : isWriting ? RankPhase::Writing : RankPhase::Unknown;
        rank.status = found.error ? std::optional(unknownExit) : std::nullopt;
    }
    judge();
}

/// Which rank failed first: by the time that it wrote, else by when its log was written last.
void LogDirectory::judge()
{
    m_state.notes = m_state.plan->notes;
    m_state.notes.prepend(
        tr("Opened from the logs alone: which ranks failed is read from what they wrote, and "
           "exit codes are not known."));
    int first = -1;
    double firstTime = 0;
    bool isDated = true;
    for (std::size_t index = 0; index < m_state.ranks.size(); ++index) {
        const Found &found = m_found[m_state.plan->processes[index].logFile];
        if (!found.error)
            continue;
        isDated = isDated && found.error->time;
        const double time =
            found.error->time.value_or(static_cast<double>(found.written.toMSecsSinceEpoch()) / 1000);
        if (first >= 0 && firstTime <= time)
            continue;
        first = static_cast<int>(index);
        firstTime = time;
    }
    if (const QString missing = missingWorkersReason(m_state); !missing.isEmpty())
        m_state.notes << tr("From the scheduler's log: %1.").arg(missing);
    if (first < 0) {
        m_state.failure.reset();
        return;
    }
    const LoggedError &error =
        *m_found[m_state.plan->processes[static_cast<std::size_t>(first)].logFile].error;
    m_state.failure = failureOf(*m_state.plan, first, 0, unknownExit, error.message);
    m_state.failure->traceback = error.traceback;
    if (m_state.count(RankPhase::Failed) > 1)
        m_state.notes << (isDated
                              ? tr("Several ranks failed; the first is judged by the times in their logs.")
                              : tr("Several ranks failed; where a log has no times, it counts with when it "
                                   "was written last."));
}

} // namespace rankdeck
