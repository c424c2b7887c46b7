#pragma once

#include "agent/stacks/stackkeeper.h"
#include "run/record/runevent.h"
#include "run/record/runrecord.h"
#include "run/record/runrequests.h"

namespace rankdeck
{

class NodeAgents;

/// Carries out what clients ask of processes of a live run: stacks, signals, ends, tools, typed keys. Sends
/// orders to the agents, and answers requests that cannot be carried out. Indices of processes come from
/// outside: those that do not exist are skipped.
class ProcessRequests : public QObject
{
    Q_OBJECT

public:
    /// How long flight recorders are given for their dumps.
    static constexpr std::chrono::seconds recorderLimit{4};

    /// @param record, state must live as long as this object does.
    ProcessRequests(QString runDirectory, const RunRecord &record, const RunState &state);

    /// The agents of an attempt that begins; they must live until the next ones are set. Null: the run has
    /// ended, and nothing is done any more.
    void setAgents(NodeAgents *agents);

    /// @param isUrgent the ranks are about to be ended.
    void dumpStacks(const QList<int> &processes, bool isUrgent = false);
    /// Asks the flight recorders of all ranks for dumps, which are kept in the run directory. Returns the
    /// nodes that are asked, and answer with RecordersDumped within so many seconds.
    QStringList dumpRecorders(std::chrono::seconds limit);
    /// Carries out a client's request, except one to start or to end processes: the supervisor decides these.
    void carryOut(const Request &request);
    /// Starts ranks again; those that run are ended first.
    /// @param isEnding the run is about to be torn down, so none is started.
    void startAgain(const QList<int> &processes, bool isEnding);
    /// Answers requests to start these ranks again: their end was requested since.
    void refuseStarts(const QList<int> &processes);
    /// Notes that ranks which Rankdeck did not start are not stopped, only killed.
    void refuseEnds()
    {
        note(Sentence::tr(
            "Nothing was stopped: Rankdeck did not start these ranks. Send them a signal, or kill them."));
    }
    /// Ends some processes of the run that are alive: neither a failure nor a reason for a restart.
    void end(const QList<int> &processes, bool isKill);

    /// Stores the stacks of an agent's StacksDumped, and returns the event for the journal.
    events::StacksDumped keepStacks(const events::StacksDumped &dumped, const QDateTime &time)
    {
        return m_stacks.keep(dumped, time, m_state);
    }
    /// Answers pending requests for stacks of the node, which is lost.
    void giveUpStacks(const QString &node, const Sentence &how);
    /// A process has been started: its terminal gets the size that was said before, or to the one of the
    /// attempt before.
    void sizeTerminal(int process);

Q_SIGNALS:
    /// For the journal.
    void happened(const rankdeck::RunEvent &event);
    /// The agents are about to be asked for the stacks of these processes.
    void stacksAsked(const QList<int> &processes);

private:
    struct Handler;

    void tellStops(const QList<int> &processes);
    /// Writes why requests were refused, and the note on those carried out.
    void answer(const QList<RunEvent> &refusals, const Sentence &sentence);
    void note(const Sentence &sentence);

    QString m_directory;
    const RunRecord &m_record;
    const RunState &m_state;
    NodeAgents *m_agents = nullptr;
    StackKeeper m_stacks;
    QMap<int, TerminalSize> m_sizes; ///< Size of each terminal on screen, by process.
};

} // namespace rankdeck
