#pragma once

#include "agent/transport/programfile.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace rankdeck
{

// What a node is told to do until an agent runs there, for any POSIX shell, and what it answers: lines that
// begin with a word of ours, each on a line of its own whatever a login shell printed before.

/// Runs the rankdeckctl that PATH names, or that is at "$1", as an agent; where there is none it asks, and
/// carries out the line that comes. One line without quotes, '!' and '\\', so that any login shell, csh and
/// fish too, hands it on as one quoted word. @param mayUseInstalled else it only asks.
QByteArray findProgramScript(bool mayUseInstalled);

/// Runs "$0", whatever it is, as an agent; a line like findProgramScript().
QByteArray runProgramScript();

/// Runs "$0" to lead to the agent that waits as "$1" (RejoinSocket); a line like findProgramScript().
QByteArray rejoinScript();

/// The line to carry out: run the copy of `program` if there is one and it is whole; else say that one is
/// needed and make it of the bytes that follow copyWanted, under a name of its own, checked, and renamed.
/// Copies of other builds that were not run for 30 days are removed then.
QByteArray runCopyScript(const ProgramFile &program, const QString &version);

/// Stands before the bytes of a program.
inline constexpr char copyWanted[] = "copy\n";

/// What a node says.
struct NodeWord {
    enum class Kind {
        Runs,     ///< `text` is the path of the rankdeckctl that becomes the agent.
        Asks,     ///< None is installed.
        Needs,    ///< There is no copy either; `text` is the node's architecture, as `uname -m` says it.
        Fails,    ///< `text` is what: "checksum" program not found, "folder" not writable, copy "damaged".
        Protocol, ///< The agent's first line, whatever version of the protocol it speaks.
    };

    Kind kind;
    QString text;

    /// Nothing for a line that is none.
    static std::optional<NodeWord> fromLine(const QByteArray &line);
};

} // namespace rankdeck
