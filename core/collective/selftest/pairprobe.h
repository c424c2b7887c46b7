#pragma once

#include "collective/selftest/pairconnecting.h"
#include "collective/selftest/selftest.h"
#include "collective/store/storeclient.h"

namespace rankdeck
{

struct RankPair {
    int from = 0; ///< The smaller one.
    int to = 0;
    bool operator==(const RankPair &) const = default;
};

/// Returns the pairs of ranks to measure, in rounds: in each round a rank is in one pair at most, so that
/// pairs disturb each other little. Up to 32 ranks these are all pairs. Up to 128 ranks, all pairs between
/// hosts and, on a host, each rank with the next. Beyond, all pairs of the hosts' first ranks; with more than
/// 128 hosts, each host's first rank with those 1, 2, 4, … hosts later.
/// @param hosts by rank: a value that the ranks of one host share.
std::vector<std::vector<RankPair>> pairRounds(const QList<QByteArray> &hosts);

/// Where a rank's probe is to be found.
struct ProbePlace {
    QByteArray host;       ///< loopbackIdentity(): who has the same reaches it over loopback.
    QStringList addresses; ///< Tried all at once by ranks of other hosts.
    quint16 port = 0;
};

/// Measures the connections between a rank and its partners in pairs, over TCP. Blocks.
class PairProbe
{
public:
    using OnResult = std::function<void(const PairResult &)>;
    using OnRound = std::function<void()>;

    /// @param places of all ranks, by rank. @param token the same at all ranks of this self-test, and nowhere
    /// else. @param patience how long others may take for their part.
    PairProbe(StoreClient &store, Listener listener, int rank, QList<ProbePlace> places, QByteArray token,
              std::chrono::milliseconds patience);

    /// Connects to each rank in a pair with this one, from the smaller. @throws DistError if others are late.
    void connectAll();
    /// Measures each pair of this rank, round by round. The smaller rank of a pair reports its result.
    /// `roundDone` is called after each round, also after rounds without this rank.
    void measureAll(const OnResult &result, const OnRound &roundDone);

    /// This end's address of a connection to another host; 127.0.0.1 if all are here; empty without one.
    QString ownAddress() const;
    /// Returns the problems of this rank's pairs, by the other rank.
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
