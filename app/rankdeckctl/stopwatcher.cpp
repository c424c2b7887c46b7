#include "stopwatcher.h"

#include "output.h"

namespace rankdeck
{

StopWatcher::StopWatcher(const QString &runDirectory, StopRequest request)
    : RunWatcher(runDirectory)
    , m_request(std::move(request))
{
}

void StopWatcher::ask(RunClient &client, const RunState &)
{
    client.request(m_request);
}

bool StopWatcher::take(const RunState &state, const RunState *before)
{
    // Such as what could not be killed, and why.
    for (const QString &note : state.notes.mid(before ? before->notes.size() : state.notes.size()))
        say(note);
    bool haveAllEnded = true;
    for (const int process : std::as_const(m_request.processes)) {
        const auto index = static_cast<std::size_t>(process);
        const RankState &rank = state.ranks[index];
        const QString label = state.plan->processes[index].label();
        haveAllEnded = haveAllEnded && rank.status;
        if (!before && rank.status)
            say(tr("%1 had ended already: %2").arg(label, rank.status->text()));
        else if (rank.status && !before->ranks[index].status)
            say(tr("%1 (pid: %2): %3").arg(label).arg(rank.pid).arg(rank.status->text()));
    }
    return haveAllEnded;
}

} // namespace rankdeck
