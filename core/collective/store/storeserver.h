#pragma once

#include "collective/store/storeclient.h"

#include <QHash>
#include <QSet>

#include <memory>

namespace rankdeck
{

/// The store at which ranks meet: keys with values, in the program that carries the lines. No input or output
/// of its own. A rank sends one JSON object a line:
///     {"set": "KEY", "value": "<base64>"}   no answer
///     {"wait": ["KEY", …], "n": 7}          answered with {"n": 7, "ready": true} once all keys are there
///     {"get": "KEY", "n": 8}                answered with {"n": 8, "value": "<base64>"} once it is there
///     {"missing": ["KEY", …], "n": 9}       answered at once as a value: the indexes in that list of the
///                                           missing keys, as numberRanges() writes them
/// and has one question open at a time, with a number (32 bits; 0 when left out) that distinguishes its
/// answer from that to an earlier question that timed out. The server may also send {"over": "why"}: it will
/// answer no more questions.
class StoreServer
{
public:
    struct Answer {
        int rank = 0;
        QByteArray line; ///< Without a line feed.
    };

    /// Handles a line of `rank`. Returns the answers that are due now, to any rank. Other lines are ignored.
    /// A value beyond 64 KiB or that is not base64, or a key beyond the 100,000th, is not kept.
    std::vector<Answer> take(int rank, const QByteArray &line);
    void forget(int rank) { m_open.remove(rank); } ///< A rank has ended: its open question is dropped.
    bool contains(const QByteArray &key) const { return m_values.contains(key); }

private:
    struct Question {
        QSet<QByteArray> missing;
        QByteArray get; ///< The key whose value is the answer; empty: it only waits.
        int number = 0;
    };
    std::vector<Answer> set(const QByteArray &key, const QByteArray &value);
    QList<int> missing(const QList<QByteArray> &keys) const;
    static Answer valueFor(int rank, const Question &question, const QByteArray &base64);
    Answer answerTo(int rank, const Question &question) const;

    QHash<QByteArray, QByteArray> m_values; ///< base64 as it came.
    QHash<int, Question> m_open;
};

/// A StoreServer for a group's ranks over TCP, in a thread of its own, at rank 0. It sends {"over": …} to all
/// if ranks have not come in time, if a rank's connection ends before the rank has left, and if ranks do not
/// agree on their number. Any host that can reach the port can join: it is for networks used for training.
class TcpStoreServer
{
public:
    /// @param arrival until when all other ranks must have joined.
    TcpStoreServer(Listener listener, int worldSize, std::chrono::milliseconds arrival);
    ~TcpStoreServer();

    /// Returns rank 0's own connection. To be called once.
    FileDescriptor takeOwnEnd() { return std::move(m_ownEnd); }
    /// Whether all other ranks left before the deadline; false also if the store was over before.
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
    QByteArray m_over;             ///< The line that was sent to all; empty: not over.
    std::mutex m_mutex;            ///< Guards m_isOver and m_haveAllLeft.
    std::condition_variable m_changed;
    bool m_isOver = false;
    bool m_haveAllLeft = false;
    std::thread m_thread;
};

/// Returns the key that a rank sets before it leaves, so that it is not taken for lost.
QByteArray leftKey(int rank);
/// Joins the store at the other end of `socket` as `rank` of `worldSize`.
std::unique_ptr<StoreClient> joinStore(FileDescriptor socket, int rank, int worldSize,
                                       StoreClient::OnOver onOver = {});

} // namespace rankdeck
