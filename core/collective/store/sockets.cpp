#include "collective/store/sockets.h"

#include "base/regularfile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr int betweenTriesMs = 20;
constexpr int backlog = 4096; // Thousands of ranks may arrive in one moment; the system has its own limit.

static void withoutDelay(int socket)
{
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// @param events POLLIN or POLLOUT.
static bool isReady(int socket, short events, QDeadlineTimer deadline)
{
    for (;;) {
        const qint64 left = deadline.isForever() ? -1 : std::min<qint64>(deadline.remainingTime(), 1 << 30);
        pollfd waited{socket, events, 0};
        const int ready = poll(&waited, 1, static_cast<int>(left));
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
        if (deadline.hasExpired()) {
            errno = ETIMEDOUT;
            return false;
        }
    }
}

static int socketError(int socket)
{
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

static SocketAddress anyAddress(int family, Listening who, quint16 port)
{
    SocketAddress address;
    if (family == AF_INET6) {
        auto *const in = reinterpret_cast<sockaddr_in6 *>(&address.storage);
        in->sin6_family = AF_INET6;
        in->sin6_port = htons(port);
        in->sin6_addr = who == Listening::Loopback ? in6addr_loopback : in6addr_any;
        address.length = sizeof *in;
    } else {
        auto *const in = reinterpret_cast<sockaddr_in *>(&address.storage);
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        in->sin_addr.s_addr = htonl(who == Listening::Loopback ? INADDR_LOOPBACK : INADDR_ANY);
        address.length = sizeof *in;
    }
    return address;
}

QString textOf(const SocketAddress &address)
{
    const sockaddr_storage &storage = address.storage;
    char text[INET6_ADDRSTRLEN] = {};
    if (storage.ss_family == AF_INET) {
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in *>(&storage)->sin_addr, text, sizeof text);
    } else {
        const auto *const in = reinterpret_cast<const sockaddr_in6 *>(&storage);
        if (IN6_IS_ADDR_V4MAPPED(&in->sin6_addr))
            inet_ntop(AF_INET, in->sin6_addr.s6_addr + 12, text, sizeof text);
        else
            inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof text);
    }
    return QString::fromLatin1(text);
}

FileDescriptor::~FileDescriptor()
{
    if (m_number >= 0)
        close(m_number);
}

Result<Listener> listenOn(Listening who, quint16 port)
{
    int error = 0;
    // Loopback of both is two sockets; everybody has that of IPv4.
    for (const int family : {AF_INET6, AF_INET}) {
        if (who == Listening::Loopback && family == AF_INET6)
            continue;
        FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        const int yes = 1;
        const int no = 0;
        SocketAddress address = anyAddress(family, who, port);
        if (socket) {
            setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
            if (family == AF_INET6)
                setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
        }
        auto *const plain = reinterpret_cast<sockaddr *>(&address.storage);
        if (socket && bind(socket.number(), plain, address.length) == 0 &&
            listen(socket.number(), backlog) == 0 &&
            getsockname(socket.number(), plain, &address.length) == 0) {
            const quint16 bound = family == AF_INET6
                                      ? reinterpret_cast<sockaddr_in6 *>(&address.storage)->sin6_port
                                      : reinterpret_cast<sockaddr_in *>(&address.storage)->sin_port;
            return Listener{std::move(socket), ntohs(bound)};
        }
        error = errno;
    }
    return Error{tr("cannot accept connections there: %1").arg(errnoWords(error)), tr("port %1").arg(port),
                 tr("Another program may use the port; choose another port.")};
}

Result<std::vector<SocketAddress>> resolve(const QString &host, quint16 port)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    const int failed =
        getaddrinfo(host.toUtf8().constData(), QByteArray::number(port).constData(), &hints, &found);
    const std::unique_ptr<addrinfo, void (*)(addrinfo *)> owner(found, [](addrinfo *list) {
        if (list)
            freeaddrinfo(list);
    });
    if (failed)
        return Error{
            tr("host address not found: %1").arg(QString::fromLocal8Bit(gai_strerror(failed))), host, {}};
    std::vector<SocketAddress> addresses;
    for (const addrinfo *each = found; each; each = each->ai_next) {
        SocketAddress address;
        std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
        address.length = each->ai_addrlen;
        addresses.push_back(address);
    }
    return addresses;
}

bool isLoopback(const QString &host)
{
    const auto addresses = resolve(host, 0);
    return addresses && std::all_of(addresses->begin(), addresses->end(), [](const SocketAddress &each) {
               const QString text = textOf(each);
               return text.startsWith("127."_L1) || text == "::1"_L1;
           });
}

FileDescriptor startConnecting(const SocketAddress &address)
{
    FileDescriptor socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket)
        return {};
    withoutDelay(socket.number());
    const auto *const plain = reinterpret_cast<const sockaddr *>(&address.storage);
    if (connect(socket.number(), plain, address.length) != 0 && errno != EINPROGRESS)
        return {};
    return socket;
}

Result<FileDescriptor> connectTo(const std::vector<SocketAddress> &addresses, const QString &name,
                                 QDeadlineTimer deadline)
{
    int error = ETIMEDOUT;
    do {
        for (const SocketAddress &address : addresses) {
            FileDescriptor socket = startConnecting(address);
            if (!socket || !isReady(socket.number(), POLLOUT, deadline)) {
                error = errno;
                continue;
            }
            error = socketError(socket.number());
            if (error == 0)
                return socket;
        }
        if (!deadline.hasExpired())
            poll(nullptr, 0, betweenTriesMs);
    } while (!deadline.hasExpired());
    return Error{tr("no connection: %1").arg(errnoWords(error)), name, {}};
}

FileDescriptor acceptFrom(const FileDescriptor &listener)
{
    FileDescriptor socket(accept4(listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket)
        withoutDelay(socket.number());
    return socket;
}

bool sendAll(const FileDescriptor &socket, const char *data, std::size_t size, QDeadlineTimer deadline)
{
    while (size > 0) {
        const ssize_t sent = send(socket.number(), data, size, MSG_NOSIGNAL);
        if (sent >= 0) {
            data += sent;
            size -= static_cast<std::size_t>(sent);
        } else if (errno == EAGAIN) {
            if (!isReady(socket.number(), POLLOUT, deadline))
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool receiveAll(const FileDescriptor &socket, char *data, std::size_t size, QDeadlineTimer deadline)
{
    while (size > 0) {
        const ssize_t received = recv(socket.number(), data, size, 0);
        if (received > 0) {
            data += received;
            size -= static_cast<std::size_t>(received);
        } else if (received == 0) {
            errno = ECONNRESET;
            return false;
        } else if (errno == EAGAIN) {
            if (!isReady(socket.number(), POLLIN, deadline))
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

QString addressOfThisEnd(const FileDescriptor &socket)
{
    SocketAddress address;
    address.length = sizeof address.storage;
    if (getsockname(socket.number(), reinterpret_cast<sockaddr *>(&address.storage), &address.length) != 0)
        return {};
    return textOf(address);
}

QStringList ownAddresses()
{
    ifaddrs *all = nullptr;
    if (getifaddrs(&all) != 0)
        return {};
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs *)> owner(all, freeifaddrs);
    QStringList four;
    QStringList six;
    for (const ifaddrs *each = all; each; each = each->ifa_next) {
        if (!each->ifa_addr || !(each->ifa_flags & IFF_UP) || (each->ifa_flags & IFF_LOOPBACK))
            continue;
        SocketAddress address;
        if (each->ifa_addr->sa_family == AF_INET) {
            std::memcpy(&address.storage, each->ifa_addr, sizeof(sockaddr_in));
            four << textOf(address);
        } else if (each->ifa_addr->sa_family == AF_INET6) {
            std::memcpy(&address.storage, each->ifa_addr, sizeof(sockaddr_in6));
            if (!IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<sockaddr_in6 *>(&address.storage)->sin6_addr))
                six << textOf(address);
        }
    }
    return four + six;
}

QByteArray loopbackIdentity()
{
    const QByteArray bootId = fileContent(u"/proc/sys/kernel/random/boot_id"_s).trimmed();
    struct stat network {
    };
    if (stat("/proc/self/ns/net", &network) != 0)
        return bootId;
    return bootId + '/' + QByteArray::number(static_cast<quint64>(network.st_ino));
}

} // namespace rankdeck
