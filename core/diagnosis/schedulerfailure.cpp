#include "diagnosis/schedulerfailure.h"

#include <QCoreApplication>
#include <QStringList>

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
    return tr("it lived for %1 s, and the cluster had %2 s to form (--cluster_time_out); ")
        .arg(lived)
        .arg(limit);
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
    QString text = timeWords(plan.processes[at], state.ranks[at]) +
                   tr("%1 of %2 workers were started on this node").arg(started).arg(plan.worldSize());
    if (!missing.isEmpty())
        text += tr("; not started: rank %1").arg(listed(missing));
    if (!ended.isEmpty())
        text += tr("; ended before the scheduler: rank %1").arg(listed(ended));
    return text;
}

} // namespace rankdeck
