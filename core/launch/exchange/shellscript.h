#pragma once

#include "base/result.h"

#include <QMap>
#include <QProcessEnvironment>

#include <functional>
#include <optional>

namespace rankdeck
{

/// The one command of a short shell script that launches ranks, with what stands before it.
struct ShellLaunch {
    QStringList words;                ///< Of the command, with values in place of variables.
    QMap<QString, QString> variables; ///< Exported before it, or set in front of it.
    QString workDir;                  ///< Of `cd`; empty: none.
    QStringList loop;      ///< The values of the `for` that it is in, in order; empty: none. Where the words
                           ///< have its variable, they have the first of these.
    bool usesLoop = false; ///< They have it.
    QStringList notes;     ///< What was left out, one sentence each.
};

/// Reads a script as a shell would, and runs nothing: assignments, arrays, export, $NAME, ${NAME:-value},
/// $((…)), `cd`, `for`, && and ;. Of $(…) only a date, a file's folder and its name are known. Commands
/// before and after the launch (mkdir, echo …) are left out, and a note names them. Lines that begin with a
/// prompt are read without it.
/// @param isLaunch whether a command is the one: the first that is counts; in a loop also one that runs
/// Python.
/// @param environment of variables that the script does not set.
/// Error: a quote that is not closed, or a form that cannot be read (if, while, function), by its word.
/// Nothing: no command of it is one that launches.
Result<std::optional<ShellLaunch>> readShellScript(const QString &text,
                                                   const QProcessEnvironment &environment,
                                                   const std::function<bool(const QStringList &)> &isLaunch);

/// Returns true if the error of readShellScript() is a form that it does not read: a shell may.
bool isUnreadForm(const Error &error);

} // namespace rankdeck
