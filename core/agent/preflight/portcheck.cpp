#include "agent/preflight/portcheck.h"

#include "agent/preflight/openruns.h"
#include "run/portlisteners.h"
#include "run/strays.h"

#include <QCoreApplication>
#include <QHostInfo>
#include <QNetworkInterface>
#include <QTcpServer>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("PortCheck", text);
}

/// A port that is free now, for the mend; 0 when there is none.
int freePort(const QHostAddress &address)
{
    QTcpServer server;
    return server.listen(address) ? server.serverPort() : 0;
}

QString placeOf(const QHostAddress &address, int port)
{
    const bool isAny = address == QHostAddress(QHostAddress::Any);
    return isAny ? tr("port %1").arg(port) : tr("port %1 of %2").arg(port).arg(address.toString());
}

/// How to free a port.
QString endingOf(const PortListeners &listeners)
{
    const QList<OpenRun> runs = openRuns();
    const OpenRun *run = listeners.processes.empty() ? nullptr : runOf(listeners.processes.front().pid, runs);
    if (run)
        return tr("Stop the run %1, which listens there (rankdeckctl stop %1, or --stop-holders)")
            .arg(run->record.name);
    if (!listeners.processes.empty())
        return tr("End %1, which listens there").arg(nameOf(listeners.processes.front()));
    if (!listeners.otherUser.isEmpty())
        return tr("A process of %1 listens there: have it ended").arg(listeners.otherUser);
    return tr("End what listens there (ss -ltnp shows it)");
}

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

std::optional<PlannedPort> plannedPort(const LaunchPlan &plan)
{
    const bool isTorch = plan.launcher == QLatin1String("processes");
    for (const ProcessPlan &process : plan.processes) {
        const QMap<QString, QString> &variables = process.setVariables;
        if (process.role == Role::Scheduler)
            return PlannedPort{QHostAddress(variables.value(QStringLiteral("MS_SCHED_HOST"))),
                               variables.value(QStringLiteral("MS_SCHED_PORT")).toInt(),
                               {tr("the scheduler"), QStringLiteral("--master_port")}};
        if (isTorch && process.rank == Rank(0) &&
            isThisMachine(variables.value(QStringLiteral("MASTER_ADDR"))))
            return PlannedPort{QHostAddress(QHostAddress::Any),
                               variables.value(QStringLiteral("MASTER_PORT")).toInt(),
                               {tr("rank 0"), QStringLiteral("--master-port")}};
    }
    return std::nullopt;
}

std::optional<Error> problemWithPlannedPort(const LaunchPlan &plan)
{
    const auto planned = plannedPort(plan);
    return planned ? problemWithPort(planned->address, planned->port, planned->user) : std::nullopt;
}

bool isPortBusy(const QHostAddress &address, int port)
{
    QTcpServer server;
    return !server.listen(address, static_cast<quint16>(port)) &&
           server.serverError() == QAbstractSocket::AddressInUseError;
}

std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user)
{
    QTcpServer server;
    if (server.listen(address, static_cast<quint16>(port)))
        return std::nullopt;
    const QString place = placeOf(address, port);
    if (server.serverError() != QAbstractSocket::AddressInUseError)
        return Error{tr("%1 cannot listen on %2: %3").arg(user.who, place, server.errorString()), user.option,
                     tr("Check the address and the port.")};
    const PortListeners listeners = listenersOn(port);
    const QString mend = tr("%1, or choose another on every node").arg(endingOf(listeners));
    const int other = freePort(address);
    return Error{tr("%1 is busy, so %2 cannot listen there").arg(place, user.who), user.option,
                 other > 0 ? mend + tr(", for example %1=%2.").arg(user.option).arg(other)
                           : mend + QLatin1Char('.')};
}

} // namespace rankdeck
