#include "agent/processespreflight.h"

#include "agent/portcheck.h"

#include <QCoreApplication>
#include <QHostInfo>
#include <QNetworkInterface>

#include <algorithm>

namespace rankdeck
{

namespace
{

bool isThisMachine(const QString &host)
{
    const QHostAddress written(host);
    const QList<QHostAddress> addresses =
        written.isNull() ? QHostInfo::fromName(host).addresses() : QList<QHostAddress>{written};
    const QList<QHostAddress> own = QNetworkInterface::allAddresses();
    return std::any_of(addresses.begin(), addresses.end(), [&](const QHostAddress &address) {
        return address.isLoopback() || own.contains(address);
    });
}

} // namespace

std::optional<Error> problemWithProcessesStart(const LaunchPlan &plan)
{
    if (plan.launcher != QLatin1String("processes"))
        return std::nullopt;
    const auto first = std::find_if(plan.processes.begin(), plan.processes.end(),
                                    [](const ProcessPlan &process) { return process.rank == Rank(0); });
    if (first == plan.processes.end() ||
        !isThisMachine(first->setVariables.value(QStringLiteral("MASTER_ADDR"))))
        return std::nullopt;
    return problemWithPort(
        QHostAddress::Any, first->setVariables.value(QStringLiteral("MASTER_PORT")).toInt(),
        {QCoreApplication::translate("ProcessesPreflight", "rank 0"), QStringLiteral("--master-port")});
}

} // namespace rankdeck
