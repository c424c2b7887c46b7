#include "replay/replayplayer.h"

#include "bundle/openbundle.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/progress/pastprogress.h"
#include "run/record/runcatalog.h"
#include "run/record/runreader.h"

#include <QFileInfo>

namespace rankdeck
{

constexpr int tickMs = 250;
constexpr int timesOfSteps = 20;

static Result<ReplaySource> sourceOf(const Result<RunState> &state, std::shared_ptr<const void> files)
{
    if (!state)
        return state.error();
    auto replay = RunReplay::of(*state);
    if (!replay)
        return replay.error();
    return ReplaySource{std::make_shared<const RunReplay>(std::move(replay.value())), std::move(files)};
}

Result<ReplaySource> openReplay(const QString &name)
{
    if (isBundleName(name) && QFileInfo(name).isFile()) {
        const auto bundle = openBundle(name);
        if (!bundle)
            return bundle.error();
        return sourceOf(bundle->state, bundle->directory);
    }
    const auto run = findRun(name);
    if (run)
        return sourceOf(RunReader(*run).open(), {});
    if (!QFileInfo::exists(name))
        return run.error();
    const auto logs = std::make_shared<LogDirectory>(name, LogDirectory::Show::Split);
    return sourceOf(logs->open(), logs);
}

static std::vector<RankProgress> progressAt(const RunState &state, const std::vector<LogLengths> &logs,
                                            const QDateTime &time)
{
    const auto reader = ProgressReader::create(state.spec ? state.spec->common.progressPattern : QString());
    return pastProgress(*state.plan, reader ? *reader : ProgressReader(), logs, time.toMSecsSinceEpoch(),
                        growthFolder(state.directory, *state.recordedPlan, state.attempt));
}

ReplayMoment momentOf(const RunReplay &replay, const QDateTime &time)
{
    ReplayMoment moment{time, replay.stateAt(time), {}, {}, {}};
    const RunState &state = moment.state;
    moment.logs = replay.logsAt(state, time);
    moment.samples = replay.samplesAt(state, time);
    moment.progress = progressAt(state, moment.logs, time);
    return moment;
}

QList<ReplayStep> stepsOf(const RunReplay &replay, int count)
{
    QList<ReplayStep> steps;
    const RunState &ended = replay.ended();
    const auto first = std::ranges::find_if(ended.plan->processes, [](const ProcessPlan &process) {
        return process.role == Role::Worker && QFileInfo(process.logFile).size() > 0;
    });
    if (first == ended.plan->processes.end())
        return steps;
    const auto process = std::size_t(first - ended.plan->processes.begin());
    for (int index = 1; index <= count; ++index) {
        const QDateTime time = replay.begin().addMSecs(replay.begin().msecsTo(replay.end()) * index / count);
        const RunState state = replay.stateAt(time);
        std::vector<LogLengths> lengths = replay.logsAt(state, time);
        for (std::size_t other = 0; other < lengths.size(); ++other) {
            if (other != process)
                lengths[other] = {};
        }
        const auto progress = progressAt(state, lengths, time);
        if (progress.at(process).step)
            steps.append({time, *progress.at(process).step});
    }
    return steps;
}

ReplayPlayer::ReplayPlayer(ReplaySource source, const QDateTime &at, double speed)
    : m_source(std::move(source))
    , m_clock(m_source.replay->begin(), m_source.replay->end())
    , m_timer(this)
    , m_looking(this, [this](const ReplayMoment &moment) { take(moment); })
{
    m_steady.start();
    m_clock.setSpeed(speed, m_steady.elapsed());
    m_clock.seek(at, m_steady.elapsed());
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &ReplayPlayer::tick);
    inBackground(
        this, [replay = m_source.replay] { return stepsOf(*replay, timesOfSteps); },
        [this](const QList<ReplayStep> &steps) {
            m_steps = steps;
            Q_EMIT stepsFound();
        });
    look();
}

const QList<double> &ReplayPlayer::speeds()
{
    static const QList<double> all{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    return all;
}

void ReplayPlayer::playOrPause()
{
    if (isPlaying()) {
        m_clock.pause(m_steady.elapsed());
        m_timer.stop();
    } else {
        m_clock.play(m_steady.elapsed());
        m_timer.start();
    }
    look();
}

void ReplayPlayer::setSpeed(double speed)
{
    m_clock.setSpeed(speed, m_steady.elapsed());
    Q_EMIT moved();
}

void ReplayPlayer::changeSpeed(int steps)
{
    const auto at = std::ranges::lower_bound(speeds(), speed()) - speeds().begin();
    setSpeed(speeds().at(std::clamp<qsizetype>(at + steps, 0, speeds().size() - 1)));
}

void ReplayPlayer::goTo(const QDateTime &time)
{
    m_clock.seek(time, m_steady.elapsed());
    look();
}

std::optional<ReplayMark> ReplayPlayer::goToMark(bool isNext)
{
    const auto mark = isNext ? replay().markAfter(time()) : replay().markBefore(time());
    if (mark)
        goTo(mark->time);
    return mark;
}

void ReplayPlayer::tick()
{
    if (m_clock.isAtEnd(m_steady.elapsed())) {
        m_clock.pause(m_steady.elapsed());
        m_timer.stop();
    }
    look();
}

/// While a moment is worked out, no other is asked for: the newest one would never come. take() looks again.
void ReplayPlayer::look()
{
    Q_EMIT moved();
    if (std::exchange(m_isLooking, true))
        return;
    m_looking.ask([replay = m_source.replay, time = time()](const auto & /*isCancelled*/) {
        return momentOf(*replay, time);
    });
}

void ReplayPlayer::take(const ReplayMoment &moment)
{
    m_isLooking = false;
    Q_EMIT reached(moment);
    // The user went to another time since.
    if (!isPlaying() && moment.time != time())
        look();
}

} // namespace rankdeck
