#pragma once

#include "agent/stacks/stackkeeper.h"
#include "run/attachedtool.h"
#include "run/runrecord.h"
#include "run/runstate.h"
#include "run/signalrequest.h"
#include "run/terminalinput.h"

#include <QMap>
#include <QObject>

namespace rankdeck
{

class NodeAgents;

/// What clients ask of processes of a run while it lives: their stacks, signals, tools beside them, keys. The
/// agents of the processes are told; what cannot be done is answered here. Indices of processes come from
/// outside: those that do not exist are passed over.
class ProcessRequests : public QObject
{
    Q_OBJECT

public:
    /// @param record, state must live as long as this object does.
    ProcessRequests(QString runDirectory, const RunRecord &record, const RunState &state,
                    QObject *parent = nullptr);

    /// The agents of an attempt that begins; they must live until the next ones are set. Null: the run has
    /// ended, and nothing is done any more.
    void setAgents(NodeAgents *agents);

    void dumpStacks(const QList<int> &processes);
    void sendSignal(const SignalRequest &request);
    void attachTool(const ToolRequest &request);
    void type(const TerminalInput &input);

    /// What becomes of an agent's StacksDumped.
    RunEvent keepStacks(const RunEvent &event);
    /// Nobody on the node will answer for stacks any more.
    void giveUpStacks(const QString &node, const QString &how);
    /// A process has been started: its terminal gets the size that was said before, or to the one of the
    /// attempt before.
    void sizeTerminal(int process);

Q_SIGNALS:
    /// For the journal.
    void happened(const rankdeck::RunEvent &event);
    /// Their agents are about to be asked for the stacks of these.
    void stacksAsked(const QList<int> &processes);

private:
    void note(const QString &sentence);

    QString m_directory;
    const RunRecord &m_record;
    const RunState &m_state;
    NodeAgents *m_agents = nullptr;
    StackKeeper m_stacks;
    QMap<int, TerminalSize> m_sizes; ///< How large terminals are shown, by process.
};

} // namespace rankdeck
