#pragma once

#include "diagnosis/evidence/logevidence.h"
#include "diagnosis/failure/launcherwords.h"

namespace rankdeck
{

/// What the output of a launcher and all its ranks in one file holds.
struct ConsoleEvidence {
    std::map<int, LogEvidence> ranks; ///< By the rank before their lines; see RankPrefixes.
    LogEvidence rest;                 ///< Lines of which nothing says whose they are.
    LauncherWords words;
};

/// Reads such a file from its start to its present end. Blocks. Fails if it cannot be read.
/// @param isCancelled called now and then; once it returns true, what was read so far counts.
Result<ConsoleEvidence> readConsole(const QString &path, const LineSigns &signs,
                                    const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
