#pragma once

#include "run/runclient.h"

#include <QObject>
#include <QSet>

#include <optional>

namespace rankdeck
{

/// Asks for the stacks of processes of a run and waits until there is an answer for each.
class DumpWatcher : public QObject
{
    Q_OBJECT

public:
    /// @param processes by index in the plan; empty: all that run.
    DumpWatcher(const QString &runDirectory, QList<int> processes);

    /// Runs the event loop until all have been answered for, or the run has ended. Returns 0, or
    /// unusableInput when the run cannot be asked.
    int watch();
    /// Once it has run: the answers, by process.
    const QMap<int, StackDump> &answers() const { return m_answers; }
    const RunState &state() const { return *m_state; }

private:
    void take(const RunState &state);

    QList<int> m_processes;
    QSet<int> m_due;
    QMap<int, StackDump> m_answers;
    RunClient m_client;
    std::optional<RunState> m_state;
};

} // namespace rankdeck
