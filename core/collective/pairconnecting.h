#pragma once

#include "collective/sockets.h"

#include <QHash>
#include <QString>

#include <chrono>
#include <map>

namespace rankdeck
{

/// A rank to connect to.
struct ProbeTarget {
    int rank = 0;
    QStringList addresses;
    quint16 port = 0;
};

struct PairConnections {
    std::map<int, FileDescriptor> sockets; ///< By rank: those that answered as that rank.
    std::map<int, QString> problems; ///< By rank: the others, "no connection to 10.0.0.3:40123 within 3 s".
};

/// How long connectPairs() takes at most.
inline constexpr std::chrono::seconds connectLimit{3};

/// All at once, each at all its addresses, so that one that cannot be reached costs the others no time.
/// Whoever is there must answer as PairAcceptor does.
PairConnections connectPairs(const std::vector<ProbeTarget> &targets, int from, const QByteArray &token);

} // namespace rankdeck
