#include "agent/preflight/sharemark.h"

#include "launch/launchbasics.h"
#include "run/endingtimes.h"
#include "run/rundirectory.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QSysInfo>
#include <QTimer>

#include <csignal>

namespace rankdeck
{

namespace
{

constexpr char visibleDevices[] = "ASCEND_RT_VISIBLE_DEVICES";
constexpr int lookMs = 50;

/// Of this machine: nodes may share a home.
QString sharesDirectory()
{
    return QStringLiteral("%1/shares/%2").arg(QFileInfo(runsDirectory()).path(), QSysInfo::machineHostName());
}

} // namespace

ShareMark::ShareMark(const QString &runName, const QString &head, const LaunchPlan &share,
                     const QProcessEnvironment &environment)
    : m_directory(QStringLiteral("%1/%2@%3").arg(sharesDirectory(), runName, asFileName(share.thisNode)))
{
    RunRecord record;
    record.name = runName;
    record.plan = share;
    // Whoever reads the mark cannot see what the agent was told.
    const QString name = QLatin1String(visibleDevices);
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

QList<OpenRun> markedShares()
{
    QList<OpenRun> shares;
    const QString folder = sharesDirectory() + QLatin1Char('/');
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
        return Error{QCoreApplication::translate("RunEnding", "the run has not ended yet"), record->name, {}};
    return std::nullopt;
}

} // namespace rankdeck
