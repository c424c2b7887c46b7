#include "agent/preflight/openruns.h"

#include "agent/preflight/sharemark.h"
#include "run/livemarks.h"
#include "run/runreader.h"

#include <QSysInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

bool isBelow(pid_t pid, pid_t ancestor)
{
    while (pid > 1 && pid != ancestor) {
        const auto process = readProcess(pid);
        pid = process ? process->parent : 0;
    }
    return ancestor > 0 && pid == ancestor;
}

} // namespace

std::optional<RunState> OpenRun::state() const
{
    const auto read = RunReader(directory).open();
    return read ? std::optional(*read) : std::nullopt;
}

QList<OpenRun> openRuns()
{
    QList<OpenRun> open;
    for (const QString &directory : markedRuns()) {
        const auto record = readRunRecord(directory);
        if (!record) {
            unmarkLive(directory);
            continue;
        }
        const bool isElsewhere =
            record->supervisor && record->supervisor->host != QSysInfo::machineHostName();
        const RunPhase phase = currentPhase(*record);
        OpenRun run{directory, *record, phase == RunPhase::Lost, {}, false};
        if (run.isLost && !isElsewhere) {
            if (const auto state = run.state())
                run.leftovers = leftoversOf(*state);
        }
        // Nothing of a lost run that is gone can come back.
        const bool isOver = run.isLost ? !isElsewhere && run.leftovers.empty() : !isLive(phase);
        if (isOver)
            unmarkLive(directory);
        else if (!isElsewhere)
            open << run;
    }
    return open + markedShares();
}

const OpenRun *runOf(pid_t pid, const QList<OpenRun> &runs)
{
    const auto found = std::find_if(runs.begin(), runs.end(), [pid](const OpenRun &run) {
        if (!run.isLost)
            return isBelow(pid, run.supervisor());
        return std::any_of(run.leftovers.begin(), run.leftovers.end(),
                           [pid](const Leftover &leftover) { return leftover.process.pid == pid; });
    });
    return found == runs.end() ? nullptr : &*found;
}

} // namespace rankdeck
