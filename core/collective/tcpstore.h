#pragma once

#include "collective/sockets.h"
#include "collective/storeclient.h"
#include "collective/storeserver.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace rankdeck
{

/// A StoreServer of a group's ranks over TCP, in a thread of its own; rank 0 has it. It says {"over": …} to
/// all when ranks have not come in time, when a rank's connection ends before it has left, and when ranks do
/// not agree on how many they are. Whoever can reach the port can join: it is for networks that training
/// is done in.
class TcpStoreServer
{
public:
    /// @param arrival until when all other ranks must have joined.
    TcpStoreServer(Listener listener, int worldSize, std::chrono::milliseconds arrival);
    ~TcpStoreServer();
    TcpStoreServer(const TcpStoreServer &) = delete;
    TcpStoreServer &operator=(const TcpStoreServer &) = delete;

    /// Rank 0's own connection. Once.
    FileDescriptor takeOwnEnd() { return std::move(m_ownEnd); }
    /// Whether all other ranks left before the deadline; false also when it was over before.
    bool waitUntilAllLeft(QDeadlineTimer deadline);

private:
    struct Connection {
        FileDescriptor socket;
        int rank = -1; ///< -1: has not joined.
        QByteArray in;
        QByteArray out;
        bool isClosed = false;
    };
    void serve();
    void accept();
    void receive(Connection &connection);
    void takeLine(Connection &connection, const QByteArray &line);
    void join(Connection &connection, int rank, int size);
    void closed(Connection &connection);
    void send(Connection &connection, const QByteArray &line);
    void flush(Connection &connection);
    void end(const QString &why);
    QList<int> missing() const;
    bool haveAllLeft() const;

    Listener m_listener;
    int m_worldSize;
    std::chrono::milliseconds m_arrival;
    FileDescriptor m_ownEnd;
    FileDescriptor m_wake;
    StoreServer m_store;
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::vector<bool> m_hasJoined; ///< By rank.
    QByteArray m_over;             ///< The line; empty: not yet.
    std::mutex m_mutex;            ///< Of m_isOver and m_haveAllLeft.
    std::condition_variable m_changed;
    bool m_isOver = false;
    bool m_haveAllLeft = false;
    std::thread m_thread;
};

/// The key that a rank sets before it goes, so that nobody takes it for lost.
QByteArray leftKey(int rank);
/// Join the store at the other end of `socket` as `rank` of `worldSize`.
std::unique_ptr<StoreClient> joinStore(FileDescriptor socket, int rank, int worldSize,
                                       StoreClient::OnOver onOver = {});

} // namespace rankdeck
