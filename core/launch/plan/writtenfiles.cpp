#include "launch/plan/writtenfiles.h"

#include "launch/plan/launchplan.h"
#include "launch/plan/planvariables.h"

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

} // namespace rankdeck
