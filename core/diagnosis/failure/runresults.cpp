#include "diagnosis/failure/runresults.h"

#include "base/json.h"
#include "diagnosis/failure/errorfile.h"
#include "diagnosis/failure/failurereport.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"

#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

using Json = nlohmann::json;

/// A longer return value is left in its file.
constexpr qint64 mostReturnedBytes = 64 * 1024 * 1024;

static void addReturned(JsonText &json, const QString &path)
{
    json.insert("return_file", path);
    json.insert("return_value", {});
    json.insert("return_problem", {});
    const QFileInfo info(path);
    if (!info.isFile())
        return;
    QFile file(path);
    if (info.size() > mostReturnedBytes || !file.open(QIODevice::ReadOnly)) {
        json.insert("return_problem",
                    info.size() > mostReturnedBytes
                        ? tr("It is longer than %1 MiB: see the file.").arg(mostReturnedBytes >> 20)
                        : problemOf(file));
        return;
    }
    const QByteArray text = file.read(mostReturnedBytes);
    // Keeps numbers as they are written: parseJson() would change large ones.
    const auto read = Json::parse(text.begin(), text.end(), nullptr, false);
    if (read.is_object() && read.contains("value"))
        json.insert("return_value", JsonText::of(jsonText(read["value"])));
    else
        json.insert("return_problem",
                    read.is_object() && read.contains("problem") && read["problem"].is_string()
                        ? JsonText::of(jsonText(read["problem"]))
                        : JsonText(tr("The file cannot be read.")));
}

static JsonText failureOf(const std::optional<ErrorFile> &file, const RankState &rank)
{
    JsonText timestamp;
    if (file && file->timestamp)
        timestamp = *file->timestamp;
    else if (rank.ended.isValid())
        timestamp = double(rank.ended.toMSecsSinceEpoch()) / 1000;
    return {{"message", file && !file->message.isEmpty() ? file->message : describeExit(*rank.status)},
            {"traceback", file ? file->traceback : QStringList()},
            {"timestamp", timestamp}};
}

static JsonText resultOf(const ProcessPlan &process, const RankState &rank)
{
    const bool isEndedByUs = rank.phase == RankPhase::Ended || rank.phase == RankPhase::Stopped;
    const bool isBySignal = rank.status && rank.status->kind == ExitStatus::Kind::Signalled;
    const bool isKnown = rank.status && rank.status->kind != ExitStatus::Kind::Unknown;
    const QStringList files = writtenFiles(process);
    const QString errorFile = QFileInfo(files[2]).isFile() ? files[2] : QString();
    JsonText json{{"role", roleWord(process.role)},
                  {"rank", process.rank},
                  {"local_rank", process.localRank},
                  {"node", process.node},
                  {"pid", rank.pid > 0 ? JsonText(rank.pid) : JsonText()},
                  {"state", phaseWord(rank.phase)},
                  {"exit_code", isKnown ? JsonText(rank.status->shellCode()) : JsonText()},
                  {"signal", isBySignal ? JsonText(ExitStatus::signalName(rank.status->number)) : JsonText()},
                  {"ended_by_rankdeck", isEndedByUs},
                  {"stdout", process.logFile},
                  {"stderr", process.stderrFile.isEmpty() ? process.logFile : process.stderrFile},
                  {"error_file", errorFile.isEmpty() ? JsonText() : JsonText(errorFile)},
                  {"failure", {}}};
    if (process.startedAs >= 0)
        json.insert("started_as", process.startedAs);
    if (rank.status && !rank.status->isSuccess() && !rank.stopRequested) {
        const auto file = errorFile.isEmpty() ? std::nullopt : readErrorFile(errorFile);
        if (rank.phase == RankPhase::Failed || file)
            json.insert("failure", failureOf(file, rank));
    }
    if (!files[3].isEmpty())
        addReturned(json, files[3]);
    return json;
}

JsonText runResults(const RunState &state)
{
    const bool isOver = !mayGrow(state.phase);
    QList<JsonText> processes;
    for (std::size_t index = 0; index < state.ranks.size(); ++index)
        processes << resultOf(state.plan->processes[index], state.ranks[index]);
    return {{"run", state.name},
            {"state", phaseWord(state.phase)},
            {"ended", isOver},
            {"exit_code", isOver && !hasLogsAlone(state.phase) ? JsonText(state.exitCode) : JsonText()},
            {"processes", processes}};
}

} // namespace rankdeck
