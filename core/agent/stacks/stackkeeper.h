#pragma once

#include "run/record/runevent.h"

#include <QSet>

namespace rankdeck
{

struct RunState;

/// Keeps a supervisor's list of stacks that clients have asked for: the processes whose answer is still due,
/// and the files in the run directory, stacks/<time>-rank-<N>.txt.
class StackKeeper
{
public:
    explicit StackKeeper(QString runDirectory)
        : m_directory(std::move(runDirectory))
    {
    }

    /// The answer to a request for the stacks of some processes.
    struct Request {
        QList<int> asked;         ///< Processes whose agents are to be asked.
        QList<RunEvent> refusals; ///< Events for processes that do not run, or cannot be reached.
        Sentence note;            ///< For the journal; empty: nothing new.
    };
    Request ask(const QList<int> &processes, const RunState &state);
    /// Writes the stacks in an agent's event, which happened at `time`, into a file; returns the event for
    /// the journal.
    events::StacksDumped keep(events::StacksDumped dumped, const QDateTime &time, const RunState &state);
    /// Returns the events for a node whose agent will not answer any more.
    QList<RunEvent> giveUp(const QString &node, const Sentence &why, const RunState &state);

private:
    QString m_directory;
    QSet<int> m_due;
};

} // namespace rankdeck
