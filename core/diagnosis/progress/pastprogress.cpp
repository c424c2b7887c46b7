#include "diagnosis/progress/pastprogress.h"

#include "base/json.h"
#include "base/regularfile.h"
#include "base/times.h"
#include "diagnosis/progress/progresslogs.h"
#include "launch/plan/launchplan.h"
#include "launch/text/commandline.h"
#include "run/record/runreader.h"

#include <array>

namespace rankdeck
{

constexpr std::array<qint64, 3> tailSizes{8 * 1024, 64 * 1024, 1024 * 1024};
/// Fewer lines are not enough to compute the duration of a step.
constexpr qint64 enoughLines = 16;
constexpr int marksOfTail = 256;

namespace
{

/// One of the logs of a process, up to a length.
struct PastLog {
    QString path;
    qint64 length = 0;
    QString marks; ///< File of its growth marks; empty: none.
    int stream = 0;
};

/// Where the line that begins at `at` ends.
qsizetype lineEnd(const QByteArray &bytes, qsizetype at)
{
    while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r')
        ++at;
    return at;
}

/// Adds the lines of the last `most` bytes.
void addTail(const PastLog &log, qint64 most, qint64 ms, const ProgressReader &reader,
             ProgressTracker &tracker)
{
    RegularFile file(log.path);
    const qint64 begin = std::max<qint64>(0, log.length - most);
    if (log.length <= 0 || !file.open(QIODevice::ReadOnly) || !file.seek(begin))
        return;
    const QByteArray bytes = file.read(log.length - begin);
    const auto marks = log.marks.isEmpty() ? std::nullopt : marksUntil(log.marks, ms, marksOfTail);
    std::size_t mark = 0;
    LogLineReader lines;
    // The first line is whole only where the file begins.
    qsizetype at = begin == 0 ? 0 : bytes.indexOf('\n') + 1;
    if (begin > 0 && at == 0)
        return;
    for (qsizetype end = lineEnd(bytes, at); at < bytes.size(); at = end + 1, end = lineEnd(bytes, at)) {
        const QByteArrayView line = QByteArrayView(bytes).sliced(at, end - at);
        const auto point = reader.read(line);
        if (!point)
            continue;
        while (marks && mark < marks->size() && (*marks)[mark].size < begin + end)
            ++mark;
        const auto seen = marks && mark < marks->size() ? std::optional((*marks)[mark].time) : std::nullopt;
        tracker.add({*point, log.stream, lines.read(line).time, seen});
    }
}

} // namespace

std::vector<RankProgress> pastProgress(const LaunchPlan &plan, const ProgressReader &reader,
                                       const std::vector<LogLengths> &lengths, qint64 ms,
                                       const QString &growthFolder)
{
    std::vector<RankProgress> progress(plan.processes.size());
    for (std::size_t index = 0; index < std::min(plan.processes.size(), lengths.size()); ++index) {
        const ProcessPlan &process = plan.processes[index];
        if (process.role != Role::Worker)
            continue;
        const auto marksOf = [&](bool isError) {
            return growthFolder.isEmpty() ? QString()
                                          : marksFile(growthFolder, static_cast<int>(index), isError);
        };
        for (const qint64 most : tailSizes) {
            ProgressTracker tracker(1);
            addTail({process.logFile, lengths[index].log, marksOf(false), 0}, most, ms, reader, tracker);
            addTail({process.stderrFile, lengths[index].error, marksOf(true), 1}, most, ms, reader, tracker);
            progress[index] = tracker.progress();
            const bool isAll = most >= std::max(lengths[index].log, lengths[index].error);
            if (progress[index].lines >= enoughLines || isAll)
                break;
        }
    }
    return progress;
}

/// Returns a launch as texts by name: "processes nproc" is "8".
static QMap<QString, QString> optionsOf(const RunState &state)
{
    QMap<QString, QString> options;
    if (!state.spec)
        return options;
    nlohmann::json json = toJson(*state.spec);
    // A command is one thing, and its words are counted differently in each run.
    json["command"] = joinCommandLine(state.spec->command).toStdString();
    const nlohmann::json flat = json.flatten();
    for (const auto &[path, value] : flat.items()) {
        if (value.is_structured() || value.is_null())
            continue; // An empty list.
        QString name = QString::fromStdString(path).mid(1).replace('/'_L1, ' '_L1);
        options.insert(name,
                       QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump()));
    }
    return options;
}

Result<ComparedRun> readComparedRun(const QString &directory)
{
    RunReader source(directory);
    const Result<RunState> state = source.open();
    if (!state)
        return state.error();
    ComparedRun run;
    run.state = *state;
    const auto reader = ProgressReader::create(state->spec ? state->spec->common.progressPattern : QString());
    if (!reader)
        return reader.error();
    ProgressLogs logs(*state->plan, *reader, ProgressPlaces::of(*state));
    logs.readRest();
    std::vector<RankProgress> ranks;
    int farthest = -1;
    for (int process = 0; process < logs.count(); ++process) {
        ranks.push_back(logs.tracker(process).progress());
        if (farthest < 0 || ranks.back().step > ranks[std::size_t(farthest)].step)
            farthest = process;
    }
    run.progress = runProgress(ranks);
    if (farthest >= 0) {
        run.rank = state->plan->processes[std::size_t(farthest)].rank.value;
        run.loss = logs.tracker(farthest).loss();
        run.stepTime = logs.tracker(farthest).stepTime();
    }
    return run;
}

QList<ComparisonRow> compareRuns(const std::vector<ComparedRun> &runs)
{
    QList<ComparisonRow> rows;
    const auto add = [&](const QString &name, const auto &text) {
        ComparisonRow row{name, {}, false};
        for (const ComparedRun &run : runs) {
            const QString value = text(run);
            row.values << (value.isEmpty() ? u"-"_s : value);
        }
        rows << row;
    };
    using Run = const ComparedRun &;
    add(tr("State"), [](Run run) { return shownWord(run.state.phase); });
    add(tr("Exit code"),
        [](Run run) { return run.state.ended.isValid() ? QString::number(run.state.exitCode) : QString(); });
    add(tr("Started"),
        [](Run run) { return run.state.created.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s); });
    add(tr("Duration"), [](Run run) {
        const QDateTime end = run.state.ended.isValid() ? run.state.ended : QDateTime::currentDateTimeUtc();
        return elapsedText(run.state.created.secsTo(end));
    });
    add(tr("Ranks"), [](Run run) {
        const auto &processes = run.state.plan->processes;
        return QString::number(std::ranges::count(processes, Role::Worker, &ProcessPlan::role));
    });
    add(tr("Last step"), [](Run run) {
        if (!run.progress.step)
            return QString();
        return run.progress.steps
                   ? tr("%1 of %2").arg(countText(*run.progress.step), countText(*run.progress.steps))
                   : countText(*run.progress.step);
    });
    add(tr("Last loss"),
        [](Run run) { return run.progress.loss ? lossText(*run.progress.loss) : QString(); });
    add(tr("Step time"),
        [](Run run) { return run.progress.stepMs ? stepTimeText(*run.progress.stepMs) : QString(); });

    std::vector<QMap<QString, QString>> options;
    QMap<QString, QString> names; // Its keys, of all runs, in order.
    for (const ComparedRun &run : runs) {
        options.push_back(optionsOf(run.state));
        names.insert(options.back());
    }
    const QStringList keys = names.keys();
    for (const QString &name : keys) {
        ComparisonRow row{name, {}, true};
        for (const QMap<QString, QString> &its : options)
            row.values << its.value(name, u"-"_s);
        if (row.values.count(row.values.first()) != row.values.size())
            rows << row;
    }
    return rows;
}

} // namespace rankdeck
