#pragma once

#include "collective/sockets.h"

#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace rankdeck
{

/// Takes the connections of other ranks' probes in a thread of its own: whether a host can be reached must
/// not depend on what its ranks do just then.
class PairAcceptor
{
public:
    PairAcceptor(Listener listener, int rank, QByteArray token);
    ~PairAcceptor();
    PairAcceptor(const PairAcceptor &) = delete;
    PairAcceptor &operator=(const PairAcceptor &) = delete;

    /// The connection of this rank, if it has come.
    FileDescriptor take(int from);

    /// What rank `from` says first on a connection to rank `to`; the answer is the same. Of one length
    /// always.
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
    std::vector<Guest> m_guests; ///< Have not greeted yet.
    std::mutex m_mutex;
    std::map<int, FileDescriptor> m_connections; ///< By rank; of m_mutex.
    std::thread m_thread;
};

} // namespace rankdeck
