#include "rankdeckctl/top/shownrun.h"

#include "base/times.h"
#include "diagnosis/stall/stackgroups.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "rankdeckctl/runs/runchoice.h"

namespace rankdeck
{

ShownRun::ShownRun()
    : m_readingStacks(this, [this](const QString &stacks) {
        m_stacks = stacks;
        Q_EMIT changed();
    })
{
}

ShownRun::Judged::Judged(const Verdict &verdict, const RunState &state)
    : text(verdictText(verdict, state))
    , headline(verdictTitle(verdict))
    , findings(rankFindings(verdict, state))
{
}

/// Reads files.
static QString stacksOf(const RunState &state)
{
    QStringList parts;
    const QList<StackDump> dumps = lastDumps(state.dumps);
    for (const StackGroup &group : stackGroups(readStacks(state.directory, dumps)))
        parts << u"== %1: %2\n%3\n"_s.arg(namesOf(*state.plan, group.processes), group.top, group.text);
    for (const StackDump &dump : state.dumps) {
        if (!dump.problem.isEmpty())
            parts << dump.problem;
    }
    return parts.join(u'\n');
}

void ShownRun::readStacks()
{
    m_readingStacks.ask([state = m_snapshot.state](const auto & /*isCancelled*/) { return stacksOf(state); });
}

/// Curves are not shown: those of many ranks would take megabytes.
constexpr int fewestBuckets = 2;

WatchedRun::WatchedRun(const QString &directory)
    : m_judging(this,
                [this](const Judged &judged) {
                    m_verdict = judged.text;
                    m_snapshot.headline = judged.headline;
                    m_snapshot.findings = judged.findings;
                    Q_EMIT changed();
                })
    , m_client(new RunClient(directory))
{
    WatchedRun::setNow();
    connect(m_client.get(), &RunClient::stateChanged, this, &WatchedRun::take);
    connect(m_client.get(), &RunClient::sampled, this, [this](const NodeSample &sample) {
        m_snapshot.samples.take(sample);
        Q_EMIT changed();
    });
    connect(m_client.get(), &RunClient::refused, this, &WatchedRun::said);
    connect(m_client.get(), &RunClient::failed, this, [this](const QString &sentence) {
        if (m_isThere)
            Q_EMIT said(sentence);
        else
            Q_EMIT failed(sentence);
    });
    m_thread.adopt(m_client.get());
    QMetaObject::invokeMethod(m_client.get(), &RunClient::open);
    WatchedRun::detail(-1);
}

void WatchedRun::request(const Request &request)
{
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), request] { client->request(request); });
}

void WatchedRun::show(const QList<int> &processes)
{
    QMetaObject::invokeMethod(m_client.get(),
                              [client = m_client.get(), processes] { client->show(processes); });
}

void WatchedRun::detail(int process)
{
    QMetaObject::invokeMethod(m_client.get(), [client = m_client.get(), process] {
        client->sample({true, process});
    });
}

void WatchedRun::take(const RunState &state)
{
    const bool isPlanned = !m_isThere || m_snapshot.state.plan != state.plan;
    const bool hasMoreDumps = m_snapshot.state.dumps.size() != state.dumps.size();
    const qsizetype notes = m_isThere ? m_snapshot.state.notes.size() : state.notes.size();
    const bool hasEnded = !isLive(state.phase) && (!m_isThere || isLive(m_snapshot.state.phase));
    m_isThere = true;
    m_snapshot.state = state;
    for (std::size_t process = 0; process < state.ranks.size(); ++process) {
        if (state.ranks[process].phase != RankPhase::Running)
            m_snapshot.samples.forget(int(process));
    }
    setNow();
    if (isPlanned)
        followProgress();
    if (hasMoreDumps)
        readStacks();
    if (hasEnded) {
        QMetaObject::invokeMethod(m_progress.get(), &ProgressFollower::finish);
        judge();
    }
    if (state.notes.size() > notes)
        Q_EMIT said(state.notes.last());
    if (isPlanned)
        Q_EMIT planned();
    Q_EMIT changed();
}

void WatchedRun::followProgress()
{
    const RunState &state = m_snapshot.state;
    m_snapshot.progress.assign(state.ranks.size(), {});
    m_snapshot.samples.clear();
    const auto reader = ProgressReader::create(state.spec ? state.spec->common.progressPattern : QString());
    m_progress.reset(new ProgressFollower(*state.plan, reader ? *reader : ProgressReader(),
                                          ProgressPlaces::of(state), fewestBuckets));
    connect(m_progress.get(), &ProgressFollower::progressed, this, &WatchedRun::takeProgress);
    m_thread.adopt(m_progress.get());
    QMetaObject::invokeMethod(m_progress.get(), &ProgressFollower::start);
}

void WatchedRun::takeProgress(const ProgressNews &news)
{
    for (const ProgressNews::Rank &rank : news.ranks) {
        const auto index = std::size_t(rank.process);
        if (index < m_snapshot.progress.size())
            m_snapshot.progress[index] = rank.progress;
    }
    Q_EMIT changed();
}

void WatchedRun::judge()
{
    if (!m_snapshot.state.hasTrouble())
        return;
    m_judging.ask([state = m_snapshot.state](const auto &isCancelled) {
        return Judged(verdictOf(state, isCancelled), state);
    });
}

ReplayedRun::ReplayedRun(ReplaySource source, const QDateTime &at, double speed)
    : m_player(std::move(source), at, speed)
    , m_judging(this, [this](const Judged &judged) {
        m_judged = judged;
        judge();
        Q_EMIT changed();
    })
{
    const std::size_t count = m_player.replay().ended().plan->processes.size();
    for (std::size_t process = 0; process < count; ++process)
        m_limits.push_back(
            {std::make_shared<std::atomic<qint64>>(0), std::make_shared<std::atomic<qint64>>(0)});
    connect(&m_player, &ReplayPlayer::reached, this, &ReplayedRun::take);
    connect(&m_player, &ReplayPlayer::moved, this, &ReplayedRun::changed);
}

LogLimit ReplayedRun::limitOf(int process, bool isError) const
{
    const auto index = std::size_t(process);
    if (index >= m_limits.size())
        return {};
    return isError ? m_limits[index].error : m_limits[index].log;
}

void ReplayedRun::goToMark(bool isNext)
{
    const auto mark = m_player.goToMark(isNext);
    if (mark)
        Q_EMIT said(clockText(mark->time) + u' ' + mark->text.simplified());
    else
        Q_EMIT said(isNext ? tr("Nothing more is marked.") : tr("Nothing is marked before."));
}

void ReplayedRun::take(const ReplayMoment &moment)
{
    const bool isFirst = !std::exchange(m_isThere, true);
    const bool isPlanned = isFirst || m_snapshot.state.attempt != moment.state.attempt;
    const bool hasOtherDumps = isFirst || m_snapshot.state.dumps.size() != moment.state.dumps.size();
    m_snapshot.state = moment.state;
    m_snapshot.progress = moment.progress;
    m_snapshot.samples = moment.samples;
    m_snapshot.now = moment.time;
    setLimits(moment.logs);
    judge();
    if (hasOtherDumps)
        readStacks();
    if (isPlanned)
        Q_EMIT planned();
    Q_EMIT changed();
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
    const bool isOver = m_snapshot.now >= m_player.replay().end();
    if (isOver && state.hasTrouble() && !m_judged) {
        m_judging.ask([state](const auto &isCancelled) {
            const auto kept = keptVerdict(state);
            const Verdict verdict = kept ? *kept : diagnose(state, isCancelled);
            return Judged(verdict, state);
        });
        return;
    }
    const bool isKnown = isOver && m_judged;
    m_verdict = isKnown ? m_judged->text : QString();
    m_snapshot.headline = isKnown ? m_judged->headline : QString();
    m_snapshot.findings = isKnown ? m_judged->findings : QHash<int, QString>();
}

bool ReplayedRun::press(QChar letter)
{
    constexpr qint64 stepSeconds = 10;
    constexpr qint64 tenths = 10;
    const RunReplay &replay = m_player.replay();
    if (letter == u' ')
        m_player.playOrPause();
    else if (letter == u'-')
        m_player.changeSpeed(-1);
    else if (letter == u'+' || letter == u'=')
        m_player.changeSpeed(1);
    else if (letter == u'<' || letter == u'>')
        goToMark(letter == u'>');
    else if (letter == u',' || letter == u'.')
        m_player.goTo(m_player.time().addSecs(letter == u'.' ? stepSeconds : -stepSeconds));
    else if (letter == u'$')
        m_player.goTo(replay.end());
    else if (u"sKdD"_s.contains(letter))
        Q_EMIT said(tr("This is a replay: nothing can be asked of the ranks of a past run."));
    else if (letter >= u'0' && letter <= u'9')
        m_player.goTo(replay.begin().addMSecs(replay.begin().msecsTo(replay.end()) *
                                              (letter.unicode() - u'0') / tenths));
    else
        return false;
    return true;
}

QList<LogRun> replayLine(const ReplayedRun &run, int cells)
{
    const ReplayPlayer &player = run.player();
    const RunReplay &replay = player.replay();
    const QString left =
        u"%1 %2 x%3 "_s
            .arg(player.isPlaying() ? u"▶"_s : u"‖"_s, elapsedText(replay.begin().secsTo(player.time())))
            .arg(player.speed());
    const QString right =
        u' ' + elapsedText(replay.begin().secsTo(replay.end())) + u"  "_s + clockText(player.time());
    const int room = cells - cellsOf({textRun(left)}) - cellsOf({textRun(right)});
    constexpr int leastRoom = 10;
    if (room < leastRoom)
        return {textRun(left + right, Look::Label)};
    QString slider = u"─"_s.repeated(room);
    const auto place = [&](double fraction) {
        return std::clamp(qsizetype(fraction * double(room - 1)), qsizetype(0), qsizetype(room - 1));
    };
    const auto all = double(std::max<qint64>(1, replay.begin().msecsTo(replay.end())));
    QList<ReplayMark> marks = replay.marks();
    // The most important mark is drawn last.
    std::ranges::stable_sort(marks, std::greater(), &ReplayMark::kind);
    for (const ReplayMark &mark : std::as_const(marks))
        slider[place(double(replay.begin().msecsTo(mark.time)) / all)] = markLetter(mark.kind);
    const qsizetype now = place(player.fraction());
    LogRun here = textRun(u"█"_s, Look::Strong);
    return {textRun(left, Look::Strong), textRun(slider.left(now), Look::Label), here,
            textRun(slider.mid(now + 1), Look::Label), textRun(right, Look::Strong)};
}

} // namespace rankdeck
