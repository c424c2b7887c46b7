#pragma once

#include "agent/agentlink.h"
#include "agent/clockcomparison.h"
#include "agent/nodedescription.h"

#include <QMetaType>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace rankdeck
{

/// What came of trying a node.
struct NodeTestResult {
    QString node;
    std::optional<NodeDescription> description; ///< Absent: no agent answered; see `problem`.
    /// Why it cannot be used, or what about it is odd, with the mend; empty: nothing.
    QString problem;
    /// So many bytes of this machine's rankdeckctl a launch would copy there first, since it has none; then
    /// there is no description either.
    qint64 wantedCopy = 0;
    bool isKeyUnknown = false; ///< ssh has never seen its host key: see fetchHostKey().
    double roundTripMs = 0;    ///< The shortest of a few questions.
    double clockOffsetMs = 0;  ///< The node's clock less this one's, within half the round trip.

    bool isUsable() const { return description.has_value() || wantedCopy > 0; }
};

/// Of one with a wantedCopy: a sentence that says so.
QString wantedCopyText(const NodeTestResult &result);

/// Tries a node as a launch would reach it: starts an agent there, asks it what its node is, and lets it end.
class NodeTest : public QObject
{
    Q_OBJECT

public:
    NodeTest(std::unique_ptr<AgentTransport> transport, const QString &node, QObject *parent = nullptr);

    /// The result comes within 30 s.
    void start();

Q_SIGNALS:
    /// The agent has ended, or never was. Emitted once.
    void finished(const rankdeck::NodeTestResult &result);

private:
    void ask();
    void take(const NodeDescription &description);
    void conclude(const QString &how);

    AgentLink m_link;
    QTimer m_timeout;
    NodeTestResult m_result;
    ClockComparison m_clock;
    bool m_timedOut = false;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::NodeTestResult)
