#pragma once

#include "run/workers/ranksearch.h"
#include "run/workers/workergroup.h"

#include <QTimer>

namespace rankdeck
{

/// Watches the ranks that a wrapped command starts on this node, below this process, which is a child
/// subreaper. Tells of each process found by RankFound; once the supervisor has named the index of that rank
/// in the plan, it tells of the rank's start, holds and end as of any other's.
class RankFinder : public QObject
{
    Q_OBJECT

public:
    /// @param console the command, as planned.
    explicit RankFinder(const ProcessPlan &console, QObject *parent = nullptr);

    void start();
    /// The rank that this process was found to be has this index in the plan.
    void name(int process, const ProcessPlan &plan, qint64 pid);
    /// Returns the pid of a rank by its index; 0 if it does not run or is not one of these.
    qint64 pidOf(int process) const;
    /// Sends a signal to the rank's process, and tells of it. False if it does not run.
    bool sendSignal(int process, int number);
    /// Ends these ranks: SIGTERM, and SIGKILL after the grace; or SIGKILL at once.
    void end(const QList<int> &processes, bool kill, int graceSeconds);
    /// A process without a parent of its own was reaped.
    void takeEnd(qint64 pid, const ExitStatus &status);
    /// Nothing below this process is alive.
    void finish();

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);

private:
    /// A rank that has been told of.
    struct Found {
        ProcessInfo process;
        int index = -1; ///< In the plan; -1: not named yet.
        std::optional<ExitStatus> status;
    };

    void look();
    void tell(const RankSearch::Rank &rank);
    void tellEnd(const Found &found);
    const Found *named(int process) const;

    QString m_ownLog;
    RankSearch m_search;
    QTimer m_timer;
    std::map<int, Found> m_found; ///< Those that live, by rank.
    HoldWatch m_holds;
    SentSignals m_sent;
};

} // namespace rankdeck
