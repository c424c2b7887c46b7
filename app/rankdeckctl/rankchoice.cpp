#include "rankchoice.h"

#include "numberranges.h"

#include <QCoreApplication>
#include <QMap>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("stopcommand", text);
}

} // namespace

Result<QList<int>> workersOf(const LaunchPlan &plan, const QString &ranks)
{
    const QString option = QStringLiteral("--rank");
    const auto wanted = numbersFromRanges(ranks);
    if (!wanted)
        return Error{tr("\"%1\" are no ranks").arg(ranks), option, tr("Give for example 3, or 0,4-7.")};
    QMap<int, int> processOfRank;
    for (int index = 0; index < static_cast<int>(plan.processes.size()); ++index) {
        const ProcessPlan &process = plan.processes[static_cast<std::size_t>(index)];
        if (process.role == Role::Worker)
            processOfRank.insert(process.rank.value, index);
    }
    QList<int> found;
    for (const int rank : *wanted) {
        const int process = processOfRank.value(rank, -1);
        if (process < 0)
            return Error{tr("this run started no rank %1 here").arg(rank), option, {}};
        found << process;
    }
    std::sort(found.begin(), found.end());
    return found;
}

QList<int> runningProcesses(const RunState &state)
{
    QList<int> running;
    for (int process = 0; process < static_cast<int>(state.ranks.size()); ++process) {
        if (state.ranks[static_cast<std::size_t>(process)].phase == RankPhase::Running)
            running << process;
    }
    return running;
}

} // namespace rankdeck
