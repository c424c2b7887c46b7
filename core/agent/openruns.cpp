#include "agent/openruns.h"

#include "run/leftovers.h"
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
        const bool isElsewhere =
            record && record->supervisor && record->supervisor->host != QSysInfo::machineHostName();
        if (!record || (!isLive(record->phase) && record->phase != RunPhase::Lost))
            unmarkLive(directory);
        else if (!isElsewhere)
            open.append({directory, *record, !isLive(currentPhase(*record))});
    }
    return open;
}

const OpenRun *runOf(pid_t pid, const QList<OpenRun> &runs)
{
    const auto found = std::find_if(runs.begin(), runs.end(), [pid](const OpenRun &run) {
        if (!run.isLost)
            return isBelow(pid, run.supervisor());
        const auto state = run.state();
        const std::vector<Leftover> left = state ? leftoversOf(*state) : std::vector<Leftover>();
        return std::any_of(left.begin(), left.end(),
                           [pid](const Leftover &leftover) { return leftover.process.pid == pid; });
    });
    return found == runs.end() ? nullptr : &*found;
}

} // namespace rankdeck
