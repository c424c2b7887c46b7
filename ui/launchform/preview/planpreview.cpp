#include "launchform/preview/planpreview.h"

#include "agent/preflight/preflight.h"
#include "agent/supervise/launcher.h"
#include "launch/nodes/planlaunch.h"
#include "launch/planning/launchbasics.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/reading/ranktablewaiter.h"
#include "ranktable/table/ranktablelocation.h"
#include "run/workers/worker.h"
#include "widgets/chipchoice.h"

namespace rankdeck
{

static QString rankTableVariable(const QProcessEnvironment &environment)
{
    for (const QString &name : {u"RANK_TABLE_FILE_V_1_0"_s, u"RANK_TABLE_FILE"_s}) {
        if (!environment.value(name).isEmpty())
            return name;
    }
    return {};
}

static void findTables(PreviewResult &result, const HostFacts &facts)
{
    result.tablePath = rankTablePath(result.spec.rankTableFile, facts.environment);
    result.defaultTableVariable = rankTableVariable(facts.environment);
    result.defaultTablePath = rankTablePath({}, facts.environment);
    result.defaultConvertedPath = convertedRankTablePath(
        {}, facts.environment,
        QString::fromLatin1(facts.platformHomeIsWritable ? platformHome : runDirectoryPlaceholder));
}

static void check(PreviewResult &result, Chip chip)
{
    const Result<CheckReport> report = checkRankTableFile(result.tablePath, {chip});
    if (report && (report->unusable || report->table.isCompleted()))
        result.check = TableCheck::of(*report);
}

/// A script that a hook may bring is not missing. preflight() looks for those of the other launchers.
static std::optional<Error> missingScript(const LaunchPlan &plan, const QProcessEnvironment &environment)
{
    if (!plan.before.empty() || !plan.transport.isEmpty() || plan.processes.empty())
        return std::nullopt;
    const ProcessPlan &process = plan.processes.front();
    return problemWithScript(process, searchPathFor(process, environment));
}

static void plan(PreviewResult &result, const RankTable &table, const HostFacts &facts)
{
    const Result<LaunchPlan> made = planLaunch(result.spec, table, result.tablePath, facts);
    if (!made) {
        result.errors += made.error();
        return;
    }
    result.plan = *made;
    if (const std::optional<Error> error = preflight(*made, facts.environment))
        result.errors += *error;
    else if (const std::optional<Error> missing = missingScript(*made, facts.environment))
        result.errors += *missing;
}

static void planWithTable(PreviewResult &result, const HostFacts &facts)
{
    const Result<RankTable> table = readRankTable(result.tablePath);
    if (table && table->isCompleted())
        return plan(result, *table, facts);
    result.tableStatus = statusOfUnfinishedTable(result.tablePath, table);
    if (!table && result.tableStatus.isEmpty())
        result.errors += table.error();
    if (const std::optional<Error> error = problemWithoutTable(result.spec, facts))
        result.errors += *error;
}

PlannedLaunch plannedLaunch(const LaunchSpec &spec, Chip chip)
{
    PlannedLaunch planned;
    PreviewResult &result = planned.preview;
    result.spec = spec;
    const Result<HostFacts> facts = gatherLaunchFacts(spec);
    if (facts)
        planned.facts = *facts;
    else if (needsRankTable(spec))
        planned.facts = HostFacts::gather();
    if (needsRankTable(spec))
        findTables(result, planned.facts);
    if (!facts) {
        result.errors += facts.error();
    } else if (needsRankTable(spec)) {
        planWithTable(result, planned.facts);
    } else {
        plan(result, {}, planned.facts);
        // The table of this machine, not its copy on a node.
        if (result.plan && !result.plan->rankTableFile.isEmpty())
            result.tablePath = absoluteLaunchPath(spec.rankTableFile, planned.facts);
    }
    if (!result.tablePath.isEmpty())
        check(result, chip);
    return planned;
}

PlanPreview::PlanPreview(QObject *parent)
    : QObject(parent)
    , m_making(this, [this](const PreviewResult &result) { receive(result); })
{
    connect(&m_debounce, &QTimer::timeout, this, &PlanPreview::send);
}

void PlanPreview::request(const LaunchSpec &spec)
{
    m_wanted = spec;
    m_debounce.start();
}

void PlanPreview::send()
{
    m_busy = true;
    m_making.ask([spec = *m_wanted, chip = ChipChoice::remembered()](const auto &) {
        return plannedLaunch(spec, chip).preview;
    });
    m_wanted.reset();
}

void PlanPreview::receive(const PreviewResult &result)
{
    m_busy = false;
    if (!m_wanted)
        Q_EMIT ready(result);
}

} // namespace rankdeck
