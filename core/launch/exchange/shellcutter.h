#pragma once

#include "base/result.h"

#include <QStringList>

#include <vector>

namespace rankdeck
{

/// A command of a script.
struct ShellCommand {
    QStringList words;         ///< As they are written, with their quotes.
    QString forShell;          ///< Its redirections, what it is piped into, and &, as they are written.
    QString joint;             ///< "&&" or "||" in front of it; empty if there is none.
    bool isBackground = false; ///< & ends it.
};

/// Cuts a script into commands. Quotes and brackets are kept together; comments and here-documents are left
/// out; nothing is expanded. What a command is piped into belongs to it. Fails if a quote or a bracket is
/// not closed.
Result<std::vector<ShellCommand>> cutShellScript(const QString &text);

} // namespace rankdeck
