#include "diagnosis/evidence/namedpeers.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>

namespace rankdeck
{

using Piece = re2::StringPiece;

/// A number with more digits is not a rank.
constexpr std::size_t mostDigits = 7;

static void addRank(NamedPeers &peers, int rank)
{
    const bool isKnown = std::ranges::find(peers.ranks, rank) != peers.ranks.end();
    if (rank >= 0 && !isKnown && peers.ranks.size() < NamedPeers::most)
        peers.ranks.push_back(rank);
}

static void addPlace(NamedPeers &peers, const PeerPlace &place)
{
    const bool isKnown = std::ranges::find(peers.places, place) != peers.places.end();
    if (!isKnown && peers.places.size() < NamedPeers::most)
        peers.places.push_back(place);
}

/// "1,3,5,", "'3', '5'", or "1-3,5"
static void addList(NamedPeers &peers, Piece list)
{
    static const re2::RE2 form("(\\d+)(?:-(\\d+))?");
    Piece first;
    Piece last;
    while (re2::RE2::FindAndConsume(&list, form, &first, &last)) {
        int rank = 0;
        int end = 0;
        if (first.size() > mostDigits || last.size() > mostDigits ||
            !re2::RE2::FullMatch(first, "(\\d+)", &rank))
            continue;
        addRank(peers, rank);
        if (re2::RE2::FullMatch(last, "(\\d+)", &end))
            for (; rank < end && peers.ranks.size() < NamedPeers::most; ++rank)
                addRank(peers, rank + 1);
    }
}

/// Reads sentences that name a rank to look at, to wait for, or that does another operation.
static void addRanksOfSentences(NamedPeers &peers, Piece line)
{
    // Each has one group: a rank, or a list of ranks.
    static const std::array<re2::RE2, 20> forms{
        re2::RE2("(?i)(?:remote|peer|dest(?:ination)?|dst)[ _]?(?:user|world)?[ _]?rank(?:[ _]?id)?"
                 "\\s*(?:is|[:=])?\\s*[\\[(]?(\\d{1,7})\\b"),
        re2::RE2(
            "(?i)(?:unconnected ranks?|connect agent|time out nodes are|lost nodes?)\\W{0,4}\\[([^\\]]*)\\]"),
        re2::RE2("The node: (\\d{1,7}) is timed out"),
        // "192.0.2.199(0) | 16666 | 192.0.3.198(1) | … | client | time out | …": the first is the other side.
        re2::RE2("[\\w.:]+\\((\\d{1,7})\\)\\s*\\|\\s*\\d+\\s*\\|\\s*[\\w.:]+\\(\\d{1,7}\\)\\s*\\|"
                 ".*(?i:time ?out|fail|refuse)"),
        // MindSpore's unique id; torch's monitoredBarrier.
        re2::RE2("(?i)check (?:the )?(?:log of )?(?:root )?rank:? ?\\[?(\\d+)\\]?(?:'s)? logs?\\b"),
        re2::RE2("\\bRanks? (\\d[\\d, ]*) failed to pass monitoredBarrier"),
        // The id of a communicator: rank 0 of the group writes it into the store.
        re2::RE2("retr(?:ie|ei)ving \\w+ from \\[(\\d+)\\] via"),
        // A key of the world's process group ends with the rank that writes it.
        re2::RE2("\\bkeys: /default_pg/[^\\s,]*/(\\d+)(?:\\s|$)"),
        re2::RE2("(?i)wait(?:ing|ed|s)? (?:for|on) (?:the )?rank ?:? ?\\[?(\\d+)"),
        // JAX's coordination service; its list has a line for each.
        re2::RE2("/task:(\\d+) heartbeat timeout"),
        re2::RE2("^/job:\\w+/replica:\\d+/task:(\\d+)$"),
        re2::RE2("Worker proc \\w*[Ww]orker\\w*[-_](?:TP)?(\\d+) died"),
        re2::RE2("\\bbut Rank (\\d+) is running"),
        re2::RE2("same param in process (\\d+)"),
        re2::RE2("while rank (\\d+) has inconsistent"),
        // Rankdeck's own process groups and its self-test: ranks that are missing, or that do not agree with
        // the one that prints it. Of those that do not call the same operation, the fewest stand first.
        re2::RE2("\\branks? (\\d+(?:[,-]\\d+)*)(?:, which keeps the store[^,]*,)? ha(?:s|ve) (?:gone "
                 "away|not \\w)"),
        re2::RE2("nothing was heard within \\S+ s of rank (\\d+(?:[,-]\\d+)*)"),
        re2::RE2("\\bdo not call the same operation: ranks? (\\d+(?:[,-]\\d+)*) call"),
        re2::RE2(
            "(?:the connection (?:to|of)|does not answer as|processes were started as) rank (\\d{1,7})\\b"),
        re2::RE2("\\brank (\\d{1,7}) (?:cannot reach it|was started as one of|has \\S+ at index)"),
    };
    static const re2::RE2 pair(
        "\\bselftest: rank \\d{1,7}: pair (\\d{1,7})-(\\d{1,7}) (?:on one host )?failed:");
    for (const re2::RE2 &form : forms) {
        Piece rest = line;
        Piece ranks;
        while (re2::RE2::FindAndConsume(&rest, form, &ranks))
            addList(peers, ranks);
    }
    int one = 0;
    int other = 0;
    if (re2::RE2::PartialMatch(line, pair, &one, &other)) {
        addRank(peers, one);
        addRank(peers, other);
    }
}

static void addPlaces(NamedPeers &peers, Piece line)
{
    static const re2::RE2 lost(
        "(?:crimer rank ?|Cluster Exception Location\\[IP/ID\\]:)\\[([^/\\]]+)/(\\d{1,7})\\]|"
        "serverId\\[([^\\]]+)\\], ?deviceId\\[(\\d{1,5})\\], ?Heartbeat Lost");
    static const re2::RE2 peer("(?i)(?:Peer|Remote) information: ?server ([^,]+), ?device ID (\\d{1,5})(?:, "
                               "?device IP ([\\w.:]+))?");
    std::string server;
    std::string address;
    int device = 0;
    static const re2::RE2 remote("(?i)remote(?:IP|Info|_info)? ?\\{server\\[([^\\]]+)\\], "
                                 "?deviceId\\[(\\d{1,5})\\], ?deviceIp\\[([^\\]]*)\\]");
    if (re2::RE2::PartialMatch(line, remote, &server, &device, &address))
        addPlace(peers, {QByteArray::fromStdString(server), device, QByteArray::fromStdString(address)});
    Piece rest = line;
    std::string oldServer;
    std::string oldDevice;
    std::string newDevice;
    while (re2::RE2::FindAndConsume(&rest, lost, &server, &newDevice, &oldServer, &oldDevice)) {
        const bool isNew = !newDevice.empty();
        addPlace(peers, {QByteArray::fromStdString(isNew ? server : oldServer),
                         std::stoi(isNew ? newDevice : oldDevice),
                         {}});
    }
    if (re2::RE2::PartialMatch(line, peer, &server, &device, &address)) {
        while (address.ends_with('.'))
            address.pop_back();
        addPlace(peers, {QByteArray::fromStdString(server), device, QByteArray::fromStdString(address)});
    }
}

/// "rankList for enabled tls:[10.0.0.1/0],[10.0.0.1/1]; rankList for disabled tls:[10.0.0.1/2]": the fewer.
static void addTlsMinority(NamedPeers &peers, Piece line)
{
    static const re2::RE2 form("rankList for enabled tls:([^;]*);\\s*rankList for disabled tls:([^;]*)");
    static const re2::RE2 place("\\[([^/\\]]+)/(\\d{1,7})\\]");
    Piece enabled;
    Piece disabled;
    if (!re2::RE2::PartialMatch(line, form, &enabled, &disabled))
        return;
    const auto placesIn = [](Piece list) {
        std::vector<PeerPlace> places;
        std::string server;
        int device = 0;
        while (re2::RE2::FindAndConsume(&list, place, &server, &device))
            places.push_back({QByteArray::fromStdString(server), device, {}});
        return places;
    };
    const std::vector<PeerPlace> with = placesIn(enabled);
    const std::vector<PeerPlace> without = placesIn(disabled);
    if (with.size() == without.size())
        return;
    for (const PeerPlace &each : with.size() < without.size() ? with : without)
        addPlace(peers, each);
}

void NamedPeers::add(const NamedPeers &others)
{
    for (const int rank : others.ranks)
        addRank(*this, rank);
    for (const PeerPlace &place : others.places)
        addPlace(*this, place);
}

NamedPeers namedPeers(QByteArrayView line)
{
    const Piece text(line.data(), std::size_t(line.size()));
    NamedPeers peers;
    addRanksOfSentences(peers, text);
    addPlaces(peers, text);
    addTlsMinority(peers, text);
    return peers;
}

} // namespace rankdeck
