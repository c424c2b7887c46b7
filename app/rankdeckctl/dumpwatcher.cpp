#include "dumpwatcher.h"

#include "output.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

DumpWatcher::DumpWatcher(const QString &runDirectory, QList<int> processes)
    : m_processes(std::move(processes))
    , m_client(runDirectory)
{
    connect(&m_client, &RunClient::stateChanged, this, &DumpWatcher::take);
    connect(&m_client, &RunClient::failed, this, [](const QString &sentence) {
        say(QStringLiteral("rankdeckctl: ") + sentence);
        QCoreApplication::exit(unusableInput);
    });
    connect(&m_client, &RunClient::refused, this,
            [](const QString &sentence) { say(QStringLiteral("rankdeckctl: ") + sentence); });
}

int DumpWatcher::watch()
{
    QMetaObject::invokeMethod(&m_client, &RunClient::open, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

void DumpWatcher::take(const RunState &state)
{
    const bool isFirst = !m_state;
    const qsizetype known = isFirst ? state.dumps.size() : m_state->dumps.size();
    m_state = state;
    if (isFirst && m_processes.isEmpty()) {
        for (int process = 0; process < static_cast<int>(state.ranks.size()); ++process) {
            if (state.ranks[static_cast<std::size_t>(process)].phase == RankPhase::Running)
                m_processes << process;
        }
    }
    if (isFirst) {
        m_due = {m_processes.begin(), m_processes.end()};
        m_client.dump(m_processes);
    }
    for (const StackDump &dump : state.dumps.mid(known)) {
        if (m_due.remove(dump.process))
            m_answers.insert(dump.process, dump);
    }
    if (m_due.isEmpty() || !isLive(state.phase))
        QCoreApplication::quit();
}

} // namespace rankdeck
