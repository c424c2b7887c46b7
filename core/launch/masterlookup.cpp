#include "launch/masterlookup.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QHostInfo>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("masterLookup", text);
}

} // namespace

QString addressTowards(const QHostAddress &address)
{
    const int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return {};
    sockaddr_in other{};
    other.sin_family = AF_INET;
    other.sin_port = htons(9);
    other.sin_addr.s_addr = htonl(address.toIPv4Address());
    sockaddr_in own{};
    socklen_t size = sizeof own;
    const bool known = connect(file, reinterpret_cast<const sockaddr *>(&other), sizeof other) == 0 &&
                       getsockname(file, reinterpret_cast<sockaddr *>(&own), &size) == 0;
    close(file);
    return known ? QHostAddress(ntohl(own.sin_addr.s_addr)).toString() : QString();
}

std::optional<Error> lookUpMaster(const LaunchSpec &spec, HostFacts &facts)
{
    const QString name = spec.msrun.masterAddr;
    if (spec.launcher != QLatin1String("msrun") || name.isEmpty())
        return std::nullopt;
    const QHostInfo found = QHostInfo::fromName(name);
    for (const QHostAddress &address : found.addresses()) {
        if (address.protocol() != QAbstractSocket::IPv4Protocol)
            continue;
        facts.routes.insert(name, {address.toString(), addressTowards(address)});
        return std::nullopt;
    }
    const QString what = found.error() == QHostInfo::NoError
                             ? tr("the host \"%1\" has no IPv4 address").arg(name)
                             : tr("the host \"%1\" is not found: %2").arg(name, found.errorString());
    return Error{what, QStringLiteral("--master_addr"),
                 tr("Check the name, or give an IPv4 address, the same on every node.")};
}

} // namespace rankdeck
