#include "run/record/runrecord.h"

#include "base/fields.h"
#include "base/regularfile.h"
#include "run/record/journalwords.h"
#include "run/record/rundirectory.h"

#include <QFileInfo>
#include <QTemporaryFile>

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

/// A supervisor takes milliseconds to come up; one that has not after this never will.
constexpr int startLimitSeconds = 20;

static QString recordPath(const QString &directory)
{
    return directory + u"/run.json"_s;
}

/// The next run.json; between two records, the room that is reserved for it.
static QString newRecordPath(const QString &directory)
{
    return recordPath(directory) + u".new"_s;
}

/// Carries all but spec and plan.
static void visitOutline(Fields &fields, RunRecord &record)
{
    QString version = QStringLiteral(RANKDECK_VERSION);
    QString phase = phaseWord(record.phase);
    fields("format", record.format);
    if (record.format > RunRecord::newestFormat)
        return;
    fields.newer("rankdeck", version);
    fields("name", record.name);
    fields("created", record.created);
    fields("phase", phase);
    fields("socket", record.socketPath);
    fields.optional("supervisor", record.supervisor);
    fields.optional("guardian", record.guardian);
    fields.optional("tied_to", record.tiedTo);
    fields.optional("ended", record.ended);
    if (fields.isReading() || record.ended.isValid())
        fields.newer("exit_code", record.exitCode);
    fields.optional("failure", record.failure);
    fields.said("stall_said", record.stall, journalWords,
                [&](QString &text) { fields.optional("stall", text); });
    if (!fields.isReading())
        return;
    if (const auto known = phaseFromWord(phase))
        record.phase = *known;
    else
        fields.reject("phase");
}

void visitFields(Fields &fields, RunRecord &record)
{
    visitOutline(fields, record);
    if (record.format > RunRecord::newestFormat)
        return;
    fields("spec", record.spec);
    visitCompactPlan(fields, record.plan);
}

namespace
{

/// The outline of a record, without its long lists.
struct RunOutline {
    RunRecord record;
};

struct PlanOutline {
    LaunchPlan plan;
};

struct SpecOutline {
    QStringList command;
    bool operator==(const SpecOutline &) const = default;
};

void visitFields(Fields &fields, PlanOutline &outline)
{
    fields("name", outline.plan.name);
    fields("launcher", outline.plan.launcher);
    fields("world_size", outline.plan.totalRanks);
}

void visitFields(Fields &fields, SpecOutline &outline)
{
    fields.optional("command", outline.command);
}

void visitFields(Fields &fields, RunOutline &outline)
{
    PlanOutline plan;
    SpecOutline spec;
    visitOutline(fields, outline.record);
    if (outline.record.format > RunRecord::newestFormat)
        return;
    fields("plan", plan);
    fields.optional("spec", spec);
    outline.record.plan = std::move(plan.plan);
    outline.record.spec.command = spec.command;
}

} // namespace

static Error unusableRecord(const QString &path)
{
    return {tr("this is not a run record that this version can read"), path, {}};
}

static Result<QByteArray> recordText(const QString &directory)
{
    const QString path = recordPath(directory);
    RegularFile file(path);
    // A record of another user could lead to any socket, or to any file as a log.
    if (QFileInfo info(path); info.exists() && info.ownerId() != getuid())
        return Error{tr("this run belongs to another user (%1)").arg(info.owner()), directory,
                     tr("Only the user who launched a run can watch or stop it.")};
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("no run found here"), directory, tr("Run rankdeckctl list to see all runs.")};
    return file.readAll();
}

static Error newerRecord(const QString &path)
{
    return {tr("this run was created by a newer version of Rankdeck"), path, tr("Update Rankdeck.")};
}

std::optional<Error> writeRunRecord(const QString &directory, const RunRecord &record)
{
    const QString path = recordPath(directory);
    const QString problem = tr("cannot write the run record: %1");
    QFile file(newRecordPath(directory));
    const QByteArray text = jsonTextOf(record, 1) + '\n';
    // Not truncated before it is written: that would give back the reserved room.
    if (!file.open(QIODevice::ReadWrite, QFileDevice::ReadOwner | QFileDevice::WriteOwner) ||
        file.write(text) != text.size() || !file.flush() || !file.resize(text.size()))
        return Error{problem.arg(problemOf(file)), path, {}};
    // Before ranks start, do not let them wait for the disk.
    const bool isKept = record.phase == RunPhase::Starting || fsync(file.handle()) == 0;
    const QByteArray newName = QFile::encodeName(file.fileName());
    if (!isKept || std::rename(newName.constData(), QFile::encodeName(path).constData()) != 0)
        return Error{problem.arg(errnoWords(errno)), path, {}};
    return std::nullopt;
}

bool hasRunRecord(const QString &directory)
{
    return QFileInfo::exists(recordPath(directory));
}

void keepRoomForRunRecord(const QString &directory)
{
    constexpr qint64 roomForFailure = 64 * 1024;
    QFile file(newRecordPath(directory));
    if (file.exists() || !file.open(QIODevice::WriteOnly, QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return;
    const qint64 size = QFileInfo(recordPath(directory)).size() + roomForFailure;
    if (fallocate(file.handle(), FALLOC_FL_KEEP_SIZE, 0, size) != 0)
        file.remove();
}

void giveBackRoomForRunRecord(const QString &directory)
{
    QFile::remove(newRecordPath(directory));
}

/// Looks for who is to become the supervisor of a run that has none.
static void lookForStarter(const QString &directory, RunRecord &record)
{
    if (!isLive(record.phase) || record.supervisor)
        return;
    const auto look = [&] {
        const auto claim = claimOf(directory);
        record.isGivenUp = claim && !claim->supervisor;
        record.starter = claim ? claim->supervisor : starterOf(directory);
    };
    look();
    if (!isWatched(record) && !record.isGivenUp) {
        claimRun(directory, {});
        look();
    }
}

Result<RunRecord> readRunRecord(const QString &directory)
{
    const auto text = recordText(directory);
    if (!text)
        return text.error();
    auto record = runRecordFrom(*text, recordPath(directory));
    if (record)
        lookForStarter(directory, record.value());
    return record;
}

Result<RunRecord> readRunOutline(const QString &directory)
{
    const auto text = recordText(directory);
    if (!text)
        return text.error();
    // These lists are most of the record. Not static: a thread may be here while a lost display ends the
    // program.
    const QByteArrayList leftOut{"processes",   "servers",  "common", "files", "before",    "after",
                                 "environment", "rank_env", "args",   "envs",  "redirects", "tee"};
    const QString path = recordPath(directory);
    auto outline = fromJsonText<RunOutline>(*text, leftOut);
    if (!outline)
        return unusableRecord(path);
    lookForStarter(directory, outline->record);
    return outline->record.format > RunRecord::newestFormat ? Result<RunRecord>(newerRecord(path))
                                                            : outline->record;
}

Result<RunRecord> runRecordFrom(const QByteArray &text, const QString &path)
{
    auto record = fromJsonText<RunRecord>(text);
    if (!record)
        return unusableRecord(path);
    return record->format > RunRecord::newestFormat ? Result<RunRecord>(newerRecord(path))
                                                    : std::move(*record);
}

/// Returns true if a supervisor listens: one that cannot write the record still does.
static bool isListeningAt(const QString &path)
{
    const int descriptor = connectedTo(path, SOCK_NONBLOCK);
    close(descriptor);
    return descriptor >= 0;
}

bool giveUpRun(const QString &directory)
{
    auto record = readRunRecord(directory);
    if (!record || !isLive(record->phase) || record->supervisor || !claimRun(directory, {}))
        return false;
    if (record->starter && isAlive(*record->starter)) {
        for (const ProcessInfo &each : descendants(pid_t(record->starter->pid)))
            kill(each.pid, SIGKILL);
        kill(pid_t(record->starter->pid), SIGKILL);
    }
    record->phase = RunPhase::Stopped;
    record->ended = QDateTime::currentDateTimeUtc();
    record->exitCode = 128 + SIGKILL;
    writeRunRecord(directory, record.value()); // Where it cannot be written, the run is lost.
    return true;
}

bool isWatched(const RunRecord &record)
{
    if (record.isGivenUp)
        return false;
    if (!record.supervisor) {
        const bool mayCome = record.starter
                                 ? isAlive(*record.starter)
                                 : record.created.secsTo(QDateTime::currentDateTimeUtc()) < startLimitSeconds;
        return mayCome || isListeningAt(record.socketPath);
    }
    return isAlive(*record.supervisor) || (record.guardian && isAlive(*record.guardian));
}

RunPhase currentPhase(const RunRecord &record)
{
    if (!isLive(record.phase))
        return record.phase;
    if (!isWatched(record))
        return RunPhase::Lost;
    return !record.supervisor || isAlive(*record.supervisor) ? record.phase : RunPhase::Stopping;
}

Sentence lossText(const QDateTime &when, bool isExact)
{
    const QString time = when.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s);
    return isExact ? Sentence::tr("Lost its supervisor at %1").arg(time)
                   : Sentence::tr("Lost its supervisor after %1").arg(time);
}

Failure failureOfLoss(const RunRecord &record, const Sentence &reason)
{
    Failure failure;
    failure.node = record.plan.thisNode;
    failure.status = {ExitStatus::Kind::Exited, 1};
    failure.reason = reason;
    return failure;
}

static QString claimPath(const QString &directory)
{
    return directory + u"/claim.json"_s;
}

void visitFields(Fields &fields, RunClaim &claim)
{
    fields.optional("supervisor", claim.supervisor);
}

bool claimRun(const QString &directory, const RunClaim &claim)
{
    // Written aside and linked, so that nobody finds it empty; a link is made once, on network file systems
    // too.
    QTemporaryFile file(directory + u"/.claim.XXXXXX"_s);
    const QByteArray text = jsonTextOf(claim) + '\n';
    return file.open() && file.write(text) == text.size() && file.flush() &&
           link(QFile::encodeName(file.fileName()).constData(),
                QFile::encodeName(claimPath(directory)).constData()) == 0;
}

std::optional<RunClaim> claimOf(const QString &directory)
{
    RegularFile file(claimPath(directory));
    return file.open(QIODevice::ReadOnly) ? fromJsonText<RunClaim>(file.readAll()) : std::nullopt;
}

} // namespace rankdeck
