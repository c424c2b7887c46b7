#pragma once

#include "agent/head/agentlink.h"
#include "base/oneshottimer.h"

namespace rankdeck
{

/// Asks every node of a launch for several, before it, who holds what the launch is going to use there. A
/// node that cannot be reached holds nothing up: the launch itself says why it cannot be used.
class NodeHolders : public QObject
{
    Q_OBJECT

public:
    /// @param plan for named nodes.
    /// @param environment of the launch.
    NodeHolders(const LaunchPlan &plan, const NodeOptions &options, const QProcessEnvironment &environment,
                QObject *parent = nullptr);
    ~NodeHolders() override;

    void ask();
    /// Ends the runs of ours that were found, on all nodes at once.
    void end();

Q_SIGNALS:
    /// Every node has answered or is lost. Problems with npu-smi name their node.
    void found(const rankdeck::Holders &holders);
    /// The first problem, with its node.
    void ended(const std::optional<rankdeck::Error> &error);

private:
    struct Node {
        QString name;
        orders::NodeShare share;
        std::unique_ptr<AgentLink> link;
        std::optional<Holders> answer;
    };

    void take(Node &node, const Holders &holders);
    void lose(Node &node);
    void concludeIfAllHaveAnswered();

    std::vector<std::unique_ptr<Node>> m_nodes;
    bool m_isEnding = false;
};

/// A node's clock beside this machine's, from a few questions and answers: the first answer of a connection
/// is late, and the shortest round trip tells best.
class ClockComparison
{
public:
    /// Notes that a question is sent now.
    void ask()
    {
        m_askedUs = wallClockUs();
        m_sinceQuestion.start();
    }

    /// Notes the answer. Returns true if another question is worth it.
    bool take(const NodeDescription &answer)
    {
        const double roundTrip = static_cast<double>(m_sinceQuestion.nsecsElapsed()) / 1e6;
        if (m_answers == 0 || roundTrip < m_roundTripMs) {
            m_roundTripMs = roundTrip;
            m_offsetMs = static_cast<double>(answer.wallUs - m_askedUs) / 1000 - roundTrip / 2;
        }
        return ++m_answers < questions;
    }

    double roundTripMs() const { return m_roundTripMs; } ///< The shortest.
    /// The node's clock less this one's, within half the round trip.
    double offsetMs() const { return m_offsetMs; }

private:
    static constexpr int questions = 5;

    QElapsedTimer m_sinceQuestion;
    qint64 m_askedUs = 0;
    int m_answers = 0;
    double m_roundTripMs = 0;
    double m_offsetMs = 0;
};

struct NodeTestResult {
    QString node;
    std::optional<NodeDescription> description; ///< Absent: no agent answered; see `problem`.
    /// Why it cannot be used, or what about it is odd, with the mend; empty: nothing.
    QString problem;
    /// Bytes of this machine's rankdeckctl a launch would copy there first, since it has none; then
    /// there is no description either.
    qint64 wantedCopy = 0;
    bool isKeyUnknown = false; ///< ssh has never seen its host key: see fetchHostKey().
    double roundTripMs = 0;    ///< The shortest of a few questions.
    double clockOffsetMs = 0;  ///< The node's clock less this one's, within half the round trip.

    bool isUsable() const { return description.has_value() || wantedCopy > 0; }
};

/// Returns a sentence about the copy that a launch would make first.
QString wantedCopyText(const NodeTestResult &result);

/// Tries a node as a launch would reach it: starts an agent there, asks it what its node is, and lets it end.
class NodeTest : public QObject
{
    Q_OBJECT

public:
    NodeTest(std::unique_ptr<AgentTransport> transport, const QString &node);

    /// The result comes within 30 s.
    void start();

Q_SIGNALS:
    /// The agent has ended, or could not be started. Emitted once.
    void finished(const rankdeck::NodeTestResult &result);

private:
    void ask();
    void take(const NodeDescription &description);
    void conclude(const QString &how);

    AgentLink m_link;
    OneShotTimer m_timeout;
    NodeTestResult m_result;
    ClockComparison m_clock;
    bool m_timedOut = false;
};

} // namespace rankdeck
