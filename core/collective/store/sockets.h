#pragma once

#include "result.h"

#include <QByteArray>
#include <QDeadlineTimer>
#include <QStringList>

#include <utility>
#include <vector>

#include <sys/socket.h>

namespace rankdeck
{

/// Owns a file descriptor; closes it at its end.
class FileDescriptor
{
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int number)
        : m_number(number)
    {
    }
    FileDescriptor(FileDescriptor &&other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    FileDescriptor &operator=(FileDescriptor &&other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~FileDescriptor();

    int number() const { return m_number; }
    explicit operator bool() const { return m_number >= 0; }

private:
    int m_number = -1;
};

/// Where a TCP socket may be connected to.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
};

struct Listener {
    FileDescriptor socket;
    quint16 port = 0;
};

/// Who may connect: this host alone, or all that can reach it.
enum class Reach { Loopback, Everywhere };

/// A TCP socket that takes connections, of IPv4 and, where there is IPv6, of that too. Not blocking.
/// @param port 0: any that is free.
Result<Listener> listenOn(Reach reach, quint16 port);

/// Blocks as the system's resolver does. Error: the name has no address.
Result<std::vector<SocketAddress>> resolve(const QString &host, quint16 port);
/// "10.0.0.3"
QString textOf(const SocketAddress &address);
/// Whether all of a host's addresses are of loopback; false when it has none.
bool isLoopback(const QString &host);

/// A connection, without Nagle's delay and not blocking, to the first of the addresses that answers. It is
/// tried anew while the other end refuses, as that may not listen yet. Error: none until the deadline.
Result<FileDescriptor> connectTo(const std::vector<SocketAddress> &addresses, const QString &name,
                                 QDeadlineTimer deadline);

/// As far as connecting has come on a socket that is not blocking. Nothing: the socket cannot be made.
FileDescriptor startConnecting(const SocketAddress &address);
/// A socket as all of ours are: not blocking, without Nagle's delay. Accepted from `listener`; nothing when
/// nobody waits there.
FileDescriptor acceptFrom(const FileDescriptor &listener);

/// The whole of it before the deadline. False: too late, or the other end is gone; errno says which
/// (ETIMEDOUT, or of the socket).
bool sendAll(const FileDescriptor &socket, const char *data, std::size_t size, QDeadlineTimer deadline);
bool receiveAll(const FileDescriptor &socket, char *data, std::size_t size, QDeadlineTimer deadline);

/// The address of this end: "10.0.0.3".
QString addressOfThisEnd(const FileDescriptor &socket);
/// Addresses of this host that others may know it by: no loopback, nothing of a single link; IPv4 first.
QStringList ownAddresses();
/// What processes that reach each other over loopback have in common: a boot of a system and a network
/// namespace.
QByteArray loopbackIdentity();

} // namespace rankdeck
