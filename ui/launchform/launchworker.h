#pragma once

#include "agent/preflight/holders.h"
#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "ranktable/tablecheck.h"
#include "result.h"

#include <QObject>

#include <atomic>

namespace rankdeck
{

class NodeHolders;
class RankTableWaiter;

/// The part of a LaunchJob that blocks; lives in its thread.
class LaunchWorker : public QObject
{
    Q_OBJECT

public:
    /// @param chip whose rules the rank table is checked by.
    explicit LaunchWorker(LaunchSpec spec, Chip chip = Chip::Unknown);

    void run();
    /// Launch with the rank table though it has errors.
    void proceed();
    /// End the runs of ours among the holders, then launch.
    void stopHolders();
    /// Launch beside the holders.
    void launchAllTheSame();
    /// From any thread. A run that is already being started is not undone.
    void requestCancel();

Q_SIGNALS:
    void progress(const QString &text);
    /// Waits for proceed() or requestCancel().
    void tableHasErrors(const rankdeck::TableCheck &check);
    /// Waits for stopHolders(), launchAllTheSame() or requestCancel().
    void held(const QList<rankdeck::Holder> &holders);
    // Exactly one of these, once:
    void launched(const QString &runDirectory);
    void failed(const rankdeck::Error &error);
    void cancelled();

private:
    void finishWaiting(const Result<RankTable> &table);
    void checkTable();
    void makePlan();
    void takeHolders(const Holders &holders);
    void launch();
    void fail(const Error &error);
    void giveUp();

    LaunchSpec m_spec;
    HostFacts m_facts;
    Chip m_chip;
    QString m_tablePath;
    RankTable m_table;
    LaunchPlan m_plan;
    QList<Holder> m_holders;
    RankTableWaiter *m_waiter = nullptr; ///< A child.
    NodeHolders *m_nodes = nullptr;      ///< A child; of a launch for named nodes.
    std::atomic_bool m_cancelRequested = false;
    bool m_done = false;
};

} // namespace rankdeck
