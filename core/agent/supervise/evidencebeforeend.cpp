#include "agent/supervise/evidencebeforeend.h"

#include "diagnosis/evidence/logevidence.h"
#include "diagnosis/recorder/collectivereport.h"
#include "launch/plan/recorderfiles.h"
#include "run/record/runstate.h"

#include <QFileInfo>

namespace rankdeck
{

constexpr int longestHoldMs = 2000;
/// The answer of a node comes after its own limit.
constexpr int longestDumpMs = 5000;
/// Logs are marked twice a second, and steps of a second are usual.
constexpr qint64 silentMs = 3000;
/// More would not be done within the time.
constexpr qsizetype mostProcesses = 16;

/// Returns when the logs of a process were written last, ms since 1970; 0 if they are empty.
static qint64 lastWritten(const ProcessPlan &process)
{
    qint64 last = 0;
    for (const QString &path : {process.logFile, process.stderrFile}) {
        const QFileInfo log(path);
        if (!path.isEmpty() && log.size() > 0)
            last = std::max(last, log.lastModified().toMSecsSinceEpoch());
    }
    return last;
}

static bool isNamed(const ProcessPlan &process, const NamedPeers &peers)
{
    if (process.role != Role::Worker)
        return false;
    const bool isByRank = std::ranges::find(peers.ranks, process.rank.value) != peers.ranks.end();
    return isByRank || std::ranges::any_of(peers.places, [&](const PeerPlace &place) {
               return place.device && process.device == DeviceId(*place.device);
           });
}

QList<int> worthALook(const RunState &state, const Failure &failure, qint64 now)
{
    NamedPeers peers;
    bool isWait = false;
    for (const QString &line : failure.logTail + failure.traceback + QStringList{failure.reason}) {
        const QByteArray bytes = line.toUtf8();
        peers.add(namedPeers(bytes));
        isWait = isWait || tellsOfOthers(viewOf(bytes));
    }
    QList<int> named;
    std::vector<std::pair<qint64, int>> silent;
    for (int process = 0; process < static_cast<int>(state.ranks.size()); ++process) {
        const auto index = static_cast<std::size_t>(process);
        const ProcessPlan &plan = state.plan->processes[index];
        if (state.ranks[index].phase != RankPhase::Running || state.unreached.contains(plan.node))
            continue;
        if (isNamed(plan, peers))
            named << process;
        const qint64 written = lastWritten(plan);
        // A rank without output may be healthy, unless others wait.
        if (written > 0 ? now - written >= silentMs : isWait)
            silent.emplace_back(written, process);
    }
    // Others would take the time that these need.
    if (!named.isEmpty())
        return named.mid(0, mostProcesses);
    std::ranges::sort(silent);
    QList<int> processes;
    for (const auto &[written, process] : silent)
        processes << process;
    return processes.mid(0, mostProcesses);
}

EvidenceBeforeEnd::EvidenceBeforeEnd()
{
    connect(&m_limit, &QTimer::timeout, this, &EvidenceBeforeEnd::finish);
}

bool EvidenceBeforeEnd::start(const QList<int> &processes, const QStringList &nodes)
{
    if (processes.isEmpty() && nodes.isEmpty())
        return false;
    m_processes = {processes.begin(), processes.end()};
    m_nodes = {nodes.begin(), nodes.end()};
    m_limit.start(nodes.isEmpty() ? longestHoldMs : longestDumpMs);
    if (!processes.isEmpty())
        Q_EMIT wanted(processes);
    return true;
}

void EvidenceBeforeEnd::take(const RunEvent &event)
{
    if (!isWaiting())
        return;
    if (event.is<events::StacksDumped, events::ProcessExited>())
        m_processes.remove(event.process());
    else if (event.is<events::RecordersDumped, events::AgentLost, events::NodeDone>())
        m_nodes.remove(event.node);
    else
        return;
    if (m_processes.isEmpty() && m_nodes.isEmpty())
        finish();
}

void EvidenceBeforeEnd::cancel()
{
    m_processes.clear();
    m_nodes.clear();
    m_limit.stop();
}

void EvidenceBeforeEnd::finish()
{
    cancel();
    Q_EMIT done();
}

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
