#include "preflight/planchecks.h"

#include "launch/environmentrules.h"
#include "launch/leftovervariables.h"
#include "launch/planlaunch.h"
#include "launch/visibledevices.h"
#include "numberranges.h"
#include "ranktable/ranktablecheck.h"
#include "ranktable/ranktablelocation.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

/// A table may have hundreds; the first say enough.
constexpr std::size_t mostFindings = 20;

struct PlanCheckWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::PlanChecks)
};

QString tr(const char *text)
{
    return PlanCheckWords::tr(text);
}

PreflightCheck checkOfFinding(const Finding &finding, const QString &path)
{
    const QString place = finding.line > 0 ? QStringLiteral("%1:%2").arg(path).arg(finding.line) : path;
    const Status status = finding.severity == Severity::Error ? Status::Fail : Status::Warn;
    PreflightCheck check =
        checkOf(Part::Plan, QStringLiteral("rank-table"), status, {finding.what, place, finding.mend});
    check.subject = finding.rule;
    return check;
}

std::vector<PreflightCheck> tableChecks(const LaunchSpec &spec, const HostFacts &facts)
{
    const QString name = QStringLiteral("rank-table");
    if (!needsRankTable(spec) && spec.rankTableFile.isEmpty())
        return {{Part::Plan, name, {}, Status::Skipped, tr("The launch has no rank table."), {}}};
    const QString path = QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
    const auto report = checkRankTableFile(path);
    if (!report)
        return {checkOf(Part::Plan, name, Status::Fail, report.error())};
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
        checks.push_back({Part::Plan,
                          name,
                          {},
                          report->hasErrors() ? Status::Fail : Status::Warn,
                          tr("The rank table has %1 findings more.").arg(more),
                          tr("rankdeckctl ranktable check lists them all.")});
    if (checks.empty())
        checks.push_back({Part::Plan,
                          name,
                          {},
                          Status::Pass,
                          tr("The rank table is well: %1 ranks on %2 nodes.")
                              .arg(report->table.deviceCount())
                              .arg(report->table.servers.size()),
                          {}});
    return checks;
}

/// Problems of variables, each with the ranks that have it, in the order in which they were found.
class VariableProblems
{
public:
    void add(const EnvironmentProblem &problem, int rank)
    {
        const auto known = std::find_if(m_found.begin(), m_found.end(),
                                        [&](const Found &found) { return found.problem == problem; });
        if (known == m_found.end())
            m_found.push_back({problem, {rank}});
        else if (!known->ranks.contains(rank))
            known->ranks << rank;
    }

    std::vector<PreflightCheck> checks(int worldSize) const
    {
        std::vector<PreflightCheck> checks;
        for (const auto &[problem, ranks] : m_found) {
            PreflightCheck check = checkOf(Part::Plan, QStringLiteral("environment"),
                                           problem.isError ? Status::Fail : Status::Warn,
                                           {problem.what, problem.variable, problem.mend});
            check.subject = ranksText(ranks, worldSize);
            checks.push_back(check);
        }
        return checks;
    }
    bool isEmpty() const { return m_found.empty(); }

private:
    struct Found {
        EnvironmentProblem problem;
        QList<int> ranks;
    };
    std::vector<Found> m_found;
};

std::vector<PreflightCheck> environmentChecks(const LaunchPlan &plan, const HostFacts &facts)
{
    VariableProblems problems;
    QStringList known;
    int workers = 0;
    for (const ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker)
            continue;
        ++workers;
        const VariableLookup valueOf = [&](const QString &name) {
            return effectiveValue(process, facts.environment, name);
        };
        for (const EnvironmentProblem &problem : environmentProblems(valueOf))
            problems.add(problem, process.rank.value);
        const QString visible = QStringLiteral("ASCEND_RT_VISIBLE_DEVICES");
        // How many there are each node says itself.
        if (const auto error = problemWithVisibleDevices(valueOf(visible), 0))
            problems.add({visible, true, error->what, error->mend}, process.rank.value);
        if (known.isEmpty())
            known = knownVariablesSet(valueOf);
    }
    if (!problems.isEmpty())
        return problems.checks(workers);
    const QString sentence = known.isEmpty() ? tr("No variable of CANN, HCCL, torch_npu or MindSpore is set.")
                                             : tr("%1 variables are in their ranges: %2.")
                                                   .arg(known.size())
                                                   .arg(known.join(QStringLiteral(", ")));
    return {{Part::Plan, QStringLiteral("environment"), {}, Status::Pass, sentence, {}}};
}

} // namespace

QString ranksText(const QList<int> &ranks, int worldSize)
{
    constexpr qsizetype mostLetters = 40;
    if (ranks.size() == 1)
        return tr("rank %1").arg(ranks.first());
    if (ranks.size() == worldSize)
        return tr("all ranks");
    const QString list = numberRanges(ranks);
    return list.size() <= mostLetters ? tr("ranks %1").arg(list) : tr("%1 ranks").arg(ranks.size());
}

std::vector<PreflightCheck> planChecks(const LaunchSpec &spec, const LaunchPlan &plan, const HostFacts &facts)
{
    std::vector<PreflightCheck> checks;
    checks.push_back({Part::Plan,
                      QStringLiteral("plan"),
                      {},
                      Status::Pass,
                      tr("%1 starts %2 processes, %3 ranks, on %4.")
                          .arg(plan.launcher)
                          .arg(plan.processes.size())
                          .arg(plan.worldSize())
                          .arg(placeOf(plan)),
                      {}});
    const QStringList leftovers = leftoverNotes(plan, facts.environment);
    for (const QString &note : plan.notes) {
        const Status status = leftovers.contains(note) ? Status::Warn : Status::Pass;
        checks.push_back({Part::Plan, QStringLiteral("note"), {}, status, note, {}});
    }
    for (auto &&some : {tableChecks(spec, facts), environmentChecks(plan, facts)})
        checks.insert(checks.end(), some.begin(), some.end());
    return checks;
}

} // namespace rankdeck
