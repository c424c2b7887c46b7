#pragma once

#include "agent/preflight/preflightcheck.h"
#include "base/oneshottimer.h"
#include "collective/selftest/selftest.h"
#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

#include <QElapsedTimer>

#include <memory>

namespace rankdeck
{

struct PreflightReport {
    std::vector<PreflightCheck> checks; ///< By part, in the order they were made.
    SelfTestResults selfTest;
    /// The launch's rank for each rank of the self-test: all of them, or representatives.
    QList<int> selfTestRanks;
    QStringList selfTestNodes; ///< The node of each.
    double seconds = 0;        ///< Duration of the check.

    void add(const PreflightCheck &check); ///< Keeps the checks ordered by part.
    int countOf(PreflightCheck::Status status) const;
    bool isPassed() const { return countOf(PreflightCheck::Status::Fail) == 0; }
    /// "2 of 31 checks failed, 1 warning, 4 skipped.", or that nothing was found.
    QString summary() const;
};

/// Writes the report alone. Ranks of pairs and collectives are indices into its "ranks".
void visitFields(Fields &fields, PreflightReport &report);

class SelfTestHead;
struct NodeAnswer;
struct NodeDescription;

struct PreflightOptions {
    int limitSeconds = 30; ///< Limit for the whole preflight, 1 … 3600; unfinished checks fail then.
    QStringList imports;   ///< Python modules that each node's interpreter must be able to import.
    int paceMs = 0;        ///< Shortest time of each step of the collectives, to show how they work.
};

/// Checks that a launch would work on all its nodes, without starting it. Leaves nothing, never blocks.
class Preflight : public QObject
{
    Q_OBJECT

public:
    /// @param facts of this machine, from which `plan` was made.
    Preflight(LaunchSpec spec, LaunchPlan plan, HostFacts facts, PreflightOptions options,
              QObject *parent = nullptr);
    ~Preflight() override;

    void start();
    /// Stops all started programs; finished() follows soon.
    void cancel() { giveUp(tr("Cancelled."), PreflightCheck::Status::Skipped); }
    const PreflightReport &report() const { return m_report; }

Q_SIGNALS:
    void checked(const rankdeck::PreflightCheck &check);
    /// The self-test of the ranks has made a step, which the report has already.
    void selfTestHappened(const rankdeck::SelfTestEvent &event);
    void progressed(const QString &sentence); ///< Emits a sentence on the present step.
    void finished();                          ///< Emitted once.

private:
    struct Node;

    void giveUp(const QString &why, PreflightCheck::Status status);
    void checkPlan();
    void reachNodes();
    void add(const PlannedNode &planned);
    void takeDescription(Node &node, const NodeDescription &description);
    void takeAnswer(Node &node, const NodeAnswer &answer);
    void takeEnd(Node &node, const QString &how);
    void goOn();
    void compareNodes();
    void startSelfTest();
    void orderSelfTest(const Node &node);
    void sendToRank(int rank, const QByteArray &line);
    void skipSelfTest(const QString &why);
    void endSelfTest();
    void endAgents();
    void finishIfDone();
    QString nameOf(const Node &node) const;
    void report(const PreflightCheck &check);

    LaunchSpec m_spec;
    LaunchPlan m_plan;
    HostFacts m_facts;
    PreflightOptions m_options;
    PreflightReport m_report;
    QElapsedTimer m_sinceStart;
    OneShotTimer m_limit;
    OneShotTimer m_arrival; ///< Limit for the first sign of each rank of the self-test.
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::unique_ptr<SelfTestHead> m_selfTest;
    bool m_planIsChecked = false;
    bool m_selfTestIsDone = false;
    bool m_isEnding = false;
    bool m_isFinished = false;
};

} // namespace rankdeck
