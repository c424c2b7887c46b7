#include "rankdeckctl/top/replayedrun.h"

#include "base/times.h"
#include "bundle/openbundle.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/progress/pastprogress.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "rankdeckctl/console/bundlesource.h"
#include "rankdeckctl/console/output.h"
#include "run/record/runcatalog.h"
#include "run/record/runreader.h"

#include <array>

namespace rankdeck
{

constexpr int tickMs = 250;
constexpr std::array<double, 10> speeds{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

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
    if (BundleSource::isBundle(name)) {
        const auto bundle = std::make_shared<BundleSource>(name);
        return sourceOf(bundle->open(), bundle);
    }
    const auto run = findRun(name);
    if (run)
        return sourceOf(RunReader(*run).open(), {});
    if (!QFileInfo::exists(name))
        return run.error();
    const auto logs = std::make_shared<LogDirectory>(name, LogDirectory::Show::Split);
    return sourceOf(logs->open(), logs);
}

ReplayMoment momentOf(const RunReplay &replay, const QDateTime &time)
{
    ReplayMoment moment{time, replay.stateAt(time), {}, {}, {}};
    const RunState &state = moment.state;
    moment.logs = replay.logsAt(state, time);
    moment.samples = replay.samplesAt(state, time);
    const auto reader = ProgressReader::create(state.spec ? state.spec->common.progressPattern : QString());
    moment.progress =
        pastProgress(*state.plan, reader ? *reader : ProgressReader(), moment.logs, time.toMSecsSinceEpoch(),
                     growthFolder(state.directory, *state.recordedPlan, state.attempt));
    return moment;
}

ReplayedRun::ReplayedRun(ReplaySource source, const QDateTime &at, double speed)
    : m_source(std::move(source))
    , m_clock(m_source.replay->begin(), m_source.replay->end())
    , m_looking(this, [this](const ReplayMoment &moment) { take(moment); })
    , m_judging(this,
                [this](const Judged &judged) {
                    m_judged = judged;
                    judge();
                    Q_EMIT changed();
                })
    , m_readingStacks(this, [this](const QString &stacks) {
        m_stacks = stacks;
        Q_EMIT changed();
    })
{
    m_steady.start();
    m_clock.setSpeed(speed, m_steady.elapsed());
    m_clock.seek(at, m_steady.elapsed());
    const std::size_t count = replay().ended().plan->processes.size();
    for (std::size_t process = 0; process < count; ++process)
        m_limits.push_back(
            {std::make_shared<std::atomic<qint64>>(0), std::make_shared<std::atomic<qint64>>(0)});
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &ReplayedRun::tick);
    look();
}

LogLimit ReplayedRun::limitOf(int process, bool isError) const
{
    const auto index = static_cast<std::size_t>(process);
    if (index >= m_limits.size())
        return {};
    return isError ? m_limits[index].error : m_limits[index].log;
}

void ReplayedRun::playOrPause()
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

void ReplayedRun::changeSpeed(int steps)
{
    const auto at = std::ranges::lower_bound(speeds, speed()) - speeds.begin();
    const auto last = static_cast<std::ptrdiff_t>(speeds.size()) - 1;
    m_clock.setSpeed(speeds.at(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + steps, 0, last))),
                     m_steady.elapsed());
    Q_EMIT changed();
}

void ReplayedRun::goTo(const QDateTime &time)
{
    m_clock.seek(time, m_steady.elapsed());
    look();
}

void ReplayedRun::goToMark(bool isNext)
{
    const auto mark = isNext ? replay().markAfter(time()) : replay().markBefore(time());
    if (!mark) {
        Q_EMIT said(isNext ? tr("Nothing more is marked.") : tr("Nothing is marked before."));
        return;
    }
    goTo(mark->time);
    Q_EMIT said(clockText(mark->time) + u' ' + mark->text.simplified());
}

void ReplayedRun::tick()
{
    if (m_clock.isAtEnd(m_steady.elapsed())) {
        m_clock.pause(m_steady.elapsed());
        m_timer.stop();
    }
    look();
}

/// While a moment is worked out, no other is asked for: the newest one would never come. take() looks again.
void ReplayedRun::look()
{
    if (std::exchange(m_isLooking, true))
        return;
    m_looking.ask([replay = m_source.replay, time = time()](const auto & /*isCancelled*/) {
        return momentOf(*replay, time);
    });
    Q_EMIT changed();
}

void ReplayedRun::take(const ReplayMoment &moment)
{
    const bool isFirst = !std::exchange(m_isThere, true);
    const bool isPlanned = isFirst || m_snapshot.state.attempt != moment.state.attempt;
    const bool hasOtherDumps = isFirst || m_snapshot.state.dumps.size() != moment.state.dumps.size();
    m_isLooking = false;
    m_snapshot.state = moment.state;
    m_snapshot.progress = moment.progress;
    m_snapshot.samples = moment.samples;
    m_snapshot.now = moment.time;
    setLimits(moment.logs);
    judge();
    if (hasOtherDumps)
        m_readingStacks.ask([state = moment.state](const auto & /*isCancelled*/) { return stacksOf(state); });
    if (isPlanned)
        Q_EMIT planned();
    Q_EMIT changed();
    // Somebody went elsewhere meanwhile.
    if (!isPlaying() && moment.time != time())
        look();
}

void ReplayedRun::setLimits(const std::vector<LogLengths> &logs)
{
    for (std::size_t process = 0; process < std::min(logs.size(), m_limits.size()); ++process) {
        m_limits[process].log->store(logs[process].log);
        m_limits[process].error->store(logs[process].error);
    }
}

/// A verdict is there once the run has ended, as when it was live. Nothing is kept.
void ReplayedRun::judge()
{
    const RunState &state = m_snapshot.state;
    const bool isOver = m_snapshot.now >= replay().end();
    if (isOver && state.failure && !m_judged) {
        m_judging.ask([state](const auto &isCancelled) {
            const auto kept = keptVerdict(state);
            const Verdict verdict = kept ? *kept : diagnose(state, isCancelled);
            return Judged{verdictText(verdict, state), verdictTitle(verdict), rankFindings(verdict, state)};
        });
        return;
    }
    const bool isKnown = isOver && m_judged;
    m_verdict = isKnown ? m_judged->text : QString();
    m_snapshot.headline = isKnown ? m_judged->headline : QString();
    m_snapshot.findings = isKnown ? m_judged->findings : QHash<int, QString>();
}

QList<LogRun> replayLine(const ReplayedRun &run, int cells)
{
    const RunReplay &replay = run.replay();
    const QString left =
        u"%1 %2 x%3 "_s.arg(run.isPlaying() ? u"▶"_s : u"‖"_s, elapsedText(replay.begin().secsTo(run.time())))
            .arg(run.speed());
    const QString right =
        u' ' + elapsedText(replay.begin().secsTo(replay.end())) + u"  "_s + clockText(run.time());
    const int room = cells - cellsOf({textRun(left)}) - cellsOf({textRun(right)});
    constexpr int leastRoom = 10;
    if (room < leastRoom)
        return {textRun(left + right, Look::Label)};
    QString slider = u"─"_s.repeated(room);
    const auto place = [&](double fraction) {
        return std::clamp(qsizetype(fraction * double(room - 1)), qsizetype(0), qsizetype(room - 1));
    };
    const auto all = double(std::max<qint64>(1, replay.begin().msecsTo(replay.end())));
    // What matters most is drawn last.
    for (const auto kind : {ReplayMark::Kind::Note, ReplayMark::Kind::End, ReplayMark::Kind::Node,
                            ReplayMark::Kind::Alarm, ReplayMark::Kind::Stall, ReplayMark::Kind::Failure}) {
        const QChar letter = kind == ReplayMark::Kind::Failure ? u'F'
                             : kind == ReplayMark::Kind::Stall ? u'!'
                             : kind == ReplayMark::Kind::Alarm ? u'A'
                             : kind == ReplayMark::Kind::Node  ? u'N'
                             : kind == ReplayMark::Kind::End   ? u'E'
                                                               : u'·';
        for (const ReplayMark &mark : replay.marks()) {
            if (mark.kind == kind)
                slider[place(double(replay.begin().msecsTo(mark.time)) / all)] = letter;
        }
    }
    const qsizetype now = place(run.fraction());
    LogRun here = textRun(u"█"_s, Look::Strong);
    return {textRun(left, Look::Strong), textRun(slider.left(now), Look::Label), here,
            textRun(slider.mid(now + 1), Look::Label), textRun(right, Look::Strong)};
}

} // namespace rankdeck
