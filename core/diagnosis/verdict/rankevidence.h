#pragma once

#include "diagnosis/errorfile.h"
#include "diagnosis/verdict/errorline.h"
#include "diagnosis/verdict/pythontrace.h"
#include "run/runstate.h"

#include <QString>

#include <optional>
#include <vector>

namespace rankdeck
{

/// All that is known of one process when a verdict is to be found.
struct RankEvidence {
    /// What its logs say of whose fault its end is.
    enum class Says {
        Nothing,   ///< No error.
        Something, ///< An error, but not whose.
        Waiting,   ///< It waited for another rank, or lost it, before anything else was wrong.
        Disagrees, ///< It and another rank did not agree.
        OwnError,  ///< Something of its own.
    };

    int process = -1; ///< Index in LaunchPlan::processes; -1: of a rank that left nothing here.
    Role role = Role::Worker;
    Rank rank;
    QString node;                            ///< Empty when not known.
    DeviceId device = ProcessPlan::noDevice; ///< As planned, else as HCCL says it.
    QByteArray server;                       ///< As HCCL names it; empty when not told.

    std::vector<ErrorLine> errors; ///< Of its logs and plogs, in the order of time as far as it is known.
    std::vector<PythonTrace> traces;
    std::optional<ErrorFile> errorFile;
    qint64 logBytes = 0;
    std::optional<LogTime> firstTime;
    std::optional<LogTime> lastTime; ///< When it was last heard of in a log.

    RankPhase phase = RankPhase::Unknown;
    std::optional<ExitStatus> status;
    std::optional<LogTime> ended; ///< As its node saw it.
    bool stopRequested = false;

    Says says() const;
    /// The error that says() rests on: the first that blames somebody, a warning only where no error does;
    /// else the heaviest; null when there is none.
    const ErrorLine *firstError() const;
    /// The error that explains most, of those that blame whom firstError() blames.
    const ErrorLine *heaviestError() const;
    /// When it failed, as far as that is known: when it wrote so, else when it ended.
    std::optional<LogTime> failed() const;
    /// Its kernel says that it killed it because memory ran out.
    bool ranOutOfMemory() const { return failedByItself() && status && !status->outOfMemory.isEmpty(); }
    /// Ended badly by itself, before the others were ended for that.
    bool failedByItself() const { return phase == RankPhase::Failed && !stopRequested; }
    /// Those that all its errors name.
    NamedPeers peers() const;
};

} // namespace rankdeck
