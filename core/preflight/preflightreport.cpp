#include "preflight/preflightreport.h"

#include "json.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Status = PreflightCheck::Status;

struct ReportWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::PreflightReport)
};

nlohmann::json pairJson(const PairResult &pair)
{
    return {{"from", pair.from},
            {"to", pair.to},
            {"latency_us", pair.latencyUs},
            {"there_mbs", pair.thereMBs},
            {"back_mbs", pair.backMBs},
            {"problem", pair.problem},
            {"one_host", pair.isOneHost}};
}

nlohmann::json collectiveJson(const CollectiveResult &collective)
{
    return {{"operation", collective.operation}, {"ranks", collective.ranks},
            {"bytes", collective.bytes},         {"ms", collective.ms},
            {"mbs", collective.bandwidthMBs()},  {"problem", collective.problem}};
}

} // namespace

void PreflightReport::add(const PreflightCheck &check)
{
    const auto after = std::find_if(checks.begin(), checks.end(), [&](const PreflightCheck &other) {
        return static_cast<int>(other.part) > static_cast<int>(check.part);
    });
    checks.insert(after, check);
}

int PreflightReport::countOf(Status status) const
{
    return static_cast<int>(std::count_if(
        checks.begin(), checks.end(), [&](const PreflightCheck &check) { return check.status == status; }));
}

QString PreflightReport::summary() const
{
    const int failed = countOf(Status::Fail);
    const int warnings = countOf(Status::Warn);
    const int skipped = countOf(Status::Skipped);
    const int all = static_cast<int>(checks.size());
    QStringList parts;
    parts << (failed > 0 ? ReportWords::tr("%1 of %2 checks failed").arg(failed).arg(all)
                         : ReportWords::tr("None of %1 checks failed").arg(all));
    if (warnings > 0)
        parts << (warnings == 1 ? ReportWords::tr("1 warning")
                                : ReportWords::tr("%1 warnings").arg(warnings));
    if (skipped > 0)
        parts << ReportWords::tr("%1 skipped").arg(skipped);
    return ReportWords::tr("%1 (%2 s).").arg(parts.join(QStringLiteral(", "))).arg(seconds, 0, 'f', 1);
}

nlohmann::json toJson(const PreflightReport &report)
{
    nlohmann::json json{{"passed", report.isPassed()}, {"seconds", report.seconds}};
    json["checks"] = nlohmann::json::array();
    for (const PreflightCheck &check : report.checks)
        json["checks"].push_back(toJson(check));
    json["ranks"] = nlohmann::json::array();
    for (int rank = 0; rank < report.selfTest.ranks.size(); ++rank) {
        const SelfTestResults::RankState &state = report.selfTest.ranks.at(rank);
        json["ranks"].push_back({{"rank", report.selfTestRanks.value(rank, rank)},
                                 {"node", report.selfTestNodes.value(rank)},
                                 {"stage", selfTestStageWord(state.stage)},
                                 {"text", state.text}});
    }
    json["pairs"] = nlohmann::json::array();
    for (const PairResult &pair : report.selfTest.pairs)
        json["pairs"].push_back(pairJson(pair));
    json["collectives"] = nlohmann::json::array();
    for (const CollectiveResult &collective : report.selfTest.collectives)
        json["collectives"].push_back(collectiveJson(collective));
    return json;
}

} // namespace rankdeck
