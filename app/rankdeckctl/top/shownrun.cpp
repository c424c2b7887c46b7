#include "rankdeckctl/top/shownrun.h"

#include "diagnosis/stall/stackgroups.h"
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

} // namespace rankdeck
