#include "preflight/testedranks.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("TestedRanks", text);
}

PreflightCheck leftOut(const char *name, const QString &sentence, const QString &mend = {})
{
    return {PreflightCheck::Part::Pairs,
            QLatin1String(name),
            {},
            PreflightCheck::Status::Skipped,
            sentence,
            mend};
}

} // namespace

TestedRanks testedRanks(const LaunchPlan &plan)
{
    std::vector<const ProcessPlan *> workers;
    for (const ProcessPlan &process : plan.processes) {
        if (process.role == Role::Worker)
            workers.push_back(&process);
    }
    const int count = static_cast<int>(workers.size());
    const bool oneOfEachNode = count > mostSelfTestRanks && plan.nodes.size() > 1;
    TestedRanks tested;
    for (const ProcessPlan *worker : workers) {
        if (oneOfEachNode && tested.nodes.contains(worker->node))
            continue;
        if (tested.ranks.size() == mostSelfTestRanks)
            break;
        tested.ranks << worker->rank.value;
        tested.nodes << worker->node;
    }
    if (count > tested.ranks.size())
        tested.checks.push_back(
            leftOut("ranks", tr("Of %1 ranks %2 stand for the others: the first of each node, %3 "
                                "at most.")
                                 .arg(count)
                                 .arg(tested.ranks.size())
                                 .arg(mostSelfTestRanks)));
    if (plan.transport.isEmpty() && plan.worldSize() > count)
        tested.checks.push_back(
            leftOut("nodes",
                    tr("This plan starts %1 of %2 ranks; those of other nodes are not tested.")
                        .arg(count)
                        .arg(plan.worldSize()),
                    tr("Name all nodes with --nodes to test all ranks.")));
    return tested;
}

} // namespace rankdeck
