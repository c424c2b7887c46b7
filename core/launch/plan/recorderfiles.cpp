#include "launch/plan/recorderfiles.h"

#include "launch/plan/attempt.h"

#include <QFileInfo>
#include <QVersionNumber>

#include <algorithm>
#include <tuple>

namespace rankdeck
{

namespace
{

constexpr char hcclPrefix[] = "/hccl_trace_rank_";
constexpr char ncclPrefix[] = "/comm_lib_trace_rank_";
/// torch's own limit is eight minutes since 2.6, torch_npu's ten.
constexpr int leastHeartbeatSeconds = 600;

/// The variables of a pipe and of the dump that it asks for.
constexpr std::pair<const char *, const char *> recorders[] = {
    {"TORCH_HCCL_DEBUG_INFO_PIPE_FILE", "TORCH_HCCL_DEBUG_INFO_TEMP_FILE"},
    {"TORCH_NCCL_DEBUG_INFO_PIPE_FILE", "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"},
    {"TORCH_NCCL_DEBUG_INFO_PIPE_FILE", "TORCH_FR_DUMP_TEMP_FILE"},
};

} // namespace

QMap<QString, QString> recorderVariables(const QString &folder, int stallSeconds, const QString &torch)
{
    const QString on = u"1"_s;
    const QString entries = u"2000"_s;
    const QString hccl = folder + QLatin1String(hcclPrefix);
    const QString nccl = folder + QLatin1String(ncclPrefix);
    // A process that is silent for longer may be aborted: the stall must be reported before that.
    const QString heartbeat = QString::number(std::max(leastHeartbeatSeconds, 2 * stallSeconds));
    QMap<QString, QString> variables{
        {u"TORCH_HCCL_ENABLE_MONITORING"_s, on},
        {u"TORCH_HCCL_TRACE_BUFFER_SIZE"_s, entries},
        {u"TORCH_HCCL_DUMP_ON_TIMEOUT"_s, on},
        {u"TORCH_HCCL_DEBUG_INFO_TEMP_FILE"_s, hccl},
        {u"TORCH_HCCL_DEBUG_INFO_PIPE_FILE"_s, hccl},
        {u"TORCH_HCCL_HEARTBEAT_TIMEOUT_SEC"_s, heartbeat},
        {u"TORCH_HCCL_STATUS_SAVE_ENABLE"_s, on},
        {u"TORCH_HCCL_STATUS_SAVE_PATH"_s, recorderStatusFolder(folder)},
        {u"TORCH_HCCL_STATUS_SAVE_INTERVAL"_s, u"2"_s},
        {u"TORCH_NCCL_DEBUG_INFO_PIPE_FILE"_s, nccl},
        {u"TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC"_s, heartbeat},
    };
    const auto version = QVersionNumber::fromString(torch);
    // The names before torch 2.8 (before 2.15 for the last one), and those since. Each newer version warns of
    // an old name. The pipe of 2.8 to 2.10 opens for the old name alone: there dumps are written at time-outs
    // only.
    for (const auto &[before, since, value, renamed] :
         {std::tuple{"TORCH_NCCL_TRACE_BUFFER_SIZE", "TORCH_FR_BUFFER_SIZE", entries, 8},
          std::tuple{"TORCH_NCCL_DEBUG_INFO_TEMP_FILE", "TORCH_FR_DUMP_TEMP_FILE", nccl, 8},
          std::tuple{"TORCH_NCCL_DUMP_ON_TIMEOUT", "TORCH_FR_DUMP_ON_TIMEOUT", on, 15}}) {
        const bool isNew = version >= QVersionNumber(2, renamed);
        if (!isNew)
            variables.insert(QLatin1String(before), value);
        if (isNew || version.majorVersion() == 0)
            variables.insert(QLatin1String(since), value);
    }
    return variables;
}

QString recorderFolder(const QString &runDirectory, const LaunchPlan &plan, const QString &attempt)
{
    const QString folder = runDirectory + QLatin1String(recorderFolderName);
    return plan.maxRestarts == 0 ? folder : folder + '/'_L1 + attemptFolder(attempt);
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
    return recorderFolder(runDirectory, plan, QString::number(attempt));
}

QString writtenRecorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt)
{
    const QString folder = recorderFolder(runDirectory, plan, attempt);
    return QFileInfo::exists(folder) ? folder : runDirectory + QLatin1String(recorderFolderName);
}

QString recorderStatusFolder(const QString &recorderFolder)
{
    return recorderFolder + u"/status"_s;
}

std::vector<RecorderPrefixes> recorderPrefixes(const LaunchPlan &plan, const QString &node,
                                               const QProcessEnvironment &environment)
{
    std::vector<RecorderPrefixes> found;
    for (const ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker || process.node != node)
            continue;
        for (const auto &[pipe, dump] : recorders) {
            const RecorderPrefixes its{effectiveValue(process, environment, QLatin1String(pipe)),
                                       effectiveValue(process, environment, QLatin1String(dump))};
            const bool isUsable = its.pipe.startsWith('/'_L1) && its.dump.startsWith('/'_L1);
            if (isUsable && std::ranges::find(found, its) == found.end())
                found.push_back(its);
        }
    }
    return found;
}

} // namespace rankdeck
