#include "diagnosis/progress/runcomparison.h"

#include "base/json.h"
#include "base/times.h"
#include "diagnosis/progress/progresslogs.h"
#include "launch/text/commandline.h"
#include "run/record/runreader.h"

namespace rankdeck
{

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
