#pragma once

#include "base/sentence.h"
#include "diagnosis/stall/stalldetector.h"

#include <QDateTime>

namespace rankdeck
{

/// Describes a stall for the user.
struct StallVerdict {
    enum class Kind {
        None,
        Behind,     ///< No process is stalled, but some are many steps behind.
        Some,       ///< Some are silent, the others go on.
        AllButSome, ///< All are silent but a few: what these do may be what all wait for.
        First,      ///< All are silent, and some were long before the others.
        All,
        Held, ///< Some are held by SIGSTOP or a debugger, and others fell silent after that.
    };

    Kind kind = Kind::None;
    QList<int> stalled; ///< All stalled processes, by index, ascending.
    /// Processes that the verdict names, ascending: Behind: those behind; Some: the silent ones; AllButSome:
    /// the others; First: those silent first; Held: those held; All: the least far, if they stand out.
    QList<int> named;
    qint64 since = 0; ///< Silence of the stalled, of First and Held that of the named: ms since 1970, UTC.
    qint64 othersSince = 0; ///< For First and Held: silence of the others.
    qint64 stepsBehind = 0; ///< Steps by which the named are behind; 0: not known, or none.
};

/// Judges a run by the activities of its processes.
StallVerdict stallVerdict(const std::vector<RankActivity> &activities);

/// Returns a sentence: "Rank 5 has been silent the longest, since 14:02:10; the others have waited since
/// 14:05:00." Empty for None. Times are local ones, with their day if it differs from the day of `now`.
/// @param ranks the rank of each process.
Sentence stallSentence(const StallVerdict &verdict, const QList<int> &ranks, const QDateTime &now);

} // namespace rankdeck
