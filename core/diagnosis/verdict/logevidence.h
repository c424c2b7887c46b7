#pragma once

#include "diagnosis/verdict/errorline.h"
#include "diagnosis/verdict/hcclfacts.h"
#include "diagnosis/verdict/linesigns.h"
#include "diagnosis/verdict/pythontrace.h"
#include "result.h"

#include <QString>

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace rankdeck
{

/// What one log tells of an error, in bounded memory.
struct LogEvidence {
    static constexpr std::size_t mostErrors = 200;

    qint64 bytes = 0;
    qint64 lines = 0;
    std::optional<LogTime> firstTime; ///< Of its lines that have one.
    std::optional<LogTime> lastTime;
    /// The errors of the trouble in which the log ends, in order: the first and the last of them where there
    /// are more than mostErrors. Errors after which the program went on are not among them.
    std::vector<ErrorLine> errors;
    qint64 errorCount = 0; ///< All of that trouble.
    qint64 survived = 0;   ///< Errors after which the program went on.
    /// Those of the trouble, the first and the last.
    std::vector<PythonTrace> traces;
    std::set<qint64> pids; ///< That its lines give, the first few.
    HcclFacts hccl;
};

/// Read a log once from its start to what is its end now; at about 400 MB/s. Blocks.
/// @param timeOf when the log had grown to a size, for one whose lines have no stamps; may be null.
/// Error: it cannot be read. `isCancelled` is asked now and then; once it says so, what was read so far
/// counts.
Result<LogEvidence> readEvidence(const QString &path, const LineSigns &signs,
                                 const std::function<std::optional<LogTime>(ByteOffset)> &timeOf = {},
                                 const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
