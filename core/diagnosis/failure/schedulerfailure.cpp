#include "diagnosis/schedulerfailure.h"

#include "diagnosis/schedulerlog.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("SchedulerFailure", text);
}

/// Ranks of a list, the first few spelled out.
QString listed(const QStringList &ranks)
{
    constexpr int shown = 8;
    const QString text = ranks.mid(0, shown).join(QLatin1String(", "));
    return ranks.size() > shown ? tr("%1 and %2 more").arg(text).arg(ranks.size() - shown) : text;
}

/// That the cluster's time to form was over, if it was.
QString timeWords(const ProcessPlan &plan, const RankState &scheduler)
{
    bool isNumber = false;
    const int limit = plan.setVariables.value(QStringLiteral("MS_TOPO_TIMEOUT")).toInt(&isNumber);
    const qint64 lived = scheduler.started.msecsTo(scheduler.ended) / 1000;
    if (!isNumber || limit < 0 || !scheduler.started.isValid() || lived < limit)
        return {};
    return tr("it lived for %1 s, and the cluster had %2 s to form (--cluster_time_out)")
        .arg(lived)
        .arg(limit);
}

/// Whether the node ids in MindSpore's log are ranks: msrun gives them to the workers then.
bool knowsRanks(const LaunchPlan &plan)
{
    return std::any_of(plan.processes.begin(), plan.processes.end(), [](const ProcessPlan &process) {
        return process.setVariables.contains(QStringLiteral("MS_NODE_ID"));
    });
}

bool isHere(const LaunchPlan &plan, int rank)
{
    return std::any_of(plan.processes.begin(), plan.processes.end(), [&](const ProcessPlan &process) {
        return process.role == Role::Worker && process.rank == Rank(rank);
    });
}

bool isFormed(const LaunchPlan &plan, const SchedulerLog &log)
{
    return log.isFormed || log.registered.size() >= plan.worldSize();
}

/// How many workers came, and, where ranks are known, which did not.
QStringList registrationWords(const LaunchPlan &plan, const SchedulerLog &log)
{
    if (log.registered.isEmpty() || isFormed(plan, log))
        return {};
    QStringList words{tr("%1 of %2 workers registered with the scheduler")
                          .arg(log.registered.size())
                          .arg(plan.worldSize())};
    QStringList here;
    QStringList elsewhere;
    for (int rank = 0; rank < plan.worldSize() && knowsRanks(plan); ++rank) {
        if (!log.registered.contains(QString::number(rank)))
            (isHere(plan, rank) ? here : elsewhere) << QString::number(rank);
    }
    if (!here.isEmpty())
        words << tr("not registered, of this node: rank %1").arg(listed(here));
    if (!elsewhere.isEmpty())
        words << tr("not registered, of other nodes: rank %1").arg(listed(elsewhere));
    return words;
}

QStringList timeOutWords(const LaunchPlan &plan, const SchedulerLog &log)
{
    if (log.timedOut.isEmpty())
        return {};
    const QString list = listed(log.timedOut);
    return {knowsRanks(plan) ? tr("the scheduler heard no more of rank %1").arg(list)
                             : tr("the scheduler heard no more of node %1").arg(list)};
}

} // namespace

QString schedulerFailureReason(const RunState &state, int process)
{
    const LaunchPlan &plan = *state.plan;
    int started = 0;
    QStringList missing;
    QStringList ended;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const ProcessPlan &worker = plan.processes[index];
        if (worker.role != Role::Worker)
            continue;
        const RankState &known = state.ranks[index];
        if (known.pid == 0)
            missing << QString::number(worker.rank.value);
        else
            ++started;
        if (known.pid != 0 && known.status)
            ended << QString::number(worker.rank.value);
    }
    const auto at = static_cast<std::size_t>(process);
    const SchedulerLog log = readSchedulerLog(plan.processes[at].logFile);
    QStringList words;
    if (!isFormed(plan, log))
        words << timeWords(plan.processes[at], state.ranks[at]);
    words << tr("%1 of %2 workers were started on this node").arg(started).arg(plan.worldSize());
    if (!missing.isEmpty())
        words << tr("not started: rank %1").arg(listed(missing));
    if (!ended.isEmpty())
        words << tr("ended before the scheduler: rank %1").arg(listed(ended));
    words << registrationWords(plan, log) << timeOutWords(plan, log);
    words.removeAll(QString());
    return words.join(QLatin1String("; "));
}

QString missingWorkersReason(const RunState &state)
{
    const LaunchPlan &plan = *state.plan;
    const auto scheduler =
        std::find_if(plan.processes.begin(), plan.processes.end(),
                     [](const ProcessPlan &process) { return process.role == Role::Scheduler; });
    if (scheduler == plan.processes.end())
        return {};
    const SchedulerLog log = readSchedulerLog(scheduler->logFile);
    QStringList words;
    // Before that a worker that fails is the reason why others have not come.
    const auto at = static_cast<std::size_t>(scheduler - plan.processes.begin());
    if (!timeWords(*scheduler, state.ranks[at]).isEmpty())
        words << registrationWords(plan, log);
    words << timeOutWords(plan, log);
    return words.join(QLatin1String("; "));
}

} // namespace rankdeck
