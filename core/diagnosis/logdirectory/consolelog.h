#pragma once

#include "diagnosis/failure/launcherwords.h"

namespace rankdeck
{

/// Which ranks one file with the output of a launcher and its ranks speaks of.
struct ConsoleLog {
    std::set<int> ranks; ///< With lines of their own; see RankPrefixes.
    LauncherWords words;

    /// Returns true if it holds more than one process's output.
    bool isOfSeveral() const { return ranks.size() > 1 || !words.isEmpty(); }
};

/// Reads the whole file, unless it is as it was when it was read before. Blocks. Any thread. A file that
/// cannot be read speaks of no rank.
ConsoleLog readConsoleLog(const QString &path);

} // namespace rankdeck
