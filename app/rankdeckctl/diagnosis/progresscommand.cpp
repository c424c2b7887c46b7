#include "diagnosis/logdirectory/logdirectory.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/diagnosis/longwork.h"
#include "run/record/runcatalog.h"
#include "run/record/runreader.h"

namespace rankdeck
{

namespace
{

enum class ProgressFormat { Table, Json, Csv };

struct Wanted {
    ProgressFormat format = ProgressFormat::Table;
    bool follows = false;
    QString pattern; ///< In place of the launch's own.
    QString place;   ///< In place of the state's directory: a bundle.
};

constexpr int lookMs = 500;

std::vector<RankProgress> ranksOf(const ProgressLogs &logs)
{
    std::vector<RankProgress> ranks;
    for (int process = 0; process < logs.count(); ++process)
        ranks.push_back(logs.tracker(process).progress());
    return ranks;
}

QString numberText(const std::optional<double> &number)
{
    return number ? QString::number(*number, 'g', 6) : u"-"_s;
}

QString ratioText(const QString &number, const std::optional<qint64> &total)
{
    return total ? u"%1/%2"_s.arg(number).arg(*total) : number;
}

void printTable(const RunState &state, const ProgressLogs &logs)
{
    const QString absent = u"-"_s;
    QList<QStringList> rows{{tr("RANK"), tr("EPOCH"), tr("STEP"), tr("LOSS"), tr("STEP TIME"),
                             tr("THROUGHPUT"), tr("LEARNING RATE"), tr("LEFT")}};
    for (int process = 0; process < logs.count(); ++process) {
        const ProcessPlan &plan = state.plan->processes[std::size_t(process)];
        if (plan.role != Role::Worker)
            continue;
        const RankProgress progress = logs.tracker(process).progress();
        const QString rank = QString::number(plan.rank.value);
        if (progress.isSilent()) {
            rows << QStringList{rank, tr("no progress lines")};
            continue;
        }
        const ProgressPoint &last = progress.last;
        const auto left = progress.remainingMs();
        const QString throughput = u"%1 %2"_s.arg(numberText(last.throughput),
                                                  visibleText(QString::fromLatin1(last.throughputUnit)));
        rows << QStringList{rank,
                            last.epoch ? ratioText(QString::number(*last.epoch), last.epochs) : absent,
                            progress.step && !progress.countsEpochs
                                ? ratioText(QString::number(*progress.step), progress.steps)
                                : absent,
                            last.loss ? lossText(*last.loss) : absent,
                            progress.stepMs ? stepTimeText(*progress.stepMs) : absent,
                            last.throughput ? throughput.trimmed() : absent,
                            numberText(last.learningRate),
                            left && mayGrow(state.phase) ? remainingText(*left) : absent};
    }
    print(tableLines(rows, "llllllll").join('\n'_L1));
}

/// Returns infinities and NaN as text: JSON has no numbers for them.
JsonText realJson(const std::optional<double> &number)
{
    return !number || std::isfinite(*number) ? JsonText(number) : JsonText(QString::number(*number));
}

JsonText runJson(const RunState &state, const ProgressLogs &logs, const QString &place)
{
    const RunProgress run = runProgress(ranksOf(logs));
    return {{"directory", place.isEmpty() ? state.directory : place},
            {"state", phaseWord(state.phase)},
            {"counts", run.countsEpochs ? "epochs" : "steps"},
            {"step", run.step},
            {"steps", run.steps},
            {"loss", realJson(run.loss)},
            {"step_time_ms", realJson(run.stepMs)},
            {"remaining_ms", mayGrow(state.phase) ? JsonText(run.remainingMs) : JsonText()}};
}

JsonText rankJson(const ProcessPlan &process, const RankProgress &progress)
{
    const ProgressPoint &last = progress.last;
    const bool hasUnit = last.throughput && !last.throughputUnit.isEmpty();
    return {{"rank", process.rank},
            {"lines", progress.lines},
            {"epoch", last.epoch},
            {"epochs", last.epochs},
            {"step", progress.step},
            {"steps", progress.steps},
            {"printed_step", last.step},
            {"printed_steps", last.steps},
            {"loss", realJson(last.loss)},
            {"step_time_ms", realJson(progress.stepMs)},
            {"throughput", realJson(last.throughput)},
            {"throughput_unit", hasUnit ? JsonText(QString::fromLatin1(last.throughputUnit)) : JsonText()},
            {"learning_rate", realJson(last.learningRate)},
            {"remaining_ms", progress.remainingMs()}};
}

void printAsJson(const RunState &state, const ProgressLogs &logs, const QString &place)
{
    QList<JsonText> ranks;
    for (int process = 0; process < logs.count(); ++process) {
        const ProcessPlan &plan = state.plan->processes[std::size_t(process)];
        if (plan.role == Role::Worker)
            ranks << rankJson(plan, logs.tracker(process).progress());
    }
    JsonText json = runJson(state, logs, place);
    json.insert("ranks", ranks);
    printJson(json);
}

void printCsv(const RunState &state, const ProgressLogs &logs)
{
    ProgressCurves curves;
    for (int process = 0; process < logs.count(); ++process) {
        const ProgressTracker &tracker = logs.tracker(process);
        curves.curves.append({process, tracker.loss(), tracker.stepTime(), 0});
    }
    print(QString::fromLatin1(progressCsv(*state.plan, curves)).trimmed());
}

/// Prints where each rank is.
void printProgress(const RunState &state, const ProgressLogs &logs, const Wanted &wanted)
{
    if (wanted.format == ProgressFormat::Json)
        printAsJson(state, logs, wanted.place);
    else
        wanted.format == ProgressFormat::Csv ? printCsv(state, logs) : printTable(state, logs);
}

/// Prints where the run is, on one line: for readers, or a JSON object.
void printProgressLine(const RunState &state, const ProgressLogs &logs, const Wanted &wanted)
{
    if (wanted.format == ProgressFormat::Json) {
        printJson(runJson(state, logs, wanted.place), false);
        return;
    }
    const QString text = progressText(runProgress(ranksOf(logs)), mayGrow(state.phase));
    if (!text.isEmpty())
        print(text);
}

/// What is kept was read with the launch's own pattern.
ProgressPlaces placesOf(const RunState &state, const Wanted &wanted)
{
    ProgressPlaces places = ProgressPlaces::of(state);
    if (!wanted.pattern.isEmpty()) {
        places.kept.clear();
        places.mayKeep = false;
    }
    return places;
}

Result<std::unique_ptr<ProgressLogs>> logsOf(const RunState &state, const Wanted &wanted)
{
    const QString own = state.spec ? state.spec->common.progressPattern : QString();
    auto reader = ProgressReader::create(wanted.pattern.isEmpty() ? own : wanted.pattern);
    if (!reader)
        return reader.error();
    return std::make_unique<ProgressLogs>(*state.plan, *reader, placesOf(state, wanted));
}

/// Prints a line whenever the progress has changed, until the run has ended.
/// @param source a RunReader, a LogDirectory or a BundleSource.
template <typename Source>
std::optional<Error> follow(Source &source, std::unique_ptr<ProgressLogs> &logs, const Wanted &wanted)
{
    std::optional<Error> error;
    auto plan = source.state().plan;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
        source.update();
        if (std::exchange(plan, source.state().plan) != plan) {
            // A new attempt has logs of its own.
            auto other = logsOf(source.state(), wanted);
            if (other)
                logs = std::move(other.value());
            else
                error = other.error();
        }
        const bool isMore = logs->readOn(true);
        look.setInterval(isMore ? 0 : lookMs);
        if (!isMore && !logs->takeChanged().empty())
            printProgressLine(source.state(), *logs, wanted);
        if (error || !mayGrow(source.state().phase))
            QCoreApplication::quit();
    });
    look.start(0);
    QCoreApplication::exec();
    return error;
}

template <typename Source>
int showProgress(Source &source, const Wanted &wanted)
{
    const auto state = source.open();
    if (!state)
        return refuse(state.error());
    auto made = logsOf(*state, wanted);
    if (!made)
        return refuse(made.error());
    std::unique_ptr<ProgressLogs> logs = std::move(made.value());
    if (wanted.follows && mayGrow(state->phase)) {
        if (const auto error = follow(source, logs, wanted))
            return refuse(*error);
    }
    LongWork work;
    if (!logs->readRest(work.reading()))
        return LongWork::exitCode();
    work.wipe();
    if (wanted.follows && wanted.format == ProgressFormat::Json)
        printProgressLine(source.state(), *logs, wanted);
    else
        printProgress(source.state(), *logs, wanted);
    return 0;
}

} // namespace

int progressCommand(const Options &options)
{
    if (options.has("--csv") && (options.has("--json") || options.has("--follow")))
        return refuse({tr("cannot be combined with --json or --follow"), u"--csv"_s, {}});
    Wanted wanted;
    wanted.format = options.has("--json")  ? ProgressFormat::Json
                    : options.has("--csv") ? ProgressFormat::Csv
                                           : ProgressFormat::Table;
    wanted.follows = options.has("--follow");
    wanted.pattern = options.value("--progress-pattern");

    const QString what = options.positional.value(0);
    if (BundleSource::isBundle(what)) {
        wanted.place = what;
        BundleSource bundle(what);
        return showProgress(bundle, wanted);
    }
    const auto run = runGiven(what);
    if (run) {
        RunReader reader(*run);
        return showProgress(reader, wanted);
    }
    if (!QFileInfo::exists(what))
        return refuse(run.error());
    LogDirectory logs(what, LogDirectory::Show::Split);
    return showProgress(logs, wanted);
}

} // namespace rankdeck
