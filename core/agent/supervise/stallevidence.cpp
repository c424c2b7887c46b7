#include "agent/supervise/stallevidence.h"

#include "agent/supervise/evidencebeforeend.h"
#include "diagnosis/recorder/collectivereport.h"
#include "launch/plan/recorderfiles.h"

namespace rankdeck
{

/// More stacks would hold up ranks for long.
constexpr qsizetype mostStacks = 16;

/// Returns the processes whose stacks to take, silent ones first.
static QList<int> worthStacks(const RunState &state)
{
    QList<int> silent;
    QList<int> others;
    for (int process = 0; process < static_cast<int>(state.ranks.size()); ++process) {
        const auto index = static_cast<std::size_t>(process);
        const ProcessPlan &plan = state.plan->processes[index];
        if (plan.role != Role::Worker || state.ranks[index].phase != RankPhase::Running ||
            state.unreached.contains(plan.node))
            continue;
        (state.silentSince(process).isValid() ? silent : others) << process;
    }
    return (silent + others).mid(0, mostStacks);
}

StallEvidence::StallEvidence(RunBook &book, ProcessRequests &requests)
    : m_book(book)
    , m_requests(requests)
    , m_reader(this, [this](const QList<Sentence> &findings) {
        if (!findings.isEmpty() && m_book.state().stall)
            m_book.write(events::CollectivesRead{joinedBySpaces(findings)});
    })
{
    connect(&m_limit, &QTimer::timeout, this, &StallEvidence::read);
}

void StallEvidence::take(const RunEvent &event)
{
    const RunState &state = m_book.state();
    const bool isStalled = state.stall && isLive(state.phase);
    if (!std::exchange(m_isStalled, isStalled) && isStalled) {
        Q_EMIT began();
        // Nothing touches ranks unasked that Rankdeck did not start.
        if (m_book.record().spec.common.takesEvidence && !m_book.record().plan.adopted)
            ask();
    }
    if (event.is<events::RecordersDumped>() && m_nodes.remove(event.node) && m_nodes.isEmpty())
        read();
}

void StallEvidence::ask()
{
    const QStringList nodes = m_requests.dumpRecorders(EvidenceBeforeEnd::recorderLimit);
    m_nodes = {nodes.begin(), nodes.end()};
    if (!m_nodes.isEmpty())
        m_limit.start();
    m_requests.dumpStacks(worthStacks(m_book.state()));
}

void StallEvidence::read()
{
    m_limit.stop();
    m_nodes.clear();
    m_reader.ask([folder = recorderFolder(m_book.directory(), m_book.record().plan, m_book.state().attempt)](
                     const NewestWins<QList<Sentence>>::IsCancelled &) {
        const auto dumps = readRecorderDumps(folder);
        return dumps ? reportCollectives(*dumps).findings : QList<Sentence>();
    });
}

} // namespace rankdeck
