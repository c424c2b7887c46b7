#include "signalwatcher.h"

#include "rankchoice.h"

namespace rankdeck
{

SignalWatcher::SignalWatcher(const QString &runDirectory, SignalRequest request)
    : RunWatcher(runDirectory)
    , m_request(std::move(request))
{
}

void SignalWatcher::ask(RunClient &client, const RunState &state)
{
    if (m_request.processes.isEmpty()) {
        for (const int process : runningProcesses(state)) {
            if (state.plan->processes[static_cast<std::size_t>(process)].role == Role::Worker)
                m_request.processes << process;
        }
    }
    m_due = {m_request.processes.begin(), m_request.processes.end()};
    client.sendSignal(m_request);
}

bool SignalWatcher::take(const RunState &state, const RunState *before)
{
    const QSet<int> due = m_due;
    for (const int process : due) {
        const auto index = static_cast<std::size_t>(process);
        const RankState &rank = state.ranks[index];
        const QString label = state.plan->processes[index].label();
        // One that is started anew counts from nothing.
        const bool isAnother = before && before->attempt != state.attempt;
        const int known = before ? before->ranks[index].signalAnswers.count : rank.signalAnswers.count;
        if (!isAnother && rank.signalAnswers.count > known)
            answer(process, rank.signalAnswers.problem);
        else if (isAnother || !isLive(state.phase))
            answer(process, tr("%1: it is not known whether it got the signal, it has ended.").arg(label));
        else if (before && state.unreached.contains(state.plan->processes[index].node))
            answer(process,
                   tr("%1: it is not known whether it got the signal, its node is not reached.").arg(label));
    }
    return m_due.isEmpty();
}

void SignalWatcher::answer(int process, const QString &problem)
{
    m_due.remove(process);
    if (problem.isEmpty())
        ++m_sentTo;
    else
        m_problems << problem;
}

} // namespace rankdeck
