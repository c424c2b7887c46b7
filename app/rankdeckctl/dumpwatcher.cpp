#include "dumpwatcher.h"

#include "rankchoice.h"

namespace rankdeck
{

DumpWatcher::DumpWatcher(const QString &runDirectory, QList<int> processes)
    : RunWatcher(runDirectory)
    , m_processes(std::move(processes))
{
}

void DumpWatcher::ask(RunClient &client, const RunState &state)
{
    if (m_processes.isEmpty())
        m_processes = runningProcesses(state);
    m_due = {m_processes.begin(), m_processes.end()};
    client.dump(m_processes);
}

bool DumpWatcher::take(const RunState &state, const RunState *before)
{
    for (const StackDump &dump : state.dumps.mid(before ? before->dumps.size() : state.dumps.size())) {
        if (m_due.remove(dump.process))
            m_answers.insert(dump.process, dump);
    }
    return m_due.isEmpty();
}

} // namespace rankdeck
