#include "launch/planning/flightrecorder.h"

#include "base/listcomma.h"

#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr char hcclPrefix[] = "/hccl_trace_rank_";
constexpr char ncclPrefix[] = "/comm_lib_trace_rank_";
/// torch's and torch_npu's own limit is ten minutes.
constexpr int leastHeartbeatSeconds = 600;

struct Recorder {
    const char *pipe;
    const char *dump;
};
constexpr Recorder recorders[] = {
    {"TORCH_HCCL_DEBUG_INFO_PIPE_FILE", "TORCH_HCCL_DEBUG_INFO_TEMP_FILE"},
    {"TORCH_NCCL_DEBUG_INFO_PIPE_FILE", "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"},
};

QString folderIn(const QString &runDirectory, const LaunchPlan &plan, const QString &attempt)
{
    const QString folder = runDirectory + QLatin1String(recorderFolderName);
    return plan.maxRestarts == 0 ? folder : folder + QLatin1Char('/') + attemptFolder(attempt);
}

QMap<QString, QString> recorderVariables(const QString &folder, int stallAfterSeconds)
{
    const QString on = QStringLiteral("1");
    const QString entries = QStringLiteral("2000");
    const QString hccl = folder + QLatin1String(hcclPrefix);
    const QString nccl = folder + QLatin1String(ncclPrefix);
    // A process that is silent for longer may be aborted: the stall must have been told by then.
    const QString heartbeat = QString::number(std::max(leastHeartbeatSeconds, 2 * stallAfterSeconds));
    return {
        {QStringLiteral("TORCH_HCCL_ENABLE_MONITORING"), on},
        {QStringLiteral("TORCH_HCCL_TRACE_BUFFER_SIZE"), entries},
        {QStringLiteral("TORCH_HCCL_DUMP_ON_TIMEOUT"), on},
        {QStringLiteral("TORCH_HCCL_DEBUG_INFO_TEMP_FILE"), hccl},
        {QStringLiteral("TORCH_HCCL_DEBUG_INFO_PIPE_FILE"), hccl},
        {QStringLiteral("TORCH_HCCL_HEARTBEAT_TIMEOUT_SEC"), heartbeat},
        {QStringLiteral("TORCH_HCCL_STATUS_SAVE_ENABLE"), on},
        {QStringLiteral("TORCH_HCCL_STATUS_SAVE_PATH"), recorderStatusFolder(folder)},
        {QStringLiteral("TORCH_HCCL_STATUS_SAVE_INTERVAL"), QStringLiteral("2")},
        {QStringLiteral("TORCH_NCCL_TRACE_BUFFER_SIZE"), entries},
        {QStringLiteral("TORCH_NCCL_DUMP_ON_TIMEOUT"), on},
        {QStringLiteral("TORCH_NCCL_DEBUG_INFO_TEMP_FILE"), nccl},
        {QStringLiteral("TORCH_NCCL_DEBUG_INFO_PIPE_FILE"), nccl},
        {QStringLiteral("TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC"), heartbeat},
        {QStringLiteral("TORCH_FR_BUFFER_SIZE"), entries},
        {QStringLiteral("TORCH_FR_DUMP_ON_TIMEOUT"), on},
        {QStringLiteral("TORCH_FR_DUMP_TEMP_FILE"), nccl},
    };
}

} // namespace

void setUpRecorders(LaunchPlan &plan, const LaunchGround &ground)
{
    const QString &wanted = ground.spec.common.flightRecorder;
    if (wanted == QLatin1String("off") || (wanted == QLatin1String("auto") && !ground.facts.hasTorch))
        return;
    const QString folder = folderIn(inRunDirectory({}), plan, QLatin1String(attemptPlaceholder));
    const auto variables = recorderVariables(folder, ground.spec.common.stallAfterSeconds);
    QMap<QString, QString> kept;
    for (ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker)
            continue;
        process.makeDirectories << folder << recorderStatusFolder(folder);
        for (auto its = variables.begin(); its != variables.end(); ++its) {
            const QString own = effectiveValue(process, ground.facts.environment, its.key());
            if (!own.isNull())
                kept.insert(its.key(), own);
            else if (!ground.spec.common.unsetVariables.contains(its.key()))
                process.setVariables.insert(its.key(), its.value());
        }
    }
    if (kept.isEmpty())
        return;
    QStringList texts;
    for (auto its = kept.cbegin(); its != kept.cend(); ++its)
        texts << its.key() + QLatin1Char('=') + its.value();
    plan.notes
        << tr("The flight recorder keeps variables that are already set: %1.").arg(texts.join(nameComma()));
}

bool hasRecorders(const LaunchPlan &plan)
{
    const auto names = recorderVariables({}, 0).keys();
    return std::ranges::any_of(plan.processes, [&](const ProcessPlan &process) {
        return std::ranges::any_of(names,
                                   [&](const QString &name) { return process.setVariables.contains(name); });
    });
}

QString recorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt)
{
    return folderIn(runDirectory, plan, QString::number(attempt));
}

QString writtenRecorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt)
{
    const QString folder = recorderFolder(runDirectory, plan, attempt);
    return QFileInfo::exists(folder) ? folder : runDirectory + QLatin1String(recorderFolderName);
}

QString recorderStatusFolder(const QString &recorderFolder)
{
    return recorderFolder + QStringLiteral("/status");
}

std::vector<RecorderPrefixes> recorderPrefixes(const LaunchPlan &plan, const QString &node,
                                               const QProcessEnvironment &environment)
{
    std::vector<RecorderPrefixes> found;
    for (const ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker || process.node != node)
            continue;
        for (const Recorder &recorder : recorders) {
            const RecorderPrefixes its{effectiveValue(process, environment, QLatin1String(recorder.pipe)),
                                       effectiveValue(process, environment, QLatin1String(recorder.dump))};
            const bool isUsable =
                its.pipe.startsWith(QLatin1Char('/')) && its.dump.startsWith(QLatin1Char('/'));
            if (isUsable && std::ranges::find(found, its) == found.end())
                found.push_back(its);
        }
    }
    return found;
}

} // namespace rankdeck
