#pragma once

#include "launchform/fields/optiongroup.h"

namespace rankdeck
{

// Text forms of options that are not plain text. `option` is the name that errors use.

/// One NAME=value a line; see parseEnvironmentText().
TextForm variablesText(SpecField<QMap<QString, QString>> value);
/// One value a line.
TextForm linesText(SpecField<QStringList> value);
/// Words with blanks between them.
TextForm wordsText(SpecField<QStringList> value);
/// One RANK:NAME=value a line; "RANK:" alone names a rank without variables.
TextForm variablesByRankText(SpecField<QMap<int, QMap<QString, QString>>> value, const QString &option);
/// One "RANK: arguments" a line.
TextForm argumentsByRankText(SpecField<QMap<int, QStringList>> value, const QString &option);
/// One command a line, quoted as for splitCommandLine(); a quoted word may span several lines.
TextForm commandsText(SpecField<QList<QStringList>> value, const QString &option);
/// As on the command line; empty: its default.
TextForm commandLineText(const OptionRow &row);
/// For --redirects or --tee: 0-3, a word of streamsWord(), or these by local rank, as on the command line.
TextForm streamsText(const OptionRow &row);

} // namespace rankdeck
