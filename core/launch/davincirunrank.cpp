#include "launch/davincirunrank.h"

#include "launch/launchbasics.h"
#include "launch/platformmodes.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

/// Up to this driver DEVICE_ID is the physical id and ASCEND_DEVICE_ID does not exist.
bool usesPhysicalDeviceId(const HostFacts &facts)
{
    return facts.driverVersion.startsWith(QLatin1String("Version=20.1.0"));
}

/// The job's directory below the log directory.
QString jobLogDir(const DavincirunNode &node)
{
    return QStringLiteral("%1/%2").arg(node.logDir, asFileName(node.plan.jobId));
}

QMap<QString, QString> variablesFor(const DavincirunNode &node, const Device &device, DeviceId shownDevice)
{
    const auto number = [](int value) {
        return QString::number(value);
    };
    QMap<QString, QString> variables{
        {QStringLiteral("JOB_ID"), node.plan.jobId},
        {QStringLiteral("RANK_ID"), number(device.rank->value)},
        {QStringLiteral("RANK_SIZE"), number(node.plan.worldSize())},
        {QStringLiteral("DEVICE_ID"), number(shownDevice.value)},
        {QStringLiteral("RANK_START"), number(node.server.devices.front().rank->value)},
        {QStringLiteral("RANK_TABLE_FILE"), node.plan.rankTableFile},
        {QStringLiteral("MA_CURRENT_HOST_IP"), node.server.serverId},
    };
    if (!usesPhysicalDeviceId(node.facts))
        variables.insert(QStringLiteral("ASCEND_DEVICE_ID"), number(shownDevice.value));
    if (node.op.isIdeMode)
        variables.insert(QStringLiteral("SLOG_PRINT_TO_STDOUT"), QStringLiteral("1"));
    variables.insert(node.channels.set);
    const auto defaults = platformDefaults(node.facts.environment, jobLogDir(node), *device.rank);
    for (auto it = defaults.begin(); it != defaults.end(); ++it) {
        if (!node.facts.environment.contains(it.key()))
            variables.insert(it.key(), it.value());
    }
    variables.insert(node.spec.environment);
    return variables;
}

} // namespace

ProcessPlan davincirunRank(const DavincirunNode &node, int index)
{
    const Device &device = node.server.devices[index];
    ProcessPlan process;
    process.rank = *device.rank;
    process.localRank = LocalRank(index);
    process.node = node.server.serverId;
    process.device = usesPhysicalDeviceId(node.facts) ? device.deviceId : DeviceId(index);
    process.argv = node.spec.command;
    process.workDir =
        absoluteLaunchPath(node.spec.workDir.isEmpty() ? QStringLiteral(".") : node.spec.workDir, node.facts);
    process.logFile = QStringLiteral("%1-%2.txt").arg(jobLogDir(node), process.label());
    process.setVariables = variablesFor(node, device, process.device);
    process.removeVariables = node.channels.remove;
    // What the user names is the user's to make.
    const auto defaults = platformDefaults(node.facts.environment, jobLogDir(node), process.rank);
    const auto makeBelow = [&](const QString &name, const QString &folder) {
        const QString path = defaults.value(name);
        if (!path.isEmpty() && process.setVariables.value(name) == path)
            process.makeDirectories << path + folder;
    };
    makeBelow(QStringLiteral("ASCEND_PROCESS_LOG_PATH"), {});
    makeBelow(QStringLiteral("NPU_COLLECT_PATH"), QStringLiteral("/extra-info/graph"));
    return process;
}

QStringList notesOnKept(const DavincirunNode &node)
{
    constexpr int shown = 40;
    QStringList kept;
    const auto defaults = platformDefaults(node.facts.environment, jobLogDir(node), Rank(0));
    for (auto it = defaults.begin(); it != defaults.end(); ++it) {
        if (!node.facts.environment.contains(it.key()) || node.spec.environment.contains(it.key()))
            continue;
        const QString value = node.facts.environment.value(it.key());
        kept << QStringLiteral("%1=%2").arg(
            it.key(), value.size() > shown ? value.left(shown) + QStringLiteral("…") : value);
    }
    if (kept.isEmpty())
        return {};
    return {QCoreApplication::translate("davincirunRank", "Set already and therefore kept: %1.")
                .arg(kept.join(QLatin1String(", ")))};
}

} // namespace rankdeck
