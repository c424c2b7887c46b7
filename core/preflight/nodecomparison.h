#pragma once

#include "agent/preflight/preflightcheck.h"

#include <QMap>
#include <QString>

#include <vector>

namespace rankdeck
{

/// What of a node is compared with the others'.
struct ComparedNode {
    QString name;
    double clockOffsetMs = 0; ///< Its clock less this machine's.
    QMap<int, QString> tls;   ///< NpuNetwork::tls().
};

/// Whether clocks agree to a second, and TLS is the same at all NPUs. Of less than two nodes nothing.
std::vector<PreflightCheck> compareNodes(const std::vector<ComparedNode> &nodes);

} // namespace rankdeck
