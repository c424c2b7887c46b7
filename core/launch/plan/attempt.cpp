#include "launch/plan/attempt.h"

#include "launch/plan/recorderfiles.h"

#include <algorithm>

namespace rankdeck
{

QString attemptFolder(const QString &attempt)
{
    return u"attempt_"_s + attempt;
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
    const QString recorders =
        QLatin1String(recorderFolderName) + '/'_L1 + attemptFolder(QLatin1String(attemptPlaceholder));
    const auto settleProcess = [&](ProcessPlan &process) {
        // Only Rankdeck's own variables: a user's may look like anything.
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
