#include "launchform/previewworker.h"

#include "agent/launcher.h"
#include "launch/planlaunch.h"
#include "ranktable/ranktablelocation.h"
#include "ranktable/ranktablereader.h"

namespace rankdeck
{

namespace
{

QString rankTableVariable(const QProcessEnvironment &environment)
{
    for (const QString &name : {QStringLiteral("RANK_TABLE_FILE_V_1_0"), QStringLiteral("RANK_TABLE_FILE")}) {
        if (!environment.value(name).isEmpty())
            return name;
    }
    return {};
}

void check(PreviewResult &result, Chip chip)
{
    const Result<CheckReport> report = checkRankTableFile(result.tablePath, {chip});
    if (report && (report->unusable || report->table.isCompleted()))
        result.check = TableCheck::of(*report);
}

void plan(PreviewResult &result, const HostFacts &facts)
{
    const Result<RankTable> table = readRankTable(result.tablePath);
    if (table && table->isCompleted()) {
        const Result<LaunchPlan> made = planLaunch(result.spec, *table, result.tablePath, facts);
        if (!made) {
            result.errors += made.error();
            return;
        }
        result.plan = *made;
        if (const std::optional<Error> error = preflight(*made, facts.environment))
            result.errors += *error;
        return;
    }
    if (table)
        result.tableStatus = table->status;
    else
        result.errors += table.error();
    if (const std::optional<Error> error = problemWithoutTable(result.spec, facts))
        result.errors += *error;
}

} // namespace

void PreviewWorker::make(const LaunchSpec &spec, Chip chip)
{
    const HostFacts facts = HostFacts::gather();
    PreviewResult result;
    result.spec = spec;
    result.tablePath = rankTablePath(spec.rankTableFile, facts.environment);
    result.defaultTableVariable = rankTableVariable(facts.environment);
    result.defaultTablePath = rankTablePath({}, facts.environment);
    result.defaultConvertedPath = convertedRankTablePath(
        {}, facts.environment,
        QString::fromLatin1(facts.platformHomeIsWritable ? platformHome : runDirectoryPlaceholder));
    check(result, chip);
    plan(result, facts);
    Q_EMIT ready(result);
}

} // namespace rankdeck
