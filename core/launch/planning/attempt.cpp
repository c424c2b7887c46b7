#include "launch/planning/attempt.h"

#include "launch/planning/planners.h"
#include "launch/planning/pythonfunction.h"

#include <algorithm>

namespace rankdeck
{

QStringList writtenFiles(const ProcessPlan &process)
{
    return {process.logFile, process.stderrFile, process.setVariables.value(QLatin1String(errorFileVariable)),
            process.setVariables.value(QLatin1String(returnFileVariable))};
}

void setWrittenFiles(ProcessPlan &process, const QStringList &files)
{
    process.logFile = files[0];
    process.stderrFile = files[1];
    const auto set = [&](const char *name, qsizetype file) {
        const auto variable = process.setVariables.find(QLatin1String(name));
        if (variable != process.setVariables.end())
            *variable = files.value(file);
    };
    set(errorFileVariable, 2);
    set(returnFileVariable, 3);
}

QStringList hookLogs(const LaunchPlan &plan, const QString &node)
{
    QStringList logs;
    for (const auto *hooks : {&plan.before, &plan.after}) {
        const auto first = std::find_if(hooks->begin(), hooks->end(),
                                        [&](const ProcessPlan &hook) { return hook.node == node; });
        logs << (first == hooks->end() ? QString() : first->logFile);
    }
    return logs;
}

QString attemptFolder(const QString &attempt)
{
    return QStringLiteral("attempt_") + attempt;
}

QString forAttempt(const LaunchPlan &plan, QString path, int attempt)
{
    const QString folder = attemptFolder(QLatin1String(attemptPlaceholder));
    // The last one is the planner's: a log directory may have any name.
    const auto at = plan.maxRestarts == 0 ? -1 : path.lastIndexOf(folder);
    return at < 0 ? path : path.replace(at, folder.size(), attemptFolder(QString::number(attempt)));
}

LaunchPlan forAttempt(LaunchPlan plan, int attempt)
{
    if (plan.maxRestarts == 0)
        return plan;
    const auto settle = [&](QString &path) {
        path = forAttempt(plan, path, attempt);
    };
    const QString recorders = QLatin1String(recorderFolderName) + QLatin1Char('/') +
                              attemptFolder(QLatin1String(attemptPlaceholder));
    const auto settleProcess = [&](ProcessPlan &process) {
        // Of variables only ours: what a user sets may look like anything.
        QStringList files = writtenFiles(process);
        std::ranges::for_each(files, settle);
        setWrittenFiles(process, files);
        for (QString &directory : process.makeDirectories)
            settle(directory);
        for (int word = 0; word < process.wrapperWords; ++word)
            settle(process.argv[word]);
        for (QString &value : process.setVariables) {
            if (value.contains(recorders))
                settle(value);
        }
        const auto variable = process.setVariables.find(QLatin1String(restartCountVariable));
        if (variable != process.setVariables.end() && *variable == QLatin1String(attemptPlaceholder))
            *variable = QString::number(attempt);
    };
    for (auto *processes : {&plan.before, &plan.processes, &plan.after})
        std::for_each(processes->begin(), processes->end(), settleProcess);
    return plan;
}

} // namespace rankdeck
