#include "bundle/bundledescription.h"

#include "base/times.h"
#include "launch/plan/launchplan.h"
#include "launch/plan/writtenfiles.h"
#include "run/record/runjson.h"

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

QDateTime timeFrom(const Json &json, const char *key)
{
    return QDateTime::fromString(json.value(key, QString()), Qt::ISODateWithMs);
}

Json toJson(const RankState &rank)
{
    Json json{{"phase", phaseWord(rank.phase)}};
    if (rank.pid > 0)
        json["pid"] = rank.pid;
    if (rank.started.isValid())
        json["started"] = jsonTime(rank.started);
    if (rank.ended.isValid())
        json["ended"] = jsonTime(rank.ended);
    if (rank.status)
        json["status"] = *rank.status;
    if (rank.stopRequested)
        json["stop_requested"] = true;
    return json;
}

RankPhase rankPhaseFrom(const QString &word)
{
    for (int phase = 0; phase <= int(RankPhase::Writing); ++phase) {
        if (phaseWord(static_cast<RankPhase>(phase)) == word)
            return static_cast<RankPhase>(phase);
    }
    return RankPhase::Unknown;
}

RankState rankFrom(const Json &json)
{
    RankState rank;
    rank.phase = rankPhaseFrom(json.value("phase", QString()));
    rank.pid = json.value("pid", qint64(0));
    rank.started = timeFrom(json, "started");
    rank.ended = timeFrom(json, "ended");
    if (json.contains("status"))
        rank.status = json.at("status").get<ExitStatus>();
    rank.stopRequested = json.value("stop_requested", false);
    // Nothing watches the process any more.
    if (rank.phase == RankPhase::Running || rank.phase == RankPhase::Writing)
        rank.phase = RankPhase::Unknown;
    return rank;
}

/// Maps a file to its unpacked place; a file that is not in the bundle to a missing one below `directory`.
class Places
{
public:
    Places(QString directory, const std::vector<BundleDescription::File> &files)
        : m_directory(std::move(directory))
    {
        for (const auto &file : files)
            m_names.insert(file.path, file.name);
    }

    QString of(const QString &path) const
    {
        if (path.isEmpty())
            return {};
        return m_directory + QLatin1Char('/') +
               m_names.value(path, QStringLiteral("logs/not-in-this-bundle"));
    }

private:
    QString m_directory;
    QMap<QString, QString> m_names;
};

/// Returns the parts of a plan that are shown, without any that could be carried out.
LaunchPlan shownPlan(const LaunchPlan &plan, const Places &places)
{
    LaunchPlan shown;
    shown.launcher = plan.launcher;
    shown.name = plan.name;
    shown.jobId = plan.jobId;
    shown.thisNode = plan.thisNode;
    shown.rankTable = plan.rankTable;
    shown.totalRanks = plan.totalRanks;
    shown.raiseOnFailure = false;
    shown.notes = plan.notes;
    for (ProcessPlan process : plan.processes) {
        QStringList files = writtenFiles(process);
        for (QString &file : files)
            file = places.of(file);
        setWrittenFiles(process, files);
        process.copiedFrom.clear();
        process.makeDirectories.clear();
        shown.processes.push_back(std::move(process));
    }
    return shown;
}

bool isInsideName(const QString &name)
{
    return !name.isEmpty() && !name.startsWith(QLatin1Char('/')) &&
           !name.split(QLatin1Char('/')).contains(QLatin1String(".."));
}

/// Throws Json::exception.
std::vector<BundleDescription::File> filesFrom(const Json &json)
{
    std::vector<BundleDescription::File> files;
    for (const Json &each : json) {
        BundleDescription::File file;
        each.at("path").get_to(file.path);
        each.at("name").get_to(file.name);
        file.bytes = each.value("bytes", qint64(0));
        file.leftOutBytes = each.value("left_out_bytes", qint64(0));
        file.headLines = each.value("head_lines", qint64(0));
        file.leftOutLines = each.value("left_out_lines", qint64(0));
        if (isInsideName(file.name))
            files.push_back(file);
    }
    return files;
}

/// Throws Json::exception.
std::optional<RunState> stateFrom(const Json &json, const QString &directory, const Places &places)
{
    const auto plan = launchPlanFromJson(json.at("plan"));
    if (!plan)
        return std::nullopt;
    RunState state;
    json.at("name").get_to(state.name);
    state.directory = directory;
    state.setPlan(shownPlan(*plan, places));
    state.phase = RunPhase::Recorded;
    state.created = timeFrom(json, "created");
    state.ended = timeFrom(json, "ended");
    state.exitCode = json.value("exit_code", 0);
    const Json &ranks = json.at("ranks");
    for (std::size_t index = 0; index < state.ranks.size() && index < ranks.size(); ++index)
        state.ranks[index] = rankFrom(ranks.at(index));
    if (json.contains("failure")) {
        state.failure = json.at("failure").get<Failure>();
        state.failure->logFile = places.of(state.failure->logFile);
    }
    state.notes = json.value("notes", QStringList());
    return state;
}

} // namespace

qint64 BundleDescription::File::lineOf(qint64 line) const
{
    if (line <= headLines || leftOutBytes == 0)
        return line;
    return std::max(line - leftOutLines, headLines + 1) + 1;
}

Json toJson(const BundleDescription::File &file)
{
    return {{"path", file.path},
            {"name", file.name},
            {"bytes", file.bytes},
            {"left_out_bytes", file.leftOutBytes},
            {"head_lines", file.headLines},
            {"left_out_lines", file.leftOutLines}};
}

Json toJson(const BundleDescription &description)
{
    const RunState &state = description.state;
    Json ranks = Json::array();
    for (const RankState &rank : state.ranks)
        ranks.push_back(toJson(rank));
    Json files = Json::array();
    for (const auto &file : description.files)
        files.push_back(toJson(file));
    Json json{{"format", bundleFormat},
              {"made", jsonTime(description.made)},
              {"host", description.host},
              {"rankdeck", description.rankdeck},
              {"name", state.name},
              {"directory", state.directory},
              {"phase", phaseWord(state.phase)},
              {"attempt", state.attempt},
              {"created", jsonTime(state.created)},
              {"ended", jsonTime(state.ended)},
              {"exit_code", state.exitCode},
              {"notes", state.notes},
              {"ranks", ranks},
              {"plan", toCompactJson(*state.plan)},
              {"files", files}};
    if (state.failure)
        json["failure"] = *state.failure;
    return json;
}

Result<BundleDescription> descriptionFrom(const QByteArray &text, const QString &directory)
{
    const Error unusable{tr("this is not a report bundle that this version of Rankdeck can read"), {}, {}};
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return unusable;
    try {
        if (json->at("format").get<int>() > bundleFormat)
            return Error{
                tr("this bundle was made by a newer version of Rankdeck"), {}, tr("Update Rankdeck.")};
        BundleDescription description;
        description.made = timeFrom(*json, "made");
        description.host = json->value("host", QString());
        description.rankdeck = json->value("rankdeck", QString());
        description.files = filesFrom(json->at("files"));
        const auto state = stateFrom(*json, directory, Places(directory, description.files));
        if (!state)
            return unusable;
        description.state = *state;
        if (!description.state.ended.isValid())
            description.state.ended = description.made;
        description.origin =
            tr("Opened from a report bundle that was made on %1 at %2 (run: %3); nothing runs here.")
                .arg(description.host,
                     description.made.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")),
                     json->value("phase", QString()));
        description.state.notes.prepend(description.origin);
        return description;
    } catch (const Json::exception &) {
        return unusable;
    }
}

} // namespace rankdeck
