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
    bool isLost = false; ///< Nobody watches over it any more; some of its processes may still be alive.
    std::vector<Leftover> leftovers; ///< These, of a lost run.
    /// One node's share of a run, perhaps of another machine's: see ShareMark. The supervisor is its agent,
    /// and the guardian's host is where it was launched from.
    bool isShare = false;

    /// 0: it is not up yet.
    pid_t supervisor() const { return record.supervisor ? static_cast<pid_t>(record.supervisor->pid) : 0; }
    /// From the journal, which may be long.
    std::optional<RunState> state() const;
};

/// All of them, and the shares of this machine, but lost ones only while something of them is alive. Costs a
/// look at each that is marked, not at every run there ever was; marks of runs that have ended or are gone
/// are removed on the way.
QList<OpenRun> openRuns();

/// Which of `runs` a process belongs to; null: none.
const OpenRun *runOf(pid_t pid, const QList<OpenRun> &runs);

/// Says on a node that this process prepares or runs a node's share of a launch for several nodes, wherever
/// that was launched from, so that other launches find what it uses. Goes away with the object; the mark of a
/// process that was killed counts no more.
class ShareMark
{
public:
    /// @param head the host that the run `runName` was launched from.
    /// @param environment of the share's processes.
    ShareMark(const QString &runName, const QString &head, const LaunchPlan &share,
              const QProcessEnvironment &environment);
    ~ShareMark();
    ShareMark(const ShareMark &) = delete;
    ShareMark &operator=(const ShareMark &) = delete;

private:
    QString m_directory;
};

/// The shares on this machine, as runs that their agents supervise. Marks that count no more are removed.
QList<OpenRun> markedShares();

/// Ask the agent of the share at `directory` to end it in order, and wait for that. Runs an event loop of its
/// own. Error: it has not ended in time.
std::optional<Error> endShare(const QString &directory);

} // namespace rankdeck
