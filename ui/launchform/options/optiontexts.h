#pragma once

#include "launchform/fields/optiongroup.h"

namespace rankdeck
{

// Text forms of options that are not plain text. `option` is the name that errors use.

/// One NAME=value a line; see parseEnvironmentText().
TextForm variablesText();
/// One value a line.
TextForm linesText(ValueIn<QStringList> value);
/// Words with blanks between them.
TextForm wordsText(ValueIn<QStringList> value);
/// One RANK:NAME=value a line; "RANK:" alone names a rank without variables.
TextForm variablesByRankText(ValueIn<QMap<int, QMap<QString, QString>>> value, const QString &option);
/// One "RANK: arguments" a line.
TextForm argumentsByRankText(ValueIn<QMap<int, QStringList>> value, const QString &option);
/// One command a line, quoted as for splitCommandLine(); a quoted word may span several lines.
TextForm commandsText(ValueIn<QList<QStringList>> value, const QString &option);
/// An octal number; -1 is an empty text.
TextForm octalText(ValueIn<int> value, const QString &option);

/// The value of an option of launcher "processes" in the text of its command line; empty: not given.
TextForm processesOptionText(const QString &name);

enum class StreamsOption { Redirects, Tee };
/// 0-3, a word of streamsWord(), or these by local rank, as on the launcher's command line.
TextForm streamsText(StreamsOption option);

} // namespace rankdeck
