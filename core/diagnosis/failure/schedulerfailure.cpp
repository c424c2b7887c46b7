#include "diagnosis/failure/schedulerfailure.h"

#include "base/listcomma.h"
#include "base/regularfile.h"
#include "launch/plan/launchplan.h"
#include "log/line/ansidecoder.h"
#include "run/record/runstate.h"

#include <algorithm>

namespace rankdeck
{

constexpr qint64 mostHead = 4 * 1024 * 1024;
constexpr qint64 mostTail = 1024 * 1024;
constexpr qsizetype mostNodes = 8192;
/// A node id is a number or a UUID.
constexpr qsizetype mostId = 64;

static QByteArray readEnds(const QString &path)
{
    RegularFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray text = file.read(mostHead);
    const qint64 rest = file.size() - text.size();
    if (rest > mostTail && file.seek(file.size() - mostTail))
        text += '\n';
    return text + file.read(mostTail);
}

/// Returns the text between the two in `line`; empty if one is missing.
static QByteArray between(const QByteArray &line, const char *before, const char *after)
{
    const auto at = line.indexOf(before);
    if (at < 0)
        return {};
    const auto begin = at + qsizetype(qstrlen(before));
    const auto end = line.indexOf(after, begin);
    return end < 0 ? QByteArray() : line.mid(begin, end - begin);
}

static void add(QStringList &ids, const QByteArray &id)
{
    const QString text = AnsiDecoder::plainText(id.left(mostId)).trimmed();
    if (!text.isEmpty() && ids.size() < mostNodes && !ids.contains(text))
        ids << text;
}

/// "The new node: 3(role: MS_WORKER), rank id: 3, … is registered successfully. Currently registered node
/// number: 2, expected node number: 4"
static void readRegistration(const QByteArray &line, SchedulerLog &log)
{
    constexpr int mostRanks = 65536;
    if (!line.contains("is registered successfully") || between(line, "(role: ", ")") != "MS_WORKER")
        return;
    add(log.registered, between(line, "The new node: ", "("));
    bool isNumber = false;
    const int rank = between(line, ", rank id: ", ",").toInt(&isNumber);
    if (isNumber && rank >= 0 && rank < mostRanks)
        log.ranks.insert(rank);
    const auto expected = line.mid(line.lastIndexOf(": ") + 2).trimmed().toInt();
    if (line.contains("expected node number: ") && expected <= mostRanks)
        log.expected = expected;
}

/// Joins ranks; only the first few are named.
static QString listed(const QStringList &ranks)
{
    constexpr int shown = 8;
    const QString text = ranks.mid(0, shown).join(nameComma());
    return ranks.size() > shown ? tr("%1 and %2 more").arg(text).arg(ranks.size() - shown) : text;
}

/// Returns that the time for the cluster to form was over, or nothing.
static QString timeWords(const ProcessPlan &plan, const RankState &scheduler)
{
    bool isNumber = false;
    const int limit = plan.setVariables.value(u"MS_TOPO_TIMEOUT"_s).toInt(&isNumber);
    const qint64 lived = scheduler.started.msecsTo(scheduler.ended) / 1000;
    if (!isNumber || limit < 0 || !scheduler.started.isValid() || lived < limit)
        return {};
    return tr("it lived for %1 s, and the cluster had %2 s to form (--cluster_time_out)")
        .arg(lived)
        .arg(limit);
}

/// Returns true if node ids in MindSpore's log are ranks, as msrun assigns them.
static bool knowsRanks(const LaunchPlan &plan)
{
    return std::ranges::any_of(plan.processes, [](const ProcessPlan &process) {
        return process.setVariables.contains(u"MS_NODE_ID"_s);
    });
}

static bool isFormed(const LaunchPlan &plan, const SchedulerLog &log)
{
    return log.isFormed || log.registered.size() >= plan.worldSize();
}

/// Returns how many workers registered and, if ranks are known, which did not.
static QStringList registrationWords(const LaunchPlan &plan, const SchedulerLog &log)
{
    if (log.registered.isEmpty() || isFormed(plan, log))
        return {};
    QStringList words{tr("%1 of %2 workers registered with the scheduler")
                          .arg(log.registered.size())
                          .arg(plan.worldSize())};
    QStringList here;
    QStringList elsewhere;
    for (int rank = 0; rank < plan.worldSize() && knowsRanks(plan); ++rank) {
        if (log.registered.contains(QString::number(rank)))
            continue;
        const bool isHere = std::ranges::any_of(plan.processes, [&](const ProcessPlan &process) {
            return process.role == Role::Worker && process.rank == Rank(rank);
        });
        (isHere ? here : elsewhere) << QString::number(rank);
    }
    if (!here.isEmpty())
        words << tr("not registered, on this node: rank %1").arg(listed(here));
    if (!elsewhere.isEmpty())
        words << tr("not registered, on other nodes: rank %1").arg(listed(elsewhere));
    return words;
}

static QStringList timeOutWords(const LaunchPlan &plan, const SchedulerLog &log)
{
    if (log.timedOut.isEmpty())
        return {};
    const QString list = listed(log.timedOut);
    return {knowsRanks(plan) ? tr("the scheduler lost contact with rank %1").arg(list)
                             : tr("the scheduler lost contact with node %1").arg(list)};
}

std::set<int> SchedulerLog::absent() const
{
    std::set<int> missing;
    if (isFormed || ranks.empty() || qsizetype(ranks.size()) != registered.size())
        return missing;
    for (int rank = 0; rank < expected; ++rank) {
        if (!ranks.contains(rank))
            missing.insert(rank);
    }
    return missing;
}

SchedulerLog readSchedulerLog(const QString &path)
{
    SchedulerLog log;
    const QList<QByteArray> lines = readEnds(path).split('\n');
    for (const QByteArray &line : lines) {
        readRegistration(line, log);
        for (QByteArray id : between(line, "Time out nodes are [", "]").split(','))
            add(log.timedOut, id.replace('\'', ""));
        add(log.timedOut, between(line, "The node: ", " is timed out"));
        log.isFormed = log.isFormed || line.contains("cluster topology has been constructed successfully");
    }
    return log;
}

QString schedulerFailureReason(const RunState &state, int process)
{
    const LaunchPlan &plan = *state.plan;
    int started = 0;
    QStringList missing;
    QStringList ended;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const ProcessPlan &worker = plan.processes[index];
        if (worker.role != Role::Worker)
            continue;
        const RankState &known = state.ranks[index];
        if (known.pid == 0)
            missing << QString::number(worker.rank.value);
        else
            ++started;
        if (known.pid != 0 && known.status)
            ended << QString::number(worker.rank.value);
    }
    const auto at = std::size_t(process);
    const SchedulerLog log = readSchedulerLog(plan.processes[at].logFile);
    QStringList words;
    if (!isFormed(plan, log))
        words << timeWords(plan.processes[at], state.ranks[at]);
    words << tr("%1 of %2 workers were started on this node").arg(started).arg(plan.worldSize());
    if (!missing.isEmpty())
        words << tr("not started: rank %1").arg(listed(missing));
    if (!ended.isEmpty())
        words << tr("ended before the scheduler: rank %1").arg(listed(ended));
    words << registrationWords(plan, log) << timeOutWords(plan, log);
    words.removeAll(QString());
    return words.join("; "_L1);
}

QString missingWorkersReason(const RunState &state)
{
    const LaunchPlan &plan = *state.plan;
    const auto scheduler = std::ranges::find(plan.processes, Role::Scheduler, &ProcessPlan::role);
    if (scheduler == plan.processes.end())
        return {};
    const SchedulerLog log = readSchedulerLog(scheduler->logFile);
    QStringList words;
    // Before that, the failed worker is the reason why others have not registered.
    const auto at = std::size_t(scheduler - plan.processes.begin());
    if (!timeWords(*scheduler, state.ranks[at]).isEmpty())
        words << registrationWords(plan, log);
    words << timeOutWords(plan, log);
    return words.join("; "_L1);
}

} // namespace rankdeck
