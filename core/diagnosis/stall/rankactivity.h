#pragma once

#include <QtGlobal>

#include <optional>

namespace rankdeck
{

/// What a rank of a live run does, by what is seen of its log and of its steps.
struct RankActivity {
    enum class Kind {
        Waiting,   ///< Not started yet.
        Starting,  ///< No rhythm yet; the first step may take many minutes.
        Compiling, ///< Silent, and the last that it wrote is that it compiles.
        Working,
        Quiet,   ///< Silent, but it is none that says every step.
        Stalled, ///< Silent for much longer than is usual for it.
        Held,    ///< By SIGSTOP or by a debugger, since `since`.
        Ended,
        Unseen, ///< Its log does not come here, or its node is not reached.
    };

    Kind kind = Kind::Waiting;
    qint64 since = 0;   ///< Its last sign, or its start: ms since 1970, UTC.
    qint64 usualMs = 0; ///< From one sign to the next; 0 while it is not known.
    std::optional<qint64> step;
    qint64 stepsBehind = 0; ///< Of the rank that is farthest; 0: no more than that it has just not said it.

    /// A process of the run that is seen.
    bool isAlive() const { return kind != Kind::Waiting && kind != Kind::Ended && kind != Kind::Unseen; }
    bool operator==(const RankActivity &) const = default;
};

} // namespace rankdeck
