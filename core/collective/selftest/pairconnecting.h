#pragma once

#include "collective/store/sockets.h"

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace rankdeck
{

/// Accepts other ranks' probes in a thread of its own: a host must be reachable whatever its ranks do.
class PairAcceptor
{
public:
    PairAcceptor(Listener listener, int rank, QByteArray token);
    ~PairAcceptor();

    /// Returns the connection of rank `from`, if it has come.
    FileDescriptor take(int from);

    /// Returns what rank `from` sends first on a connection to rank `to`, and the answer. Of constant length.
    static QByteArray greeting(const QByteArray &token, int from, int to);
    static constexpr qsizetype tokenSize = 16; ///< Bytes.

private:
    struct Guest {
        FileDescriptor socket;
        QByteArray said;
    };
    void serve();
    bool isStillUnknown(Guest &guest);

    Listener m_listener;
    int m_rank;
    QByteArray m_token;
    FileDescriptor m_wake;
    std::vector<Guest> m_guests; ///< Connections without a greeting yet.
    std::mutex m_mutex;
    std::map<int, FileDescriptor> m_connections; ///< By rank; of m_mutex.
    std::thread m_thread;
};

struct ProbeTarget {
    int rank = 0;
    QStringList addresses;
    quint16 port = 0;
};

struct PairConnections {
    std::map<int, FileDescriptor> sockets; ///< Connections by rank, if the other end answered as that rank.
    std::map<int, QString> problems; ///< By rank: the others, "no connection to 10.0.0.3:40123 within 3 s".
};

inline constexpr std::chrono::seconds connectLimit{3}; ///< The longest time that connectPairs() takes.

/// Connects to all targets at all addresses at once: none delays another. They answer as PairAcceptor does.
PairConnections connectPairs(const std::vector<ProbeTarget> &targets, int from, const QByteArray &token);

} // namespace rankdeck
