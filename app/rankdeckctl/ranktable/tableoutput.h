#pragma once

#include "options.h"
#include "ranktable/ranktable.h"

namespace rankdeck
{

/// An error in the words of these commands when there is no such file.
std::optional<Error> missingFile(const QString &path);

/// The table of a file, which must be completed. Error: it is not there, unreadable or unfinished.
Result<RankTable> readFinishedTable(const QString &path);

/// Names of the options that writeResult() goes by: -o, --output, --force, --diff.
OptionNames withOutputOptions(OptionNames names);

/// A table that an action made, with what its options say of where it goes.
struct TableResult {
    RankTable table;
    QString fileName; ///< When -o names a folder.
    RankTable before = {};
    QString beforeName = {}; ///< Empty: there is nothing to compare with.
};

/// Write, print or compare the table. A warning says when the check finds errors in it. Returns the exit
/// code.
int writeResult(const TableResult &result, const Options &options);

} // namespace rankdeck
