#include "preflight/planchecks.h"

#include "agent/preflight/nodenetwork.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "launch/nodes/planlaunch.h"
#include "launch/planning/planners.h"
#include "ranktable/rules/ranktablecheck.h"
#include "ranktable/table/ranktablelocation.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

/// A check whose subject is the launch.
PreflightCheck launchCheck(Part part, const char *name, Status status, const QString &sentence,
                           const QString &mend = {})
{
    return {part, QLatin1String(name), {}, status, sentence, mend};
}

constexpr double largeOffsetMs = 1000; ///< Ranks, and readers of their logs, compare times between nodes.

std::vector<PreflightCheck> clockChecks(const std::vector<ComparedNode> &nodes)
{
    std::vector<PreflightCheck> checks;
    double farthest = 0;
    for (const ComparedNode &node : nodes) {
        const double offset = std::abs(node.clockOffsetMs);
        farthest = std::max(farthest, offset);
        if (offset > largeOffsetMs)
            checks.push_back(
                {Part::Host, u"clock"_s, node.name, Status::Warn,
                 (node.clockOffsetMs > 0 ? tr("Its clock is %1 s ahead.") : tr("Its clock is %1 s behind."))
                     .arg(offset / 1000, 0, 'f', 1),
                 tr("Synchronise it by NTP (chronyc makestep): Rankdeck compares times in logs "
                    "of several nodes.")});
    }
    if (checks.empty())
        checks.push_back(launchCheck(
            Part::Host, "clock", Status::Pass,
            tr("The nodes' clocks differ from this one by at most %1 ms.").arg(farthest, 0, 'f', 1)));
    return checks;
}

constexpr std::size_t mostFindings = 20; ///< A table may have hundreds of findings; the first are enough.

PreflightCheck checkOfFinding(const Finding &finding, const QString &path)
{
    const QString place = finding.line > 0 ? u"%1:%2"_s.arg(path).arg(finding.line) : path;
    const Status status = finding.severity == Severity::Error ? Status::Fail : Status::Warn;
    PreflightCheck check = checkOf(Part::Plan, u"rank-table"_s, status, {finding.what, place, finding.mend});
    check.subject = finding.rule;
    return check;
}

std::vector<PreflightCheck> tableChecks(const LaunchSpec &spec, const HostFacts &facts)
{
    if (!needsRankTable(spec) && spec.rankTableFile.isEmpty())
        return {launchCheck(Part::Plan, "rank-table", Status::Skipped, tr("The launch has no rank table."))};
    const QString path = QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
    const auto report = checkRankTableFile(path);
    if (!report)
        return {checkOf(Part::Plan, u"rank-table"_s, Status::Fail, report.error())};
    std::vector<PreflightCheck> checks;
    std::size_t more = 0;
    for (const Finding &finding : report->findings) {
        if (finding.severity == Severity::Note)
            continue;
        if (checks.size() < mostFindings)
            checks.push_back(checkOfFinding(finding, path));
        else
            ++more;
    }
    if (more > 0)
        checks.push_back(launchCheck(
            Part::Plan, "rank-table", report->hasErrors() ? Status::Fail : Status::Warn,
            tr("The rank table has %n more findings.", "The rank table has %n more finding.", more),
            tr("Run rankdeckctl ranktable check to list them all.")));
    if (checks.empty())
        checks.push_back(launchCheck(Part::Plan, "rank-table", Status::Pass,
                                     tr("The rank table is correct. Ranks: %1, nodes: %2.")
                                         .arg(report->table.deviceCount())
                                         .arg(report->table.servers.size())));
    return checks;
}

/// A problem of variables, and the ranks that have it.
struct FoundProblem {
    EnvironmentProblem problem;
    QList<int> ranks;
};

void add(std::vector<FoundProblem> &found, const EnvironmentProblem &problem, int rank)
{
    const auto known = std::ranges::find(found, problem, &FoundProblem::problem);
    if (known == found.end())
        found.push_back({problem, {rank}});
    else if (!known->ranks.contains(rank))
        known->ranks << rank;
}

PreflightCheck checkOfProblem(const EnvironmentProblem &problem, const QString &ranks)
{
    const VariableFix &fix = problem.fix;
    PreflightCheck check =
        checkOf(Part::Plan, u"environment"_s, problem.isError ? Status::Fail : Status::Warn,
                {problem.what, problem.variable, problem.mend});
    check.subject = ranks;
    check.fix = fix.value.isEmpty() ? fix.variable : fix.variable + '='_L1 + fix.value;
    return check;
}

std::vector<PreflightCheck> environmentChecks(const LaunchPlan &plan, const HostFacts &facts)
{
    std::vector<FoundProblem> found;
    QStringList known;
    int workers = 0;
    for (const ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker)
            continue;
        ++workers;
        const VariableLookup valueOf = [&](const QString &name) {
            return effectiveValue(process, facts.environment, name);
        };
        // This option of the launch switches variables off.
        const QStringList options = process.cpus.isEmpty() ? QStringList() : QStringList{u"--bind-core"_s};
        for (const EnvironmentProblem &problem : environmentProblems(valueOf, options))
            add(found, problem, process.rank.value);
        const QString visible = u"ASCEND_RT_VISIBLE_DEVICES"_s;
        // Each node reports its own number of NPUs.
        if (const auto error = problemWithVisibleDevices(valueOf(visible), 0))
            add(found, {visible, true, error->what, error->mend, {}}, process.rank.value);
        if (known.isEmpty())
            known = knownVariablesSet(valueOf);
    }
    std::vector<PreflightCheck> checks;
    for (const auto &[problem, ranks] : found)
        checks.push_back(checkOfProblem(problem, ranksText(ranks, workers)));
    if (!checks.empty())
        return checks;
    const QString sentence = known.isEmpty()
                                 ? tr("No variable of CANN, HCCL, torch_npu or MindSpore is set.")
                                 : tr("%n variables have valid values: %1.",
                                      "%n variable has a valid value: %1.", static_cast<int>(known.size()))
                                       .arg(known.join(nameComma()));
    return {launchCheck(Part::Plan, "environment", Status::Pass, sentence)};
}

} // namespace

std::vector<PreflightCheck> compareNodes(const std::vector<ComparedNode> &nodes)
{
    if (nodes.size() < 2)
        return {};
    std::vector<PreflightCheck> checks = clockChecks(nodes);
    QMap<QString, QMap<int, QString>> tls;
    for (const ComparedNode &node : nodes) {
        if (!node.tls.isEmpty())
            tls.insert(node.name, node.tls);
    }
    if (!tls.isEmpty())
        checks.push_back(tlsCheckOfNodes(tls));
    return checks;
}

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
            launchCheck(Part::Pairs, "ranks", Status::Skipped,
                        tr("Of %1 ranks, %2 are tested: the first of each node, at most %3.")
                            .arg(count)
                            .arg(tested.ranks.size())
                            .arg(mostSelfTestRanks)));
    if (plan.transport.isEmpty() && plan.worldSize() > count)
        tested.checks.push_back(
            launchCheck(Part::Pairs, "nodes", Status::Skipped,
                        tr("This plan starts %1 of %2 ranks; ranks of other nodes are not tested.")
                            .arg(count)
                            .arg(plan.worldSize()),
                        tr("Name all nodes with --nodes to test all ranks.")));
    return tested;
}

LaunchSpec withFix(LaunchSpec spec, const QString &fix)
{
    const QString name = fix.section('='_L1, 0, 0);
    spec.environment.remove(name);
    spec.common.unsetVariables.removeAll(name);
    for (auto rank = spec.common.rankEnvironment.begin(); rank != spec.common.rankEnvironment.end(); ++rank)
        rank->remove(name);
    if (fix.contains('='_L1))
        spec.environment.insert(name, fix.section('='_L1, 1));
    else if (!name.isEmpty())
        spec.common.unsetVariables << name;
    return spec;
}

QString ranksText(const QList<int> &ranks, int worldSize)
{
    constexpr qsizetype mostLetters = 40;
    if (ranks.size() > 1 && ranks.size() == worldSize)
        return tr("all ranks");
    const QString list = numberRanges(ranks);
    const auto count = static_cast<int>(ranks.size());
    return list.size() <= mostLetters ? tr("ranks %1", "rank %1", count).arg(list)
                                      : tr("%n ranks", "%n rank", count);
}

std::vector<PreflightCheck> planChecks(const LaunchSpec &spec, const LaunchPlan &plan, const HostFacts &facts)
{
    std::vector<PreflightCheck> checks;
    checks.push_back(
        launchCheck(Part::Plan, "plan", Status::Pass,
                    tr("%1 starts %n processes on %2, world size %3.",
                       "%1 starts %n process on %2, world size %3.", static_cast<int>(plan.processes.size()))
                        .arg(plan.launcher, placeOf(plan))
                        .arg(plan.worldSize())));
    const QList<Sentence> leftovers = leftoverNotes(plan, facts.environment);
    const auto master = plan.transport.isEmpty() ? problemWithMsrunMaster(spec, facts) : std::nullopt;
    if (master)
        checks.push_back(checkOf(Part::Plan, u"master"_s, Status::Fail, *master));
    const auto table = problemWithMsrunTable(spec, facts);
    if (table)
        checks.push_back(checkOf(Part::Plan, u"rank-table"_s, Status::Warn, *table));
    for (const Sentence &note : plan.notes) {
        if ((master && note == master->sentence()) || (table && note == table->sentence()))
            continue;
        const Status status = leftovers.contains(note) ? Status::Warn : Status::Pass;
        checks.push_back(launchCheck(Part::Plan, "note", status, note));
    }
    for (auto &&some : {tableChecks(spec, facts), environmentChecks(plan, facts)})
        checks.insert(checks.end(), some.begin(), some.end());
    return checks;
}

} // namespace rankdeck
