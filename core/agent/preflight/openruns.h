#pragma once

#include "run/leftovers.h"
#include "run/runrecord.h"

#include <QList>
#include <QString>

#include <optional>
#include <vector>

#include <sys/types.h>

namespace rankdeck
{

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

} // namespace rankdeck
