#pragma once

#include "runwatcher.h"

#include <QSet>

namespace rankdeck
{

/// Asks for the stacks of processes of a run and waits until there is an answer for each.
class DumpWatcher : public RunWatcher
{
    Q_OBJECT

public:
    /// @param processes by index in the plan; empty: all that run.
    DumpWatcher(const QString &runDirectory, QList<int> processes);

    /// Once it has run: the answers, by process.
    const QMap<int, StackDump> &answers() const { return m_answers; }

protected:
    void ask(RunClient &client, const RunState &state) override;
    bool take(const RunState &state, const RunState *before) override;

private:
    QList<int> m_processes;
    QSet<int> m_due;
    QMap<int, StackDump> m_answers;
};

} // namespace rankdeck
