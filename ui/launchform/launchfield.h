#pragma once

#include "launchform/previewresult.h"

namespace rankdeck
{

/// The options of a launch, as places where something can be wrong.
enum class LaunchField {
    None,
    Command,
    RankTable,
    WorkDir,
    LogDir,
    Name,
    Environment,
    ConvertedTable,
    Wait,
    Grace,
};

/// The field that `error` is about. Error::where says it: an option's name as on the command line
/// ("--log-dir", "command"), or a file that one of the options names; else Error::mend may name an option.
/// None when neither does.
LaunchField fieldOf(const Error &error, const PreviewResult &context);

/// `error` as a sentence for beside `field`: without the names that the command line has for it, and without
/// the directory of the rank table, which the field shows.
QString sentenceAt(LaunchField field, const Error &error, const PreviewResult &context = {});

} // namespace rankdeck
