#pragma once

#include "base/result.h"

#include <QMap>
#include <QProcessEnvironment>

#include <functional>

namespace rankdeck
{

/// The one command of a short shell script that launches ranks, with what stands before it.
struct ShellLaunch {
    QStringList words;                ///< Of the command, with values in place of variables; empty: unread.
    QMap<QString, QString> variables; ///< Exported before it, or set in front of it.
    QStringList unset;                ///< Variables that are taken away before it.
    QString workDir;                  ///< Of `cd`; empty: none.
    QString condaEnv;                 ///< Of `conda activate`; empty: none.
    QStringList sourced;              ///< Commands for a shell, ". ./env.sh", that set the environment up.
    bool needsSources = false;        ///< It is launched only if they succeed: &&.
    QString unread;    ///< Why the script is not read, a sentence; empty: it has no command that launches.
    QStringList notes; ///< What was left out, one sentence each.
    QString forShell;  ///< Redirections and pipes of the command, and &, as they are written.
    bool hasLiterals = false; ///< The words have a variable that nobody has set, or a * or ~.

    /// How often a `for` loop starts a rank, at least twice; 0 if there is no such loop. A word that counts
    /// with the turns has ${local_rank} in the place of the number.
    int turns = 0;
    /// Variables that differ from turn to turn, by turn.
    QList<QMap<QString, QString>> variablesOfTurns = {};
};

/// Reads a script as a shell would, and runs nothing: assignments, arrays, export, $NAME, ${NAME:-value},
/// $((…)), `cd`, `for`, && and ;. Of $(…) only a date, a file's folder and its name are known. Other
/// commands, and conditions on which nothing of this depends, are left out, and a note names them. Lines that
/// begin with a prompt are read without it.
/// @param isLaunch whether a command is the one; a script has one, or one that runs Python in the background
/// in each turn of a loop. A script that is one command is read whatever this says, if no shell is needed.
/// @param environment of variables that the script does not set.
/// Error: a quote that is not closed, or an argument of the script, such as $1, by its word.
Result<ShellLaunch> readShellScript(const QString &text, const QProcessEnvironment &environment,
                                    const std::function<bool(const QStringList &)> &isLaunch);

} // namespace rankdeck
