#include "launch/plan/launchplan.h"

#include "base/listcomma.h"

#include <algorithm>

namespace rankdeck
{

QString placeOf(const LaunchPlan &plan)
{
    constexpr std::size_t shown = 8;
    if (plan.transport.isEmpty())
        return plan.thisNode;
    QStringList names;
    for (std::size_t index = 0; index < std::min(plan.nodes.size(), shown); ++index)
        names << plan.nodes[index].node;
    if (plan.nodes.size() > shown)
        names << u"…"_s;
    return tr("%n nodes over %1 (%2)", "%n node over %1 (%2)", static_cast<int>(plan.nodes.size()))
        .arg(plan.transport, names.join(nameComma()));
}

LaunchPlan withRunDirectory(LaunchPlan plan, const QString &runDirectory)
{
    const QString placeholder = QString::fromLatin1(runDirectoryPlaceholder) + '/'_L1;
    const auto settle = [&](QString &path) {
        if (path.startsWith(placeholder))
            path = runDirectory + '/'_L1 + path.mid(placeholder.size());
    };
    settle(plan.rankTableFile);
    settle(plan.inventedNpuSmi);
    for (PlannedFile &file : plan.files)
        settle(file.path);
    for (std::vector<ProcessPlan> *list : {&plan.before, &plan.processes, &plan.after}) {
        for (ProcessPlan &process : *list) {
            settle(process.logFile);
            settle(process.stderrFile);
            for (QString &directory : process.makeDirectories)
                settle(directory);
            for (int word = 0; word < process.wrapperWords; ++word)
                process.argv[word].replace(placeholder, runDirectory + '/'_L1);
            for (QString &value : process.setVariables)
                settle(value);
        }
    }
    return plan;
}

int LaunchPlan::processOfRank(int rank) const
{
    const auto found = std::ranges::find_if(processes, [rank](const ProcessPlan &process) {
        return process.role == Role::Worker && process.rank.value == rank;
    });
    return found == processes.end() ? -1 : static_cast<int>(found - processes.begin());
}

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
