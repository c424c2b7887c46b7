#include "diagnosis/failure/runresults.h"

#include "base/json.h"
#include "diagnosis/failure/errorfile.h"
#include "diagnosis/failure/failurereport.h"
#include "launch/plan/launchplan.h"
#include "launch/plan/writtenfiles.h"
#include "run/record/runstate.h"

#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

using Json = nlohmann::json;

/// A longer return value is left in its file.
constexpr qint64 mostReturnedBytes = 64 * 1024 * 1024;

static Json orNull(const QString &text)
{
    return text.isEmpty() ? Json() : Json(text);
}

static void addReturned(Json &json, const QString &path)
{
    json["return_file"] = path;
    json["return_value"] = nullptr;
    json["return_problem"] = nullptr;
    const QFileInfo info(path);
    if (!info.isFile())
        return;
    QFile file(path);
    if (info.size() > mostReturnedBytes || !file.open(QIODevice::ReadOnly)) {
        json["return_problem"] =
            info.size() > mostReturnedBytes
                ? tr("It is longer than %1 MiB: see the file.").arg(mostReturnedBytes >> 20)
                : problemOf(file);
        return;
    }
    const QByteArray text = file.read(mostReturnedBytes);
    // Keeps numbers as they are written: parseJson() would change large ones.
    const auto read = Json::parse(text.begin(), text.end(), nullptr, false);
    if (read.is_object() && read.contains("value"))
        json["return_value"] = read["value"];
    else
        json["return_problem"] = read.is_object() && read.contains("problem") && read["problem"].is_string()
                                     ? read["problem"]
                                     : Json(tr("The file cannot be read."));
}

static Json failureOf(const std::optional<ErrorFile> &file, const RankState &rank)
{
    Json failure{{"message", file && !file->message.isEmpty() ? file->message : describeExit(*rank.status)},
                 {"traceback", file ? file->traceback : QStringList()},
                 {"timestamp", nullptr}};
    if (file && file->timestamp)
        failure["timestamp"] = *file->timestamp;
    else if (rank.ended.isValid())
        failure["timestamp"] = double(rank.ended.toMSecsSinceEpoch()) / 1000;
    return failure;
}

static Json resultOf(const ProcessPlan &process, const RankState &rank)
{
    const bool isEndedByUs = rank.phase == RankPhase::Ended || rank.phase == RankPhase::Stopped;
    const bool isBySignal = rank.status && rank.status->kind == ExitStatus::Kind::Signalled;
    const bool isKnown = rank.status && rank.status->kind != ExitStatus::Kind::Unknown;
    const QStringList files = writtenFiles(process);
    const QString errorFile = QFileInfo(files[2]).isFile() ? files[2] : QString();
    Json json{{"role", roleWord(process.role)},
              {"rank", process.rank.value},
              {"local_rank", process.localRank.value},
              {"node", process.node},
              {"pid", rank.pid > 0 ? Json(rank.pid) : Json()},
              {"state", phaseWord(rank.phase)},
              {"exit_code", isKnown ? Json(rank.status->shellCode()) : Json()},
              {"signal", isBySignal ? Json(ExitStatus::signalName(rank.status->number)) : Json()},
              {"ended_by_rankdeck", isEndedByUs},
              {"stdout", process.logFile},
              {"stderr", process.stderrFile.isEmpty() ? process.logFile : process.stderrFile},
              {"error_file", orNull(errorFile)},
              {"failure", nullptr}};
    if (rank.status && !rank.status->isSuccess() && !rank.stopRequested) {
        const auto file = errorFile.isEmpty() ? std::nullopt : readErrorFile(errorFile);
        if (rank.phase == RankPhase::Failed || file)
            json["failure"] = failureOf(file, rank);
    }
    if (!files[3].isEmpty())
        addReturned(json, files[3]);
    return json;
}

Json runResults(const RunState &state)
{
    const bool isOver = !mayGrow(state.phase);
    Json json{{"run", state.name},
              {"state", phaseWord(state.phase)},
              {"ended", isOver},
              {"exit_code", isOver && !hasLogsAlone(state.phase) ? Json(state.exitCode) : Json()},
              {"processes", Json::array()}};
    for (std::size_t index = 0; index < state.ranks.size(); ++index)
        json["processes"].push_back(resultOf(state.plan->processes[index], state.ranks[index]));
    return json;
}

} // namespace rankdeck
