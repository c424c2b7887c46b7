#pragma once

#include "run/workers/rankfinder.h"

#include <memory>

namespace rankdeck
{

/// Watches a process that somebody started outside Rankdeck, the first of the plan, and the ranks below it.
/// It is never signalled but on request, and neither are they. Its end is seen, but not its exit code.
class AdoptedRun : public QObject
{
    Q_OBJECT

public:
    /// @param plan has an adopted process of this node.
    explicit AdoptedRun(const LaunchPlan &plan, QObject *parent = nullptr);
    ~AdoptedRun() override;

    void start();
    /// Watches no more, and leaves all as it is.
    void detach();
    /// SIGKILL to the process, everything below it and all ranks. The user has asked for it.
    void kill();
    /// As those of RankFinder, of the process itself too.
    void name(int process, const ProcessPlan &plan, qint64 pid);
    qint64 pidOf(int process) const;
    bool sendSignal(int process, int number);
    void killProcesses(const QList<int> &processes);

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// The process and all ranks have ended, or are watched no more. Emitted once.
    void done();

private:
    void look();
    bool isTop(int process) const { return process == 0; }
    void report(RunEvent::Kind kind, const std::optional<ExitStatus> &status = {});
    void end();

    ProcessInfo m_top; ///< As it was adopted.
    std::unique_ptr<RankFinder> m_finder;
    QTimer m_limit; ///< For a kill.
    HoldWatch m_holds;
    SentSignals m_sent;
    bool m_hasTopEnded = false;
    bool m_isDone = false;
};

} // namespace rankdeck
