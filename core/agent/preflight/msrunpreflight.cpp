#include "agent/preflight/msrunpreflight.h"

#include "agent/preflight/scriptcheck.h"
#include "run/livemarks.h"
#include "run/runrecord.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("MsrunPreflight", text);
}

std::optional<Error> problemWithTable(const LaunchPlan &plan)
{
    const bool isToBeMade = std::any_of(plan.files.begin(), plan.files.end(), [&](const PlannedFile &file) {
        return file.path == plan.rankTableFile;
    });
    if (plan.rankTableFile.isEmpty() || isToBeMade || QFileInfo(plan.rankTableFile).isFile())
        return std::nullopt;
    return Error{tr("the rank table does not exist"), plan.rankTableFile,
                 tr("Check --rank_table_file, or leave it out.")};
}

std::optional<RunRecord> liveRecord(const QString &directory)
{
    const auto record = readRunRecord(directory);
    if (!record || !isLive(currentPhase(*record)))
        return std::nullopt;
    return *record;
}

/// msrun empties the logs that are there; those of a run that is alive are not its to empty.
std::optional<Error> problemWithLiveRuns(const LaunchPlan &plan, const QString &ownRun)
{
    QSet<QString> logs;
    for (const ProcessPlan &process : plan.processes)
        logs.insert(process.logFile);
    for (const QString &directory : markedRuns()) {
        const auto record = directory == ownRun ? std::nullopt : liveRecord(directory);
        if (!record)
            continue;
        for (const ProcessPlan &process : record->plan.processes) {
            if (logs.contains(process.logFile))
                return Error{tr("the run %1 is alive and writes this log").arg(record->name), process.logFile,
                             tr("Stop it, or name another directory with --log_dir.")};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Error> problemWithMsrunStart(const LaunchPlan &plan, const QString &ownRun)
{
    if (plan.launcher != QLatin1String("msrun") || plan.processes.empty())
        return std::nullopt;
    if (const auto error = problemWithScript(plan.processes.front(), {}))
        return error;
    if (const auto error = problemWithTable(plan))
        return error;
    return problemWithLiveRuns(plan, ownRun);
}

} // namespace rankdeck
