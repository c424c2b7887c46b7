#include "base/oneshottimer.h"
#include "base/times.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/top/topview.h"

#include <malloc.h>

namespace rankdeck
{

namespace
{

constexpr int drawMs = 250; ///< Least time between two drawings for changes of the run.
constexpr int clockMs = 1000;
constexpr int trimMs = 5000;

/// Returns the run that is shown first; empty: the list of runs.
Result<QString> firstRun(const QString &name)
{
    if (!name.isEmpty())
        return findRun(name);
    const QList<RunSummary> runs = RunSummaries().read();
    const auto live = std::ranges::count_if(runs, [](const RunSummary &run) { return isLive(run.phase); });
    return live == 1 || runs.size() == 1 ? runs.first().directory : QString();
}

int show(FullScreen &terminal, TopView &view)
{
    QElapsedTimer sinceDrawn;
    OneShotTimer soon;
    QTimer clock;
    QTimer trim;
    const auto draw = [&] {
        soon.stop();
        terminal.draw(view.lines(terminal.size()));
        sinceDrawn.start();
    };
    clock.setInterval(clockMs);
    QObject::connect(&soon, &QTimer::timeout, draw);
    QObject::connect(&clock, &QTimer::timeout, [&] {
        if (view.isTicking())
            draw();
    });
    QObject::connect(&view, &TopView::changed, &soon, [&] {
        if (!soon.isActive())
            soon.start(sinceDrawn.isValid() ? std::max<int>(0, drawMs - int(sinceDrawn.elapsed())) : 0);
    });
    // A key is answered at once, but those of a held key together.
    QObject::connect(&terminal, &FullScreen::pressed, [&](const Key &key) {
        view.press(key);
        soon.start(0);
    });
    QObject::connect(&terminal, &FullScreen::resized, draw);
    QObject::connect(&terminal, &FullScreen::closed, qApp, &QCoreApplication::quit);
    QObject::connect(&view, &TopView::quit, qApp, &QCoreApplication::quit);
    QObject::connect(&view, &TopView::failed, qApp, [] { QCoreApplication::exit(unusableInput); });
    // Without this, memory used to read a plan or a backlog of many ranks is not returned: it lies below
    // blocks that stay in use.
    QObject::connect(&trim, &QTimer::timeout, [] { malloc_trim(0); });
    trim.start(trimMs);
    clock.start();
    draw();
    return QCoreApplication::exec();
}

} // namespace

/// Shows what `makeView` makes, until the user quits.
template <typename MakeView>
static int showFullScreen(const MakeView &makeView)
{
    QString problem;
    int code = 0;
    {
        auto terminal = FullScreen::open();
        if (!terminal)
            return refuse(terminal.error());
        const std::unique_ptr<TopView> view = makeView();
        QObject::connect(view.get(), &TopView::failed, [&](const QString &sentence) { problem = sentence; });
        code = show(*terminal.value(), *view);
    }
    if (!problem.isEmpty())
        complain(problem);
    return code;
}

int topCommand(const Options &options)
{
    const auto run = firstRun(options.positional.value(0));
    if (!run)
        return refuse(run.error());
    return showFullScreen([&] { return std::make_unique<TopView>(*run); });
}

static JsonText momentJson(const RunReplay &replay, const ReplayMoment &moment)
{
    const RunState &state = moment.state;
    QList<JsonText> ranks;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const ProcessPlan &plan = state.plan->processes[index];
        const RankProgress &progress = moment.progress[index];
        JsonText rank{{"role", roleWord(plan.role)},
                      {"state", phaseWord(state.shownPhase(state.ranks[index]))},
                      {"log_bytes", moment.logs[index].log},
                      {"step", progress.step}};
        insertRank(rank, plan);
        if (const RunSamples::Sample *sample = moment.samples.of(int(index)); sample && sample->device)
            rank.insert("device", *sample->device);
        ranks << rank;
    }
    const JsonText marks = JsonText::list(replay.marks(), [](const ReplayMark &mark) {
        return JsonText{{"kind", markWord(mark.kind)}, {"time", jsonTime(mark.time)}, {"text", mark.text}};
    });
    return {{"run", state.name},
            {"begin", jsonTime(replay.begin())},
            {"end", jsonTime(replay.end())},
            {"time", jsonTime(moment.time)},
            {"state", phaseWord(state.phase)},
            {"stall", state.stall ? JsonText(state.stall->sentence.text()) : JsonText()},
            {"notes", state.notes},
            {"ranks", ranks},
            {"marks", marks}};
}

int replayCommand(const Options &options)
{
    const auto source = openReplay(options.positional.first());
    if (!source)
        return refuse(source.error());
    const RunReplay &replay = *source->replay;
    const auto speed = options.number("--speed", int(ReplayClock::leastSpeed), 1);
    if (!speed)
        return refuse(speed.error());
    if (*speed > ReplayClock::mostSpeed)
        return refuse({tr("the fastest replay is x%1").arg(ReplayClock::mostSpeed), u"--speed"_s, {}});
    const auto at = options.hasValue("--at") ? replayTime(options.value("--at"), replay)
                    : options.has("--json")  ? Result<QDateTime>(replay.end())
                                             : Result<QDateTime>(replay.begin());
    if (!at)
        return refuse(at.error());
    if (options.has("--json")) {
        printJson(momentJson(replay, momentOf(replay, *at)));
        return 0;
    }
    return showFullScreen([&] {
        auto run = std::make_unique<ReplayedRun>(*source, *at, *speed);
        if (!options.hasValue("--at"))
            run->player().playOrPause();
        return TopView::ofReplay(std::move(run));
    });
}

} // namespace rankdeck
