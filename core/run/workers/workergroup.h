#pragma once

#include "launch/plan/launchplan.h"
#include "run/record/runphase.h"
#include "run/record/runrequests.h"
#include "run/workers/worker.h"

namespace rankdeck
{

/// The signals that were sent to a node's processes on request, so that a later end of a process can be
/// explained by the request.
class SentSignals
{
public:
    using Clock = std::chrono::steady_clock;

    /// Another process takes its place.
    void forget(int process) { m_last.erase(process); }
    /// Ignores SIGSTOP and SIGCONT.
    void note(int process, int number, Clock::time_point now = Clock::now());
    /// Sets in the status of a failed process the signal that ended it, or that it got within the last
    /// minute.
    void explain(int process, ExitStatus &status, Clock::time_point now = Clock::now()) const;

private:
    struct Sent {
        int number;
        Clock::time_point when;
    };
    std::map<int, Sent> m_last;
};

/// Where a signal goes that somebody requests for a process.
struct SignalTarget {
    qint64 pid = 0;           ///< 0: the process does not run.
    Worker *worker = nullptr; ///< It was started here: its whole group gets the signal.
    SentSignals *sent = nullptr;
};

/// Detects processes that are stopped or traced from outside, and when they continue, by polling their state.
/// A process that is held and continued again and again is reported ten times at once, and then once a
/// minute, so that the journal stays short. Takes times from the caller, in ms of any monotonic clock.
class HoldWatch
{
public:
    /// Returns an event if the process was held or continued. A debugger that attaches only for a moment, as
    /// for stacks, is not reported.
    /// @param state as in proc(5).
    std::optional<RunEvent> take(int process, qint64 pid, char state, qint64 now);
    /// Takes the states of processes as they are now.
    /// @param pids by process; 0: it does not run. @param areLookedAt those that are traced are passed over.
    QList<RunEvent> look(const std::vector<qint64> &pids, bool areLookedAt);
    /// The process has ended.
    void forget(int process) { m_seen.erase(process); }

private:
    static constexpr int mostTellings = 10;

    struct Seen {
        Hold told = Hold::None;
        Hold last = Hold::None;
        int tellings = mostTellings; ///< How many reports are allowed now.
        std::optional<qint64> refilledAt;
    };

    static bool mayTell(Seen &seen, qint64 now);

    std::map<int, Seen> m_seen;
};

/// The workers of one node: starts them, reports what happens to them, and ends them and everything that they
/// started. This process must be a child subreaper, so that orphans come back here.
class WorkerGroup : public QObject
{
    Q_OBJECT

public:
    using StrayFilter = std::function<bool(const ProcessInfo &)>;

    /// @param node workers planned for another node are left alone.
    /// @param isOurs selects the processes besides the workers that this group ends; none: all processes
    /// below this process.
    WorkerGroup(const LaunchPlan &plan, QString node, StrayFilter isOurs = {});
    ~WorkerGroup() override;

    /// Starts every worker, in order. If one cannot start, those that run already are torn down.
    void start();
    /// SIGTERM to every worker's group and every stray process, SIGKILL after the plan's grace.
    void tearDown();
    /// SIGKILL at once.
    void kill();
    /// Ends these workers and what they started while the others go on. Passes over processes that are not
    /// workers of this group, or have ended.
    void endWorkers(const QList<int> &processes, bool kill);
    /// Starts a worker again once it and what it started have ended, which it does as endWorkers() does. Its
    /// logs are appended to. Reports ProcessStarted, ProcessNotStarted, or StartRefused if it cannot be
    /// ended. False if the process is no worker of this group, or the group has ended or is being ended.
    bool startAgain(int process);
    SignalTarget targetOf(int process) { return {pidOf(process), running(process), &m_sent}; }
    /// Returns the pid of a worker; 0 if it does not run.
    qint64 pidOf(int process) const;
    /// Sets who says, once every worker has ended well, whether what they started goes on; the group ends
    /// when it no longer does.
    void setGoesOn(std::function<bool()> goesOn) { m_goesOn = std::move(goesOn); }
    /// Excludes a child of this process that others wait for, and its process group, from the strays; and
    /// ends that.
    void spare(qint64 pid) { m_spared.insert(pid); }
    void spareNoMore(qint64 pid) { m_spared.erase(pid); }
    /// While tools of ours take stacks, traced processes are not reported: they will continue by themselves.
    void setLookedAt(bool areLookedAt) { m_areLookedAt = areLookedAt; }
    /// Types into the terminals of running workers.
    void type(const TerminalInput &input);
    /// Call it on SIGCHLD, when a child of this process has ended.
    void childEnded();

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// A process with a terminal has printed this.
    void printed(int process, QByteArrayView bytes);
    /// An orphan that was reparented to this process has ended.
    void reaped(const rankdeck::ProcessInfo &process, const rankdeck::ExitStatus &status);
    /// Nothing that this group started is alive. Emitted once.
    void done();

private:
    Worker *addWorker(int index, const QList<qint64> &logged = {});
    WorkerEnding &endingOf(int process);
    void startNext(int process);
    /// Returns true if a worker runs or is about to be started again.
    bool hasWorkers() const { return !m_toStart.empty() || !runningPids().empty(); }
    Worker *running(int process) const;
    void makeScratch();
    void report(RunEvent event);
    void report(AnyEvent what) { report(RunEvent::now(std::move(what))); }
    void reportSwept(const ProcessInfo &stray, int signalNumber) { report(sweptEvent(stray, signalNumber)); }
    void tellSurvival(const ProcessInfo &process);
    void note(const Sentence &text) { report(events::Note{text}); }
    std::vector<qint64> runningPids() const;
    void signalEverything(int signalNumber);
    void signalStrays(const std::vector<ProcessInfo> &strays);
    std::vector<ProcessInfo> listOurs(Reach reach);
    void sweep(Reach reach);
    void giveUp();
    void finish();

    LaunchPlan m_plan;
    QString m_node;
    StrayFilter m_isOurs;
    std::function<bool()> m_goesOn; ///< May be null.
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::map<int, std::unique_ptr<WorkerEnding>> m_endings; ///< By process.
    std::set<int> m_toStart; ///< To be started again once nothing of them is left.
    QString m_scratchPath;
    OneShotTimer m_graceTimer;
    OneShotTimer m_sweepTimer;
    OneShotTimer m_deeperTimer{int(lookDeeperAfter.count())};
    OneShotTimer m_unkillableTimer{int(unkillableAfter.count())};
    QTimer m_holdTimer;
    HoldWatch m_holds;
    SentSignals m_sent;
    std::set<std::pair<pid_t, int>> m_signalled; ///< Strays (groups: negative) and the signals sent to them.
    std::set<qint64> m_spared;
    bool m_areLookedAt = false;
    int m_signal = 0;     ///< The last one sent to everything; 0 until the end is requested.
    std::set<int> m_deaf; ///< Processes that do not read what is typed; reported once.
    bool m_starting = false;
    bool m_done = false;
};

} // namespace rankdeck
