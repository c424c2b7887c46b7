#pragma once

#include "run/control/runclient.h"

namespace rankdeck
{

/// Returns the processes of a plan for which `isWanted` is true, by index.
template <typename IsWanted>
QList<int> processesWhere(const LaunchPlan &plan, const IsWanted &isWanted)
{
    QList<int> found;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        if (isWanted(plan.processes[index]))
            found << int(index);
    }
    return found;
}

/// Returns the workers with these ranks, "3", "0,4-7" or "all", by index in the plan, ascending. Fails if
/// `ranks` is not such a list, or names a rank that this plan does not start.
Result<QList<int>> workersOf(const LaunchPlan &plan, const QString &ranks);

/// Returns "ranks 0-3,7", and the labels of processes that are not ranks.
QString namesOf(const LaunchPlan &plan, const QList<int> &processes);

/// Returns the processes that run, by index in the plan.
QList<int> runningProcesses(const RunState &state);

/// The run that a command is for.
struct ChosenRun {
    QString directory;
    RunRecord record;
};

/// Reads the run that runGiven() or runToChange() found. Fails if there is none, or its record cannot be
/// read.
Result<ChosenRun> chooseRun(const Result<QString> &directory);
/// Does the same, but also fails if the run is not live; `mend` says what to do then.
Result<ChosenRun> chooseLiveRun(const Result<QString> &directory, const QString &mend);

/// Prints as JSON how each process of a run has ended. Returns `code`, or unusableInput if it cannot be read.
int printResults(const QString &runDirectory, int code);

/// Has the client's problems printed; after a failure the program ends with unusableInput.
void sayProblems(RunClient &client);
/// Opens the client and runs the event loop. Returns the exit code.
int watchRun(RunClient &client);
/// Ends the event loop once the last messages to the supervisor are on their way.
void exitLater(int code);

/// Requests something of a run and waits until it is done, while the run goes on.
class RunWatcher
{
public:
    explicit RunWatcher(const QString &runDirectory);
    virtual ~RunWatcher() = default;
    Q_DISABLE_COPY_MOVE(RunWatcher)

    /// Runs the event loop until all is done, or the run has ended. Returns 0, or unusableInput if the run
    /// cannot be reached.
    int watch() { return watchRun(m_client); }
    /// The newest state; only once watch() has returned.
    const RunState &state() const { return *m_state; }

protected:
    /// Returns false while the request would come too early.
    virtual bool isReady(const RunState &) const { return true; }
    /// Sends the request, once the run is known and isReady().
    virtual void request(RunClient &client, const RunState &state) = 0;
    /// Handles a change; `before` is null for the first state, for which request() has been called. Returns
    /// true when nothing is left to be done.
    virtual bool update(const RunState &state, const RunState *before) = 0;

private:
    void setState(const RunState &state);

    RunClient m_client;
    std::optional<RunState> m_state;
    bool m_hasAsked = false;
};

} // namespace rankdeck
