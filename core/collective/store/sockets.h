#pragma once

#include "base/result.h"

#include <QDeadlineTimer>

#include <vector>

#include <sys/socket.h>

namespace rankdeck
{

/// Owns a file descriptor and closes it.
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

/// An address that a TCP socket can connect to.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
};

struct Listener {
    FileDescriptor socket;
    quint16 port = 0;
};

/// The hosts that may connect: this host alone, or all that can reach it.
enum class Listening { Loopback, Everywhere };

/// Returns a non-blocking TCP socket that accepts connections over IPv4 and, if available, IPv6.
/// @param port 0: any that is free.
Result<Listener> listenOn(Listening who, quint16 port);

/// Resolves a name; blocks as the system's resolver does. Fails if the name has no address.
Result<std::vector<SocketAddress>> resolve(const QString &host, quint16 port);
/// "10.0.0.3"
QString textOf(const SocketAddress &address);
/// Whether all of a host's addresses are of loopback; false when it has none.
bool isLoopback(const QString &host);

/// Connects, without Nagle's delay and not blocking, to the first of the addresses that answers. Tries again
/// while the other end refuses, as it may not listen yet. Fails if none answers until the deadline.
Result<FileDescriptor> connectTo(const std::vector<SocketAddress> &addresses, const QString &name,
                                 QDeadlineTimer deadline);

/// Starts to connect a non-blocking socket. Returns no descriptor if the socket cannot be made.
FileDescriptor startConnecting(const SocketAddress &address);
/// Accepts a connection, non-blocking and without Nagle's delay. Returns no descriptor if none waits.
FileDescriptor acceptFrom(const FileDescriptor &listener);

/// Sends all bytes before the deadline. Returns false, with errno, if late (ETIMEDOUT) or the peer is gone.
bool sendAll(const FileDescriptor &socket, const char *data, std::size_t size, QDeadlineTimer deadline);
bool receiveAll(const FileDescriptor &socket, char *data, std::size_t size, QDeadlineTimer deadline);

QString addressOfThisEnd(const FileDescriptor &socket);
/// Returns the addresses by which others may reach this host: not loopback, not link-local; IPv4 first.
QStringList ownAddresses();
/// Identifies the processes that reach each other over loopback: the system's boot and network namespace.
QByteArray loopbackIdentity();

} // namespace rankdeck
