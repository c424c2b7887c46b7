#pragma once

#include "base/result.h"

#include <QMap>
#include <QProcessEnvironment>

#include <functional>

namespace rankdeck
{

/// The one command of a shell script that launches ranks, with what stands before it.
struct ShellLaunch {
    QString unread;    ///< Why only bash can run the script, a sentence; then all else is empty.
    QStringList words; ///< The command, with values in place of variables.
    QMap<QString, QString> variables; ///< Exported before the command, or set in front of it.
    QStringList unset;                ///< Variables that `unset` takes away.
    QString workDir;                  ///< Directory of `cd`; empty: none.
    QString condaEnv;                 ///< Environment of `conda activate`; empty: none.
    QStringList sourced;              ///< Commands for a shell, ". ./env.sh", that set the environment up.
    bool needsSources = false;        ///< The command runs only if they succeed: &&.
    QString forShell;                 ///< Redirections, `| tee` and & of the command, as they are written.
    QStringList notes;                ///< What is left out, one sentence each.
    bool hasLiterals = false;         ///< The words have a variable that nobody has set, or a * or ~.
    /// The rank table of a `for` loop that starts one rank in each turn; empty: no loop. The words are then a
    /// rank's, with ${local_rank} for the number of the turn, and the variables that the table decides are
    /// left out.
    QString rankTable;
};

/// Reads a script as bash would, and runs nothing. Understands NAME=VALUE, arrays, export, unset, cd, source,
/// `conda activate`, $NAME, ${NAME:-value}, "$@", and of $(…) a date and the script's folder. `set -e`, echo,
/// mkdir and the like are left out with a note. Everything else makes the script unread: it is bash's.
/// @param isLaunch whether a command launches ranks; a script has exactly one.
/// @param environment of variables that the script does not set.
/// Fails only if a quote is not closed, which bash refuses too.
Result<ShellLaunch> readShellScript(const QString &text, const QProcessEnvironment &environment,
                                    const std::function<bool(const QStringList &)> &isLaunch);

} // namespace rankdeck
