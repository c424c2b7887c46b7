#pragma once

#include "launchform/textform.h"

namespace rankdeck
{

// How options that are no plain text are written in the form. `option` is what the errors call it.

/// One NAME=value a line; see parseEnvironmentText().
TextForm variablesText();
/// One a line.
TextForm linesText(ValueIn<QStringList> value);
/// With blanks between them.
TextForm wordsText(ValueIn<QStringList> value);
/// One RANK:NAME=value a line; "RANK:" alone names a rank without variables.
TextForm variablesByRankText(ValueIn<QMap<int, QMap<QString, QString>>> value, const QString &option);
/// One "RANK: arguments" a line.
TextForm argumentsByRankText(ValueIn<QMap<int, QStringList>> value, const QString &option);
/// A command a line, quoted as splitCommandLine() has it; a quoted word may go on over several lines.
TextForm commandsText(ValueIn<QList<QStringList>> value, const QString &option);
/// An octal number, -1 as no text.
TextForm octalText(ValueIn<int> value, const QString &option);

enum class StreamsOption { Redirects, Tee };
/// 0-3, a word of streamsWord(), or these by local rank, as the launcher's command line has them.
TextForm streamsText(StreamsOption option);

} // namespace rankdeck
