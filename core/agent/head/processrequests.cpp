#include "agent/head/processrequests.h"

#include "agent/head/nodeagents.h"
#include "agent/messages/processorders.h"
#include "base/listcomma.h"
#include "launch/plan/recorderfiles.h"
#include "launch/text/optionvalues.h"

#include <cerrno>

namespace rankdeck
{

ProcessRequests::ProcessRequests(QString runDirectory, const RunRecord &record, const RunState &state)
    : m_directory(std::move(runDirectory))
    , m_record(record)
    , m_state(state)
    , m_stacks(m_directory)
{
}

void ProcessRequests::setAgents(NodeAgents *agents)
{
    m_agents = agents;
    m_stacks = StackKeeper(m_directory);
}

void ProcessRequests::dumpStacks(const QList<int> &processes, bool isUrgent)
{
    if (!m_agents)
        return;
    const StackKeeper::Request request = m_stacks.ask(processes, m_state);
    note(request.note);
    for (const RunEvent &refusal : request.refusals)
        Q_EMIT happened(refusal);
    Q_EMIT stacksAsked(request.asked);
    m_agents->dumpStacks(request.asked, dumpSignalNumber(m_record.spec.common.dumpSignal), isUrgent);
}

QStringList ProcessRequests::dumpRecorders(std::chrono::seconds limit)
{
    if (!m_agents || !hasRecorders(m_record.plan))
        return {};
    return m_agents->dumpRecorders(recorderFolder(m_directory, m_record.plan, m_state.attempt), limit);
}

void ProcessRequests::startAgain(const QList<int> &processes, bool isEnding)
{
    if (!m_agents)
        return;
    const StartOrder order = startOrder(processes, m_state, isEnding);
    answer(order.refusals, order.note);
    tellStops(order.ended);
    m_agents->startProcesses(order.asked);
}

void ProcessRequests::refuseStarts(const QList<int> &processes)
{
    for (const int process : processes)
        Q_EMIT happened(RunEvent::now(
            events::StartRefused{process, Sentence::tr("%1 is not started again: its end was requested.")
                                              .arg(m_state.planOf(process)->label())}));
}

void ProcessRequests::end(const QList<int> &processes, bool isKill)
{
    if (!m_agents)
        return;
    QList<Sentence> names;
    for (const int process : processes) {
        const ProcessPlan &plan = *m_state.planOf(process);
        names << processInSentence(plan);
    }
    m_agents->endProcesses(processes, isKill);
    tellStops(processes);
    note((isKill ? Sentence::tr("Kill was requested for %1.") : Sentence::tr("Stop was requested for %1."))
             .arg(Sentence::joined(names, nameComma())));
}

void ProcessRequests::tellStops(const QList<int> &processes)
{
    for (const int process : processes)
        Q_EMIT happened(RunEvent::now(events::ProcessStopRequested{process}));
}

/// A function for each kind of request. There are agents.
struct ProcessRequests::Handler {
    ProcessRequests &own;

    // The supervisor decides about these.
    void operator()(const StopRequest &) const {}
    void operator()(const StartRequest &) const {}
    void operator()(const DumpRequest &request) const
    {
        own.dumpRecorders(recorderLimit);
        own.dumpStacks(request.processes);
    }
    void operator()(const SignalRequest &request) const
    {
        const SignalOrder order = signalOrder(request, own.m_state);
        own.answer(order.refusals, order.note);
        own.m_agents->order(SignalRequest{request.number, order.asked});
    }
    void operator()(const ToolRequest &request) const
    {
        const RunState &state = own.m_state;
        if (request.process >= static_cast<int>(state.ranks.size()) ||
            state.plan->processes[static_cast<std::size_t>(request.process)].role != Role::Worker ||
            state.tools.size() >= RunState::mostTools)
            return;
        const ToolOrder order = toolOrder(request, state, own.m_directory);
        const auto index = static_cast<int>(state.ranks.size() + state.tools.size());
        Q_EMIT own.happened(RunEvent::now(events::ProcessAdded{index, processText(order.plan)}));
        if (order.problem.isEmpty()) {
            own.m_agents->attachTool(index, request.process, order.plan);
            return;
        }
        Q_EMIT own.happened(RunEvent::now(events::ProcessNotStarted{
            index, ExitStatus{ExitStatus::Kind::NotStarted, ESRCH}, order.problem}));
    }
    void operator()(const TerminalInput &input) const
    {
        for (const int process : input.processes) {
            if (input.size && process < static_cast<int>(own.m_state.ranks.size()))
                own.m_sizes.insert(process, *input.size);
        }
        own.m_agents->type(input);
    }
};

void ProcessRequests::carryOut(const Request &request)
{
    if (m_agents)
        std::visit(Handler{*this}, request);
}

void ProcessRequests::answer(const QList<RunEvent> &refusals, const Sentence &sentence)
{
    for (const RunEvent &refusal : refusals)
        Q_EMIT happened(refusal);
    note(sentence);
}

void ProcessRequests::giveUpStacks(const QString &node, const Sentence &how)
{
    for (const RunEvent &refusal : m_stacks.giveUp(node, how, m_state))
        Q_EMIT happened(refusal);
}

void ProcessRequests::sizeTerminal(int process)
{
    if (m_agents && m_sizes.contains(process))
        m_agents->type({{process}, {}, m_sizes.value(process)});
}

void ProcessRequests::note(const Sentence &sentence)
{
    if (!sentence.isEmpty())
        Q_EMIT happened(RunEvent::now(events::Note{sentence}));
}

} // namespace rankdeck
