#pragma once

#include "run/record/runrecord.h"
#include "run/record/runstate.h"
#include "run/strays/leftovers.h"

namespace rankdeck
{

/// The devices that a process may use, by their numbers on its node: CANN's variable.
inline constexpr char visibleDevicesVariable[] = "ASCEND_RT_VISIBLE_DEVICES";

/// A run of this machine that has not ended, as far as its record says.
struct OpenRun {
    QString directory;
    RunRecord record;
    bool isLost = false; ///< The run has no supervisor any more; some of its processes may still be alive.
    std::vector<Leftover> leftovers; ///< These, of a lost run.
    /// A node's share of a run: see ShareMark. Its supervisor is the agent, its guardian's host the head.
    bool isShare = false;

    /// 0: it is not up yet.
    pid_t supervisor() const { return record.supervisor ? static_cast<pid_t>(record.supervisor->pid) : 0; }
    std::optional<RunState> state() const; ///< From the journal, which may be long.
};

/// Returns all open runs, and the shares on this machine; lost runs only while a process of theirs is alive.
/// Looks only at marked runs, not at every past run; removes marks of runs that have finished or are gone.
QList<OpenRun> openRuns();

/// Returns the run in `runs` to which a process belongs; null: none.
const OpenRun *runOf(pid_t pid, const QList<OpenRun> &runs);

/// Marks that this process prepares or runs a share of a launch for several nodes, so that other launches
/// find its devices and ports. Its destructor removes the mark; that of a killed process does not count.
class ShareMark
{
public:
    /// @param head the host that the run `runName` was launched from.
    /// @param environment of the share's processes.
    ShareMark(const QString &runName, const QString &head, const LaunchPlan &share,
              const QProcessEnvironment &environment);
    ~ShareMark();
    Q_DISABLE_COPY(ShareMark)

private:
    QString m_directory;
};

/// Has the agent of the share at `directory` stop it. Runs its own event loop. Fails if that takes too long.
std::optional<Error> endShare(const QString &directory);

} // namespace rankdeck
