// The JSON of a LaunchPlan, both ways.

#include "base/fields.h"
#include "launch/plan/launchplan.h"

#include <algorithm>

namespace rankdeck
{

static void visitFields(Fields &fields, PlannedNode &node)
{
    fields("node", node.node);
    fields("host", node.host);
}

static void visitFields(Fields &fields, AllocationRequest &request)
{
    fields("nodes", request.nodes);
    fields("names", request.names);
}

static void visitFields(Fields &fields, ScratchDirectory &scratch)
{
    fields("variable", scratch.variable);
    fields("roots", scratch.roots);
}

static void visitFields(Fields &fields, AdoptedProcess &adopted)
{
    fields("pid", adopted.pid);
    fields("start_time", adopted.startTime);
    fields("job", adopted.job);
}

static void visitFields(Fields &fields, WaitingTimeout &timeout)
{
    constexpr int last = static_cast<int>(WaitingTimeout::Whom::Halted);
    auto whom = static_cast<int>(timeout.whom);
    fields("variable", timeout.variable);
    fields("seconds", timeout.seconds);
    fields("whom", whom);
    if (fields.isReading())
        timeout.whom = static_cast<WaitingTimeout::Whom>(std::clamp(whom, 0, last));
}

static void visitFields(Fields &fields, PlannedFile &file)
{
    fields("path", file.path);
    fields("content", file.content);
}

static void visitServers(Fields &fields, RankTable &table)
{
    fields.each("servers", table.servers, [&](Server &server) {
        fields("server_id", server.serverId);
        fields.each("devices", server.devices, [&](Device &device) {
            fields("device_id", device.deviceId);
            fields("device_ip", device.deviceIp);
            fields.optional("rank", device.rank);
        });
    });
    if (fields.isReading())
        table.status = u"completed"_s;
}

/// Carries the variables that `common` does not have.
static void visitVariables(Fields &fields, ProcessPlan &process, const ProcessPlan &common)
{
    QMap<QString, QString> own;
    if (!fields.isReading()) {
        own = process.setVariables;
        own.removeIf(
            [&](QMap<QString, QString>::iterator it) { return common.setVariables.contains(it.key()); });
    }
    fields("set", own);
    if (fields.isReading())
        process.setVariables.insert(own);
}

/// @param common the values that are not repeated; null: all are written.
static void visitProcess(Fields &fields, ProcessPlan &process, const ProcessPlan *common)
{
    static const ProcessPlan asInherited;
    const ProcessPlan &usual = common ? *common : asInherited;
    if (fields.isReading())
        process = usual;
    QString role = roleWord(process.role);
    fields("role", role);
    fields("rank", process.rank);
    fields("local_rank", process.localRank);
    fields("device", process.device);
    fields("log", process.logFile);

    const auto unusual = [&](const char *key, auto ProcessPlan::*field) {
        fields.optional(key, process.*field, usual.*field);
    };
    const auto shared = [&](const char *key, auto ProcessPlan::*field) {
        if (common)
            unusual(key, field);
        else
            fields(key, process.*field);
    };
    shared("node", &ProcessPlan::node);
    shared("argv", &ProcessPlan::argv);
    shared("unset", &ProcessPlan::removeVariables);
    shared("work_dir", &ProcessPlan::workDir);
    shared("make_directories", &ProcessPlan::makeDirectories);
    // These are like the shared ones, but plans of earlier versions lack them.
    const auto newer = [&](const char *key, auto ProcessPlan::*field) {
        if (common)
            unusual(key, field);
        else
            fields.newer(key, process.*field);
    };
    newer("stderr", &ProcessPlan::stderrFile);
    newer("cpus", &ProcessPlan::cpus);
    visitVariables(fields, process, usual);
    QString console = streamsWord(process.console);
    fields.optional("console", console, streamsWord(usual.console));
    unusual("console_prefix", &ProcessPlan::consolePrefix);
    unusual("copied_from", &ProcessPlan::copiedFrom);
    unusual("may_fail", &ProcessPlan::mayFail);
    unusual("found", &ProcessPlan::isFound);
    unusual("rank_open", &ProcessPlan::isRankOpen);
    unusual("started_as", &ProcessPlan::startedAs);
    unusual("memory_nodes", &ProcessPlan::memoryNodes);
    unusual("nice", &ProcessPlan::nice);
    unusual("memory_limit_mib", &ProcessPlan::memoryLimitMiB);
    unusual("open_files", &ProcessPlan::openFiles);
    unusual("umask", &ProcessPlan::umask);
    unusual("wrapper_words", &ProcessPlan::wrapperWords);
    unusual("terminal", &ProcessPlan::hasTerminal);
    if (!fields.isReading())
        return;
    process.role = roleFrom(role);
    process.console = streamsFrom(console).value_or(Streams::All);
    process.wrapperWords = std::clamp(process.wrapperWords, 0, static_cast<int>(process.argv.size()));
}

static void visitFields(Fields &fields, ProcessPlan &process)
{
    visitProcess(fields, process, nullptr);
}

/// Returns the last of `processes` with only the variables that all have alike.
static ProcessPlan commonOf(const std::vector<ProcessPlan> &processes)
{
    ProcessPlan common = processes.back();
    common.setVariables = commonVariables(processes);
    return common;
}

static void visitPlan(Fields &fields, LaunchPlan &plan, bool isCompact)
{
    fields("launcher", plan.launcher);
    fields("name", plan.name);
    fields("job_id", plan.jobId);
    fields("this_node", plan.thisNode);
    fields("rank_table_file", plan.rankTableFile);
    fields("destroy_when_finished", plan.destroyWhenFinished);
    fields("raise_on_failure", plan.raiseOnFailure);
    fields("grace", plan.graceSeconds);
    fields.said("notes_said", plan.notes, nullptr, [&](QStringList &texts) { fields("notes", texts); });
    fields.optional("transport", plan.transport);
    fields.optional("empty_directory", plan.emptyDirectory);
    fields.optional("prompt_pattern", plan.promptPattern);
    fields.optional("needed_hbm_mb", plan.neededHbmMb);
    fields.optional("max_restarts", plan.maxRestarts);
    fields.optional("invented_npu_smi", plan.inventedNpuSmi);
    visitServers(fields, plan.rankTable);
    int worldSize = plan.worldSize();
    fields("world_size", worldSize);
    if (fields.isReading())
        plan.totalRanks = worldSize == plan.rankTable.deviceCount() ? 0 : worldSize;
    std::optional<ProcessPlan> common;
    if (isCompact && !fields.isReading() && !plan.processes.empty())
        common = commonOf(plan.processes);
    fields.optional("common", common);
    fields.each("processes", plan.processes,
                [&](ProcessPlan &process) { visitProcess(fields, process, common ? &*common : nullptr); });
    fields.optional("before", plan.before);
    fields.optional("after", plan.after);
    fields("files", plan.files);
    fields.newer("overwrite_logs", plan.overwriteLogs);
    fields.optional("scratch", plan.scratch);
    if (fields.isReading() || !plan.transport.isEmpty())
        fields.newer("nodes", plan.nodes);
    fields.optional("allocation", plan.allocation);
    fields.optional("adopted", plan.adopted);
    fields.optional("timeouts", plan.timeouts);
}

void visitFields(Fields &fields, LaunchPlan &plan)
{
    visitPlan(fields, plan, false);
}

void visitFields(Fields &fields, CompactPlan &compact)
{
    visitPlan(fields, compact.plan, true);
}

void visitCompactPlan(Fields &fields, LaunchPlan &plan)
{
    CompactPlan compact;
    if (!fields.isReading())
        compact.plan = plan;
    fields("plan", compact);
    if (fields.isReading())
        plan = std::move(compact.plan);
}

Result<LaunchPlan> launchPlanFromJson(const nlohmann::json &json)
{
    LaunchPlan plan;
    if (const auto wrong = JsonAccess::read(json, &JsonAccess::visit<LaunchPlan>, &plan, false))
        return Error{tr("cannot read the plan: %1").arg(wrong->key), {}, {}};
    return plan;
}

QString processText(const ProcessPlan &process)
{
    LaunchPlan alone;
    alone.processes = {process};
    return QString::fromUtf8(jsonTextOf(alone));
}

std::optional<ProcessPlan> processFromText(const QString &text)
{
    const auto alone = fromJsonText<LaunchPlan>(text.toUtf8());
    return alone && alone->processes.size() == 1 ? std::optional(alone->processes.front()) : std::nullopt;
}

} // namespace rankdeck
