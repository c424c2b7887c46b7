#include "launchform/previewworker.h"

#include "agent/launcher.h"
#include "launchform/makeplan.h"
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

void plan(PreviewResult &result, const HostFacts &facts)
{
    const Result<RankTable> table = readRankTable(result.tablePath);
    if (!table) {
        result.error = table.error();
        return;
    }
    if (!table->isCompleted()) {
        result.tableStatus = table->status;
        return;
    }
    const Result<LaunchPlan> made = makePlan(result.spec, *table, result.tablePath, facts);
    if (!made) {
        result.error = made.error();
        return;
    }
    result.plan = *made;
    result.error = preflight(*made, facts.environment);
}

} // namespace

void PreviewWorker::make(const LaunchSpec &spec)
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
    result.currentDirectory = facts.currentDirectory;
    plan(result, facts);
    Q_EMIT ready(result);
}

} // namespace rankdeck
