#include "launch/writtenfiles.h"

#include "launch/processes.h"

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

} // namespace rankdeck
