#include "launch/writtenfiles.h"

#include "launch/processes.h"

#include <algorithm>

namespace rankdeck
{

QStringList writtenFiles(const ProcessPlan &process)
{
    return {process.logFile, process.stderrFile,
            process.setVariables.value(QLatin1String(errorFileVariable))};
}

void setWrittenFiles(ProcessPlan &process, const QStringList &files)
{
    process.logFile = files[0];
    process.stderrFile = files[1];
    const auto variable = process.setVariables.find(QLatin1String(errorFileVariable));
    if (variable != process.setVariables.end())
        *variable = files[2];
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

} // namespace rankdeck
