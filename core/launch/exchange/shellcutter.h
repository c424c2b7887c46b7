#pragma once

#include "base/result.h"

#include <QStringList>

#include <vector>

namespace rankdeck
{

/// A command of a script, its words as they are written.
using ShellWords = QStringList;

/// Cuts a script into commands. Quotes, brackets and comments are kept together; nothing is expanded. Fails
/// if a quote or a bracket is not closed.
Result<std::vector<ShellWords>> cutShellScript(const QString &text);

} // namespace rankdeck
