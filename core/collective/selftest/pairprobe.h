#pragma once

#include "collective/pairacceptor.h"
#include "collective/pairconnecting.h"
#include "collective/pairschedule.h"
#include "collective/selftest.h"
#include "collective/storeclient.h"

#include <functional>
#include <map>
#include <memory>

namespace rankdeck
{

/// Where a rank's probe is to be found.
struct ProbePlace {
    QByteArray host;       ///< loopbackIdentity(): who has the same reaches it over loopback.
    QStringList addresses; ///< Tried all at once by ranks of other hosts.
    quint16 port = 0;
};

/// Measures the ways between a rank and those that it is paired with, over TCP. Blocks.
class PairProbe
{
public:
    using OnResult = std::function<void(const PairResult &)>;
    using OnRound = std::function<void()>;

    /// @param places of all ranks, by rank. @param token the same at all ranks of this self-test, and nowhere
    /// else. @param patience how long others may take for their part.
    PairProbe(StoreClient &store, Listener listener, int rank, QList<ProbePlace> places, QByteArray token,
              std::chrono::milliseconds patience);

    /// To every rank that this one is paired with; the smaller rank of a pair connects. @throws DistError
    /// others do not do their part.
    void connectAll();
    /// Each pair that this rank is in, round by round. The smaller rank of a pair tells its result.
    /// `roundDone` is called after each round, also those this rank is not in.
    void measureAll(const OnResult &result, const OnRound &roundDone);

    /// The address that this end of a connection to another host has; 127.0.0.1 when all ranks are on one
    /// host, empty when there is no connection to another host.
    QString ownAddress() const;
    /// Of the pairs of this rank that do not work, by the other rank.
    const std::map<int, QString> &problems() const { return m_problems; }

private:
    std::vector<ProbeTarget> targets(const QList<int> &ranks) const;
    bool awaitByte(const FileDescriptor &socket, int rank);
    PairResult drive(int to);
    QString follow(int from);

    StoreClient &m_store;
    int m_rank;
    QList<ProbePlace> m_places;
    QByteArray m_token;
    std::chrono::milliseconds m_patience;
    std::vector<std::vector<RankPair>> m_rounds;
    PairAcceptor m_acceptor;
    std::map<int, FileDescriptor> m_connected; ///< By the other rank.
    std::map<int, QString> m_problems;         ///< By the other rank.
};

} // namespace rankdeck
