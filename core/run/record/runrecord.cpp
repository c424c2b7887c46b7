#include "run/record/runrecord.h"

#include "base/times.h"
#include "run/record/runjson.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankdeck
{

using Json = nlohmann::json;

/// Format of run.json and the journal; a reader refuses a newer one.
constexpr int formatVersion = 1;
/// A supervisor takes milliseconds to come up; one that has not after this never will.
constexpr int startLimitSeconds = 20;

static QString recordPath(const QString &directory)
{
    return directory + QStringLiteral("/run.json");
}

/// The next run.json; between two records, the room that is reserved for it.
static QString newRecordPath(const QString &directory)
{
    return recordPath(directory) + QStringLiteral(".new");
}

static QDateTime timeFrom(const Json &json)
{
    return QDateTime::fromString(json.get<QString>(), Qt::ISODateWithMs);
}

static Json toJson(const RunRecord &record)
{
    Json json{{"format", formatVersion},
              {"rankdeck", RANKDECK_VERSION},
              {"name", record.name},
              {"created", jsonTime(record.created)},
              {"phase", phaseWord(record.phase)},
              {"socket", record.socketPath},
              {"spec", toJson(record.spec)},
              {"plan", toCompactJson(record.plan)}};
    if (record.supervisor)
        json["supervisor"] = *record.supervisor;
    if (record.guardian)
        json["guardian"] = *record.guardian;
    if (record.tiedTo)
        json["tied_to"] = *record.tiedTo;
    if (record.ended.isValid()) {
        json["ended"] = jsonTime(record.ended);
        json["exit_code"] = record.exitCode;
    }
    if (record.failure)
        json["failure"] = *record.failure;
    if (!record.stall.isEmpty())
        json["stall"] = record.stall;
    return json;
}

static Error unusableRecord(const QString &path)
{
    return {tr("this is not a run record that this version can read"), path, {}};
}

static Result<QByteArray> recordText(const QString &directory)
{
    const QString path = recordPath(directory);
    QFile file(path);
    // A record of another user could lead to any socket, or to any file as a log.
    if (QFileInfo info(path); info.exists() && info.ownerId() != getuid())
        return Error{tr("this run belongs to another user (%1)").arg(info.owner()), directory,
                     tr("Only the user who launched a run can watch or stop it.")};
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("no run found here"), directory, tr("Run rankdeckctl list to see all runs.")};
    return file.readAll();
}

/// Parses the record without its lists of processes, servers, files and variables, which are most of it.
static std::optional<Json> parseOutline(const QByteArray &text)
{
    bool skipsNext = false;
    const auto isWanted = [&skipsNext](int, Json::parse_event_t event, Json &value) {
        const bool isSkipped = skipsNext;
        skipsNext = false;
        if (event != Json::parse_event_t::key) {
            makeUsable(value);
            return !isSkipped;
        }
        const auto &key = value.get_ref<const std::string &>();
        skipsNext = key == "processes" || key == "servers" || key == "common" || key == "files" ||
                    key == "before" || key == "after" || key == "environment" || key == "rank_env" ||
                    key == "args" || key == "envs" || key == "redirects" || key == "tee";
        return true;
    };
    auto json = Json::parse(text.begin(), text.end(), isWanted, false);
    return json.is_discarded() ? std::nullopt : std::optional<Json>(std::move(json));
}

/// Throws Json::exception.
static Result<RunRecord> withoutPlan(const Json &json, const QString &path)
{
    if (json.at("format").get<int>() > formatVersion)
        return Error{tr("this run was created by a newer version of Rankdeck"), path, tr("Update Rankdeck.")};
    RunRecord record;
    json.at("name").get_to(record.name);
    record.created = timeFrom(json.at("created"));
    const auto phase = phaseFromWord(json.at("phase").get<QString>());
    if (!phase)
        return unusableRecord(path);
    record.phase = *phase;
    json.at("socket").get_to(record.socketPath);
    if (json.contains("supervisor"))
        record.supervisor = json.at("supervisor").get<SupervisorId>();
    if (json.contains("guardian"))
        record.guardian = json.at("guardian").get<SupervisorId>();
    if (json.contains("tied_to"))
        record.tiedTo = json.at("tied_to").get<SupervisorId>();
    if (json.contains("ended"))
        record.ended = timeFrom(json.at("ended"));
    record.exitCode = json.value("exit_code", 0);
    if (json.contains("failure"))
        record.failure = json.at("failure").get<Failure>();
    record.stall = json.value("stall", QString());
    return record;
}

std::optional<Error> writeRunRecord(const QString &directory, const RunRecord &record)
{
    const QString path = recordPath(directory);
    const QString problem = tr("cannot write the run record: %1");
    QFile file(newRecordPath(directory));
    const QByteArray text = jsonText(toJson(record), 1) + '\n';
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

Result<RunRecord> readRunRecord(const QString &directory)
{
    const auto text = recordText(directory);
    return text ? runRecordFrom(*text, recordPath(directory)) : Result<RunRecord>(text.error());
}

Result<RunRecord> readRunOutline(const QString &directory)
{
    const auto text = recordText(directory);
    if (!text)
        return text.error();
    const auto json = parseOutline(*text);
    const Error unusable = unusableRecord(recordPath(directory));
    if (!json || !json->is_object())
        return unusable;
    try {
        auto record = withoutPlan(*json, recordPath(directory));
        if (record) {
            const Json &plan = json->at("plan");
            plan.at("name").get_to(record->plan.name);
            plan.at("launcher").get_to(record->plan.launcher);
            plan.at("world_size").get_to(record->plan.totalRanks);
            if (json->contains("spec"))
                record->spec.command = json->at("spec").value("command", QStringList());
        }
        return record;
    } catch (const Json::exception &) {
        return unusable;
    }
}

Result<RunRecord> runRecordFrom(const QByteArray &text, const QString &path)
{
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return unusableRecord(path);
    try {
        auto record = withoutPlan(*json, path);
        if (!record)
            return record;
        const auto spec = launchSpecFromJson(json->at("spec"));
        const auto plan = launchPlanFromJson(json->at("plan"));
        if (!spec || !plan)
            return unusableRecord(path);
        record->spec = *spec;
        record->plan = *plan;
        return record;
    } catch (const Json::exception &) {
        return unusableRecord(path);
    }
}

/// A supervisor that cannot write the record listens all the same.
static bool isListeningAt(const QString &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() >= static_cast<qsizetype>(sizeof address.sun_path))
        return false;
    std::copy(name.begin(), name.end(), address.sun_path);
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool isListening =
        connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    close(descriptor);
    return isListening;
}

bool isWatched(const RunRecord &record)
{
    if (!record.supervisor)
        return record.created.secsTo(QDateTime::currentDateTimeUtc()) < startLimitSeconds ||
               isListeningAt(record.socketPath);
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

QString lossText(const QDateTime &when, bool isExact)
{
    const QString time = when.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    return isExact ? tr("Lost its supervisor at %1").arg(time) : tr("Lost its supervisor after %1").arg(time);
}

Failure failureOfLoss(const RunRecord &record, const QString &reason)
{
    Failure failure;
    failure.node = record.plan.thisNode;
    failure.status = {ExitStatus::Kind::Exited, 1};
    failure.reason = reason;
    return failure;
}

} // namespace rankdeck
