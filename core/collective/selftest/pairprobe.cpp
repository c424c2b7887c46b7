#include "collective/selftest/pairprobe.h"

#include "collective/group/processgroup.h"

#include <QElapsedTimer>
#include <QHash>

#include <algorithm>
#include <bit>
#include <cerrno>

namespace rankdeck
{

constexpr qsizetype mostForAllPairs = 32;
constexpr qsizetype mostForRanks = 128;
constexpr qsizetype mostForAllHosts = 128;

/// All pairs of 0 … count - 1 in the order of the circle method: one stays, the others go around it; each
/// turn gives count / 2 pairs without a common member.
static std::vector<RankPair> inTurns(qsizetype count)
{
    std::vector<RankPair> pairs;
    const int size = static_cast<int>(count + count % 2); // With an odd count one has a turn off.
    for (int turn = 0; turn + 1 < size; ++turn) {
        for (int place = 0; place < size / 2; ++place) {
            const int one = place == 0 ? size - 1 : (turn + place) % (size - 1);
            const int other = (turn - place + size - 1) % (size - 1);
            const auto [from, to] = std::minmax(one, other);
            if (to < count)
                pairs.push_back({from, to});
        }
    }
    return pairs;
}

static bool areDistantByAPowerOfTwo(const RankPair &pair, qsizetype count)
{
    const auto distance = static_cast<unsigned>(pair.to - pair.from);
    return std::has_single_bit(distance) || std::has_single_bit(static_cast<unsigned>(count) - distance);
}

/// Each pair in the first round that has neither of its ranks.
static std::vector<std::vector<RankPair>> inRounds(const std::vector<RankPair> &pairs, qsizetype ranks)
{
    std::vector<std::vector<RankPair>> rounds;
    std::vector<std::vector<bool>> busy;
    for (const RankPair &pair : pairs) {
        const auto from = static_cast<std::size_t>(pair.from);
        const auto to = static_cast<std::size_t>(pair.to);
        std::size_t round = 0;
        while (round < rounds.size() && (busy[round][from] || busy[round][to]))
            ++round;
        if (round == rounds.size()) {
            rounds.emplace_back();
            busy.emplace_back(static_cast<std::size_t>(ranks));
        }
        rounds[round].push_back(pair);
        busy[round][from] = true;
        busy[round][to] = true;
    }
    return rounds;
}

constexpr int roundTrips = 20;
constexpr std::size_t partSize = 256 * 1024;
constexpr std::chrono::milliseconds oneMeasurement{10'000};
constexpr std::chrono::milliseconds untilAsked{2'000}; ///< Wait before asking whether a silent rank is alive.
constexpr int longestWait = 4;                         ///< Times the patience.

/// Returns the bytes to send each way to measure the bandwidth, several times: ranks that share a cpu disturb
/// each other, and the shortest time shows the connection best. With many pairs, each gets less time.
static std::size_t bulkSize(qsizetype ranks)
{
    return ranks <= 16 ? 512 * 1024 : 128 * 1024;
}
constexpr int bulkTimes = 4;

static QByteArray backKey(int from, int to)
{
    return "pairs/back/" + QByteArray::number(from) + '/' + QByteArray::number(to);
}

static bool sendByte(const FileDescriptor &socket, QDeadlineTimer deadline)
{
    const char byte = 'r';
    return sendAll(socket, &byte, 1, deadline);
}

static bool receiveByte(const FileDescriptor &socket, QDeadlineTimer deadline)
{
    char byte = 0;
    return receiveAll(socket, &byte, 1, deadline);
}

static bool sendBulk(const FileDescriptor &socket, std::size_t size, QDeadlineTimer deadline)
{
    static const std::vector<char> part(partSize, 'r');
    for (std::size_t sent = 0; sent < size; sent += partSize) {
        if (!sendAll(socket, part.data(), std::min(partSize, size - sent), deadline))
            return false;
    }
    return true;
}

static bool receiveBulk(const FileDescriptor &socket, std::size_t size, QDeadlineTimer deadline)
{
    static std::vector<char> part(partSize);
    for (std::size_t received = 0; received < size; received += partSize) {
        if (!receiveAll(socket, part.data(), std::min(partSize, size - received), deadline))
            return false;
    }
    return true;
}

static double megabytesPerSecond(std::size_t bytes, double us)
{
    return rounded(static_cast<double>(bytes) / std::max(us, 0.001));
}

static double microseconds(const QElapsedTimer &clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1000;
}

std::vector<std::vector<RankPair>> pairRounds(const QList<QByteArray> &hosts)
{
    QHash<QByteArray, int> lastOn;
    QList<int> firsts;
    QList<int> before(hosts.size(), -1); // By rank: the one before it on its host.
    for (int rank = 0; rank < hosts.size(); ++rank) {
        const auto known = lastOn.constFind(hosts[rank]);
        if (known == lastOn.constEnd())
            firsts << rank;
        else
            before[rank] = *known;
        lastOn[hosts[rank]] = rank;
    }

    const bool isOneAHost = hosts.size() > mostForRanks;
    const qsizetype count = isOneAHost ? firsts.size() : hosts.size();
    std::vector<RankPair> wanted;
    for (const RankPair &pair : inTurns(count)) {
        if (isOneAHost) {
            if (count <= mostForAllHosts || areDistantByAPowerOfTwo(pair, count))
                wanted.push_back({firsts[pair.from], firsts[pair.to]});
        } else if (hosts.size() <= mostForAllPairs || hosts[pair.from] != hosts[pair.to] ||
                   before[pair.to] == pair.from) {
            wanted.push_back(pair);
        }
    }
    return inRounds(wanted, hosts.size());
}

PairProbe::PairProbe(StoreClient &store, Listener listener, int rank, QList<ProbePlace> places,
                     QByteArray token, std::chrono::milliseconds patience)
    : m_store(store)
    , m_rank(rank)
    , m_places(std::move(places))
    , m_token(std::move(token))
    , m_patience(patience)
    , m_acceptor(std::move(listener), rank, m_token)
{
    const QList<QByteArray> hosts = listOf(m_places, &ProbePlace::host);
    m_rounds = pairRounds(hosts);
}

std::vector<ProbeTarget> PairProbe::targets(const QList<int> &ranks) const
{
    std::vector<ProbeTarget> found;
    for (const int rank : ranks) {
        const ProbePlace &place = m_places[rank];
        const bool isHere = place.host == m_places[m_rank].host;
        found.push_back({rank, isHere ? QStringList{u"127.0.0.1"_s} : place.addresses, place.port});
    }
    return found;
}

void PairProbe::connectAll()
{
    QList<int> larger;
    QList<int> smaller;
    for (const auto &round : m_rounds) {
        for (const RankPair &pair : round) {
            if (pair.from == m_rank)
                larger << pair.to;
            else if (pair.to == m_rank)
                smaller << pair.from;
        }
    }
    PairConnections there = connectPairs(targets(larger), m_rank, m_token);
    m_connected = std::move(there.sockets);
    m_problems = std::move(there.problems);

    // Tries a rank that could not connect from here, to tell a closed port from a blocked route.
    m_store.set("pairs/tried/" + QByteArray::number(m_rank), "1");
    waitForRanks(m_store, "pairs/tried/", static_cast<int>(m_places.size()), m_patience + connectLimit);
    QList<int> unheard;
    for (const int rank : smaller) {
        FileDescriptor socket = m_acceptor.take(rank);
        if (socket)
            m_connected[rank] = std::move(socket);
        else
            unheard << rank;
    }
    const PairConnections back = connectPairs(targets(unheard), m_rank, m_token);
    for (const int rank : unheard) {
        const bool isThere = back.sockets.count(rank) > 0;
        m_store.set(backKey(m_rank, rank), isThere ? "1" : "0");
        m_problems[rank] = tr("rank %1 cannot reach it").arg(rank);
    }
    const QDeadlineTimer deadline(m_patience + connectLimit);
    for (auto &[rank, problem] : m_problems) {
        if (rank < m_rank)
            continue;
        const auto told = m_store.find(backKey(rank, m_rank), deadline);
        if (!told)
            problem = tr("%1; it is unknown whether the other direction works").arg(problem);
        else if (*told == "1")
            problem = tr("%1; the other direction works: check the firewall there").arg(problem);
        else
            problem = tr("%1; the other direction does not work either").arg(problem);
    }
}

void PairProbe::measureAll(const OnResult &result, const OnRound &roundDone)
{
    for (const auto &round : m_rounds) {
        for (const RankPair &pair : round) {
            if (pair.from == m_rank) {
                const PairResult found = drive(pair.to);
                if (!found.problem.isEmpty())
                    m_problems[pair.to] = found.problem;
                result(found);
            } else if (pair.to == m_rank && m_connected.count(pair.from)) {
                const QString problem = follow(pair.from);
                if (!problem.isEmpty())
                    m_problems[pair.from] = problem;
            }
        }
        roundDone();
    }
}

PairResult PairProbe::drive(int to)
{
    const bool isOneHost = m_places[m_rank].host == m_places[to].host;
    PairResult found{m_rank, to, 0, 0, 0, {}, isOneHost};
    const auto connected = m_connected.find(to);
    if (connected == m_connected.end()) {
        found.problem = m_problems[to];
        return found;
    }
    const FileDescriptor &socket = connected->second;
    const auto broken = [&](const QString &doing) {
        found.problem = errno == ETIMEDOUT
                            ? tr("%1 did not finish in time").arg(doing)
                            : tr("the connection broke during %1: %2").arg(doing, errnoWords(errno));
        m_connected.erase(to);
        return found;
    };
    if (!sendByte(socket, QDeadlineTimer(m_patience)) || !awaitByte(socket, to))
        return broken(tr("the first round trip"));
    const QDeadlineTimer deadline(std::min(m_patience, oneMeasurement));
    double shortest = 0;
    QElapsedTimer clock;
    for (int trip = 0; trip < roundTrips; ++trip) {
        clock.start();
        if (!sendByte(socket, deadline) || !receiveByte(socket, deadline))
            return broken(tr("a round trip"));
        const double us = microseconds(clock);
        shortest = trip == 0 ? us : std::min(shortest, us);
    }
    const std::size_t size = bulkSize(m_places.size());
    double there = 0;
    double back = 0;
    for (int turn = 0; turn < bulkTimes; ++turn) {
        clock.start();
        if (!sendBulk(socket, size, deadline) || !receiveByte(socket, deadline))
            return broken(tr("sending %1 bytes").arg(size));
        const double thereNow = microseconds(clock) - shortest / 2;
        clock.start();
        if (!sendByte(socket, deadline) || !receiveBulk(socket, size, deadline))
            return broken(tr("receiving %1 bytes").arg(size));
        const double backNow = microseconds(clock) - shortest / 2;
        there = turn == 0 ? thereNow : std::min(there, thereNow);
        back = turn == 0 ? backNow : std::min(back, backNow);
    }
    found.latencyUs = rounded(shortest / 2);
    found.thereMBs = megabytesPerSecond(size, there);
    found.backMBs = megabytesPerSecond(size, back);
    return found;
}

/// Waits for the first byte of a rank that may be busy with others, as long as its acceptor answers.
bool PairProbe::awaitByte(const FileDescriptor &socket, int rank)
{
    const QDeadlineTimer deadline(longestWait * m_patience);
    while (!receiveByte(socket, QDeadlineTimer(std::min(m_patience, untilAsked)))) {
        if (errno != ETIMEDOUT)
            return false;
        if (deadline.hasExpired() || connectPairs(targets({rank}), m_rank, m_token).sockets.empty()) {
            errno = ETIMEDOUT;
            return false;
        }
    }
    return true;
}

/// Answers drive() at the other end. Returns the problem; empty if there is none.
QString PairProbe::follow(int from)
{
    const FileDescriptor &socket = m_connected[from];
    const std::size_t size = bulkSize(m_places.size());
    bool isWell = awaitByte(socket, from);
    const QDeadlineTimer deadline(std::min(m_patience, oneMeasurement));
    isWell = isWell && sendByte(socket, deadline);
    for (int trip = 0; trip < roundTrips && isWell; ++trip)
        isWell = receiveByte(socket, deadline) && sendByte(socket, deadline);
    for (int turn = 0; turn < bulkTimes && isWell; ++turn)
        isWell = receiveBulk(socket, size, deadline) && sendByte(socket, deadline) &&
                 receiveByte(socket, deadline) && sendBulk(socket, size, deadline);
    if (isWell)
        return {};
    const QString why = errnoWords(errno);
    m_connected.erase(from);
    return tr("the connection of rank %1 broke: %2").arg(from).arg(why);
}

QString PairProbe::ownAddress() const
{
    for (const auto &[rank, socket] : m_connected) {
        if (m_places[rank].host != m_places[m_rank].host)
            return addressOfThisEnd(socket);
    }
    const bool isOneHost = std::ranges::all_of(
        m_places, [this](const ProbePlace &place) { return place.host == m_places[m_rank].host; });
    return isOneHost ? u"127.0.0.1"_s : QString();
}

} // namespace rankdeck
