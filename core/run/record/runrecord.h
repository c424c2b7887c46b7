#pragma once

#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/process/processtree.h"
#include "run/record/failure.h"
#include "run/record/runphase.h"

#include <QDateTime>

namespace rankdeck
{

/// The contents of run.json: the request, the plan, who supervises the run, how it ended.
struct RunRecord {
    /// Format of run.json and the journal; a reader refuses a newer one.
    static constexpr int newestFormat = 1;
    QString name;
    LaunchSpec spec;
    LaunchPlan plan;
    QDateTime created;                      ///< UTC.
    std::optional<SupervisorId> supervisor; ///< Absent until the supervisor runs.
    /// Until then, the process that is to become the supervisor, if it is known; never written.
    std::optional<SupervisorId> starter;
    bool isGivenUp = false; ///< No supervisor came, and none may any more; never written.
    std::optional<SupervisorId>
        guardian; ///< Parent of the supervisor, which cleans up after it; may be absent.
    /// The command that launched the run and whose end ends it; absent: the run outlives it.
    std::optional<SupervisorId> tiedTo;
    QString socketPath;
    RunPhase phase =
        RunPhase::Starting; ///< As last written; a run whose guardian died too stays "running" here.
    QDateTime ended;        ///< UTC; invalid while live.
    int exitCode = 0;
    std::optional<Failure> failure;
    Sentence stall; ///< RunStall::sentence; empty: none.
    int format = newestFormat;
};

void visitFields(Fields &fields, RunRecord &record);

/// Replaces run.json by renaming a new one over it. Returns nothing on success.
std::optional<Error> writeRunRecord(const QString &directory, const RunRecord &record);

/// Returns true if there is a run.json.
bool hasRunRecord(const QString &directory);

/// Reserves room on the disk for the next writeRunRecord(), so that a run whose disk is full can still record
/// how it ended. Does nothing if the file system cannot do that.
void keepRoomForRunRecord(const QString &directory);
/// Gives back that room when the run has ended.
void giveBackRoomForRunRecord(const QString &directory);

/// Reads run.json. Fails if there is none, it has another format, or belongs to another user. A run that has
/// waited for its supervisor in vain is given up, so that one which comes later starts nothing.
Result<RunRecord> readRunRecord(const QString &directory);
/// The same with of the spec only the command, of the plan name, launcher and the number of ranks
/// (totalRanks): several times as fast where there are many.
Result<RunRecord> readRunOutline(const QString &directory);
/// readRunRecord() from the text of a run.json; `path` is named in errors.
Result<RunRecord> runRecordFrom(const QByteArray &text, const QString &path);

/// Stops a run that has no supervisor yet, with what was to become it. Returns false if it has one, or had.
bool giveUpRun(const QString &directory);

/// Returns true if the supervisor, or the guardian of a dead one, is alive and will record how the run ends;
/// or if a supervisor may still come.
bool isWatched(const RunRecord &record);

/// Returns `record.phase`, but for a live run Stopping if its supervisor has died and its guardian is ending
/// it, and Lost if both have died.
RunPhase currentPhase(const RunRecord &record);

/// Returns "Lost its supervisor at …" with the local time, or "after …" if only the last sign of life is
/// known.
Sentence lossText(const QDateTime &when, bool isExact);

/// Returns the failure of a run that lost its supervisor before any process failed.
Failure failureOfLoss(const RunRecord &record, const Sentence &reason);

/// Who has decided whether a run that was written down begins: a file of the run directory, which only one
/// can make.
struct RunClaim {
    /// It brings the run up; absent: the run was given up, because no supervisor came.
    std::optional<SupervisorId> supervisor;
};

void visitFields(Fields &fields, RunClaim &claim);

/// Decides it. Returns false, and changes nothing, if somebody has, or if the file cannot be made.
bool claimRun(const QString &directory, const RunClaim &claim);

/// Returns nothing if nobody has decided.
std::optional<RunClaim> claimOf(const QString &directory);

} // namespace rankdeck
