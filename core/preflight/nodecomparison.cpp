#include "preflight/nodecomparison.h"

#include "agent/preflight/npunetwork.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

/// Ranks compare times between nodes, and so does who reads their logs.
constexpr double largeOffsetMs = 1000;

QString tr(const char *text)
{
    return QCoreApplication::translate("NodeComparison", text);
}

std::vector<PreflightCheck> clockChecks(const std::vector<ComparedNode> &nodes)
{
    std::vector<PreflightCheck> checks;
    double farthest = 0;
    for (const ComparedNode &node : nodes) {
        const double offset = std::abs(node.clockOffsetMs);
        farthest = std::max(farthest, offset);
        if (offset > largeOffsetMs)
            checks.push_back(
                {Part::Host, QStringLiteral("clock"), node.name, Status::Warn,
                 tr("Its clock is %1 s %2.")
                     .arg(offset / 1000, 0, 'f', 1)
                     .arg(node.clockOffsetMs > 0 ? tr("ahead") : tr("behind")),
                 tr("Set it by NTP (chronyc makestep): times in logs of several nodes are compared.")});
    }
    if (checks.empty())
        checks.push_back(
            {Part::Host,
             QStringLiteral("clock"),
             {},
             Status::Pass,
             tr("The nodes' clocks differ from this one's by %1 ms at most.").arg(farthest, 0, 'f', 1),
             {}});
    return checks;
}

} // namespace

std::vector<PreflightCheck> compareNodes(const std::vector<ComparedNode> &nodes)
{
    if (nodes.size() < 2)
        return {};
    std::vector<PreflightCheck> checks = clockChecks(nodes);
    QMap<QString, QMap<int, QString>> tls;
    for (const ComparedNode &node : nodes) {
        if (!node.tls.isEmpty())
            tls.insert(node.name, node.tls);
    }
    if (!tls.isEmpty())
        checks.push_back(tlsCheckOfNodes(tls));
    return checks;
}

} // namespace rankdeck
