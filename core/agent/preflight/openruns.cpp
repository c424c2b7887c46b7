#include "agent/preflight/openruns.h"

#include "base/filename.h"
#include "run/record/rundirectory.h"
#include "run/record/runreader.h"
#include "run/strays/strays.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QSysInfo>

#include <algorithm>

namespace rankdeck
{

constexpr int lookMs = 50;

/// Returns the folder of this machine's marks: nodes may share a home.
static QString sharesDirectory()
{
    return u"%1/shares/%2"_s.arg(QFileInfo(runsDirectory()).path(), QSysInfo::machineHostName());
}

static bool isBelow(pid_t pid, pid_t ancestor)
{
    while (pid > 1 && pid != ancestor) {
        const auto process = readProcess(pid);
        pid = process ? process->parent : 0;
    }
    return ancestor > 0 && pid == ancestor;
}

ShareMark::ShareMark(const QString &runName, const QString &head, const LaunchPlan &share,
                     const QProcessEnvironment &environment)
    : m_directory(u"%1/%2@%3"_s.arg(sharesDirectory(), runName, asFileName(share.thisNode)))
{
    RunRecord record;
    record.name = runName;
    record.plan = share;
    // A reader of the mark cannot see the environment that the agent got.
    const QString name = QLatin1String(visibleDevicesVariable);
    for (ProcessPlan &process : record.plan.processes) {
        if (environment.contains(name) && !process.removeVariables.contains(name) &&
            !process.setVariables.contains(name))
            process.setVariables.insert(name, environment.value(name));
    }
    record.plan.files.clear();
    record.supervisor = thisSupervisor();
    record.guardian = SupervisorId{head, 0, 0}; // Above the agent stands the run's supervisor, there.
    record.phase = RunPhase::Running;
    if (QDir().mkpath(m_directory))
        writeRunRecord(m_directory, record);
}

ShareMark::~ShareMark()
{
    QDir(m_directory).removeRecursively();
}

/// The shares on this machine, as runs that their agents supervise. Marks that count no more are removed.
static QList<OpenRun> markedShares()
{
    QList<OpenRun> shares;
    const QString folder = sharesDirectory() + '/'_L1;
    for (const QString &name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString directory = folder + name;
        const auto record = readRunRecord(directory);
        // One without a record is just being made.
        if (record && record->supervisor && isAlive(*record->supervisor))
            shares << OpenRun{directory, *record, false, {}, true};
        else if (record)
            QDir(directory).removeRecursively();
    }
    return shares;
}

std::optional<Error> endShare(const QString &directory)
{
    const auto record = readRunRecord(directory);
    if (!record || !record->supervisor || !isAlive(*record->supervisor))
        return std::nullopt;
    kill(static_cast<pid_t>(record->supervisor->pid), SIGTERM);
    QDeadlineTimer limit(std::chrono::seconds(record->plan.graceSeconds) + 2 * unkillableAfter);
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (!isAlive(*record->supervisor) || limit.hasExpired())
            loop.quit();
    });
    look.start(lookMs);
    loop.exec();
    if (isAlive(*record->supervisor))
        return Error{tr("the run has not ended yet"), record->name, {}};
    return std::nullopt;
}

std::optional<RunState> OpenRun::state() const
{
    const auto read = RunReader(directory).open();
    return read ? std::optional(*read) : std::nullopt;
}

QList<OpenRun> openRuns()
{
    QList<OpenRun> open;
    for (const QString &directory : markedRuns()) {
        const auto record = readRunRecord(directory);
        if (!record) {
            unmarkLive(directory);
            continue;
        }
        const bool isElsewhere =
            record->supervisor && record->supervisor->host != QSysInfo::machineHostName();
        const RunPhase phase = currentPhase(*record);
        OpenRun run{directory, *record, phase == RunPhase::Lost, {}, false};
        if (run.isLost && !isElsewhere) {
            if (const auto state = run.state())
                run.leftovers = leftoversOf(*state);
        }
        // Nothing of a lost run that is gone can come back.
        const bool isOver = run.isLost ? !isElsewhere && run.leftovers.empty() : !isLive(phase);
        if (isOver)
            unmarkLive(directory);
        else if (!isElsewhere)
            open << run;
    }
    return open + markedShares();
}

const OpenRun *runOf(pid_t pid, const QList<OpenRun> &runs)
{
    const auto found = std::ranges::find_if(runs, [pid](const OpenRun &run) {
        if (!run.isLost)
            return isBelow(pid, run.supervisor());
        return std::ranges::any_of(run.leftovers,
                                   [pid](const Leftover &leftover) { return leftover.process.pid == pid; });
    });
    return found == runs.end() ? nullptr : &*found;
}

} // namespace rankdeck
