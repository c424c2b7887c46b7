#pragma once

#include "run/record/runevent.h"

#include <QSet>

namespace rankdeck
{

struct RunState;

/// What a supervisor knows of the stacks that clients have asked for: whom an answer is due from, and the
/// files in the run directory, stacks/<time>-rank-<N>.txt.
class StackKeeper
{
public:
    explicit StackKeeper(QString runDirectory)
        : m_directory(std::move(runDirectory))
    {
    }

    /// Somebody asks for the stacks of these processes.
    struct Request {
        QList<int> asked;         ///< Whose agents are to be asked.
        QList<RunEvent> refusals; ///< Of those that do not run, or cannot be reached.
        QString note;             ///< For the journal; empty: nothing new.
    };
    Request ask(const QList<int> &processes, const RunState &state);
    /// What becomes of an agent's StacksDumped: its stacks are in a file.
    RunEvent keep(RunEvent event, const RunState &state);
    /// Nobody will answer for the processes of this node.
    QList<RunEvent> giveUp(const QString &node, const QString &why, const RunState &state);

private:
    QString m_directory;
    QSet<int> m_due;
};

/// The folder of these files.
QString stacksFolder(const QString &runDirectory);

} // namespace rankdeck
