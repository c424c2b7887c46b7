#include "launch/chosendevices.h"

#include <QStringList>

namespace rankdeck
{

std::optional<LaunchSpec> onDevices(LaunchSpec spec, const QList<int> &devices)
{
    if (devices.isEmpty() || spec.nodes.isForNodes())
        return std::nullopt;
    const auto free = static_cast<int>(devices.size());
    int count = 0;
    if (spec.launcher == QLatin1String("msrun") && spec.msrun.workerNum == spec.msrun.localWorkerNum) {
        count = qMin(spec.msrun.workerNum, free);
        spec.msrun.workerNum = spec.msrun.localWorkerNum = count;
    } else if (spec.launcher == QLatin1String("processes") && spec.processes.nnodes == 1 &&
               spec.processes.args.isEmpty() && spec.processes.envs.isEmpty()) {
        count = qMin(spec.processes.nproc, free);
        spec.processes.nproc = count;
    }
    if (count <= 0)
        return std::nullopt;
    QStringList chosen;
    for (const int device : devices.mid(0, count))
        chosen << QString::number(device);
    spec.environment.insert(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"), chosen.join(QLatin1Char(',')));
    return spec;
}

} // namespace rankdeck
