#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"
#include "run/runstate.h"
#include "run/supervisorid.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace rankdeck
{

/// run.json: what was asked, what was planned, who supervises it, how it ended.
struct RunRecord {
    QString name;
    LaunchSpec spec;
    LaunchPlan plan;
    QDateTime created;                      ///< UTC.
    std::optional<SupervisorId> supervisor; ///< Absent until the supervisor runs.
    std::optional<SupervisorId> guardian;   ///< Its parent, which ends what a dead one leaves; may be absent.
    QString socketPath;
    RunPhase phase =
        RunPhase::Starting; ///< As last written; a run whose guardian died too stays "running" here.
    QDateTime ended;        ///< UTC; invalid while live.
    int exitCode = 0;
    std::optional<Failure> failure;
    QString stall; ///< RunStall::sentence; empty: none.
};

/// Replace run.json by renaming a whole new one over it. Nothing when it worked.
std::optional<Error> writeRunRecord(const QString &directory, const RunRecord &record);

/// Whether there is a run.json at all.
bool hasRunRecord(const QString &directory);

/// Keep room on the disk for the next writeRunRecord(), so that a run whose disk is full can still say how it
/// ended. Where the file system cannot do that, nothing happens.
void keepRoomForRunRecord(const QString &directory);
/// The run has ended: give back what is kept.
void giveBackRoomForRunRecord(const QString &directory);

/// Error: no run.json there, one of another make, or another user's.
Result<RunRecord> readRunRecord(const QString &directory);
/// The same without the spec, and of the plan only name, launcher and the number of ranks (in totalRanks):
/// several times as fast where there are many.
Result<RunRecord> readRunOutline(const QString &directory);
/// readRunRecord() from the text of a run.json; `path` is named in errors.
Result<RunRecord> runRecordFrom(const QByteArray &text, const QString &path);

/// Whether somebody is there who will write down how the run ends: its supervisor, or the guardian of one
/// that died.
bool isWatched(const RunRecord &record);

/// What the record and those who watch over the run say together: `record.phase`; of a live run Stopping when
/// its supervisor has died and its guardian is ending it, and Lost when nobody watches over it any more.
RunPhase currentPhase(const RunRecord &record);

/// "Lost its supervisor at …" with the local time; "after …" when it is only known that it lived until then.
QString lossText(const QDateTime &when, bool isExact);

/// Why a run ended that lost its supervisor, where nothing had failed before; `reason` says how.
Failure failureOfLoss(const RunRecord &record, const QString &reason);

} // namespace rankdeck
