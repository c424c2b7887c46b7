#include "agent/portcheck.h"

#include <QCoreApplication>
#include <QTcpServer>

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

} // namespace

std::optional<Error> problemWithPort(const QHostAddress &address, int port, const PortUser &user)
{
    QTcpServer server;
    if (server.listen(address, static_cast<quint16>(port)))
        return std::nullopt;
    const QString place = placeOf(address, port);
    if (server.serverError() != QAbstractSocket::AddressInUseError)
        return Error{tr("%1 cannot listen on %2: %3").arg(user.who, place, server.errorString()), user.option,
                     tr("Check the address and the port.")};
    const QString mend = tr("End what listens there (ss -ltnp shows it), or choose another on every node");
    const int other = freePort(address);
    return Error{tr("%1 is busy, so %2 cannot listen there").arg(place, user.who), user.option,
                 other > 0 ? mend + tr(", for example %1=%2.").arg(user.option).arg(other)
                           : mend + QLatin1Char('.')};
}

} // namespace rankdeck
