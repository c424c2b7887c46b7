#pragma once

#include <QByteArray>

#include <csignal>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

/// "nobody", or whoever has that number: somebody else in any case.
inline constexpr uid_t otherUserId = 65534;
inline constexpr char otherUserNeedsRoot[] = "only root may act as another user";

inline bool mayBecomeOtherUser()
{
    return geteuid() == 0;
}

/// A process of another user that calls `act` (system calls only: it is a fork of the test) and exits with
/// what it returns. Killed when it is still there in the end.
class OtherUser
{
public:
    template <typename Act>
    explicit OtherUser(Act act)
        : m_pid(fork())
    {
        if (m_pid != 0)
            return;
        signal(SIGPIPE, SIG_IGN);
        _exit(setgid(otherUserId) == 0 && setuid(otherUserId) == 0 ? act() : 254);
    }
    ~OtherUser()
    {
        if (hasEnded())
            return;
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    OtherUser(const OtherUser &) = delete;
    OtherUser &operator=(const OtherUser &) = delete;

    bool hasEnded() const { return m_ended || (m_ended = waitpid(m_pid, &m_status, WNOHANG) == m_pid); }
    int exitCode() const { return WIFEXITED(m_status) ? WEXITSTATUS(m_status) : -1; }

private:
    pid_t m_pid;
    mutable int m_status = 0;
    mutable bool m_ended = false;
};

inline sockaddr_un addressOf(const QByteArray &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.constData(), sizeof address.sun_path - 1);
    return address;
}

/// A socket that is connected to `path`; -1 when that fails.
inline int connectedTo(const QByteArray &path)
{
    const int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    const sockaddr_un address = addressOf(path);
    return connect(connection, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 ? connection
                                                                                                  : -1;
}

} // namespace rankdeck
