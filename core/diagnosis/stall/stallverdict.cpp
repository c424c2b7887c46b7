#include "diagnosis/stall/stallverdict.h"

#include "base/numberranges.h"
#include "base/widespaces.h"

namespace rankdeck
{

using Kind = StallVerdict::Kind;
using Does = RankActivity::Kind;

/// Logs are polled twice a second, so ranks that stop together are seen within a few polls.
constexpr qint64 leastLeadMs = 3000;

static const RankActivity &of(const std::vector<RankActivity> &activities, int process)
{
    return activities[std::size_t(process)];
}

/// Returns how many of `stalled`, sorted by time, were silent long before all others; at most half.
static qsizetype leaders(const std::vector<RankActivity> &activities, const QList<int> &stalled)
{
    for (qsizetype count = 1; count <= stalled.size() / 2; ++count) {
        const RankActivity &last = of(activities, stalled[count - 1]);
        const RankActivity &next = of(activities, stalled[count]);
        // A rank that writes every minute has not stopped after one silent minute.
        if (next.since - last.since > std::max(leastLeadMs, 2 * std::max(last.usualMs, next.usualMs)))
            return count;
    }
    return 0;
}

/// Returns the processes that are behind the rest; none if they are the majority.
static QList<int> behindOthers(const std::vector<RankActivity> &activities, const QList<int> &processes)
{
    QList<int> behind = processes;
    behind.removeIf([&](int process) { return of(activities, process).stepsBehind <= 0; });
    return 2 * behind.size() <= processes.size() ? behind : QList<int>();
}

/// Held processes hold up the silent ones.
static void takeHeld(StallVerdict &verdict, const std::vector<RankActivity> &activities,
                     const QList<int> &held)
{
    const auto earliest = [&](const QList<int> &processes) {
        const auto since = [&](int process) {
            return of(activities, process).since;
        };
        return since(std::ranges::min(processes, {}, since));
    };
    verdict.kind = Kind::Held;
    verdict.othersSince = earliest(verdict.stalled);
    verdict.since = earliest(held);
    verdict.named = held;
}

static qint64 leastBehind(const std::vector<RankActivity> &activities, const QList<int> &processes)
{
    qint64 least = processes.isEmpty() ? 0 : of(activities, processes.first()).stepsBehind;
    for (const int process : processes)
        least = std::min(least, of(activities, process).stepsBehind);
    return least;
}

static QString timeText(qint64 time, const QDateTime &now)
{
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(time);
    return local.toString(local.date() == now.toLocalTime().date() ? u"HH:mm:ss"_s
                                                                   : u"yyyy-MM-dd HH:mm:ss"_s);
}

StallVerdict stallVerdict(const std::vector<RankActivity> &activities)
{
    StallVerdict verdict;
    QList<int> counting; ///< Living processes that do not compile and are not held.
    QList<int> busy;
    QList<int> held;
    for (int process = 0; process < int(activities.size()); ++process) {
        const RankActivity &activity = of(activities, process);
        if (activity.kind == Does::Stalled)
            verdict.stalled << process;
        else if (activity.kind == Does::Working || activity.kind == Does::Compiling)
            busy << process;
        else if (activity.kind == Does::Held)
            held << process;
        if (activity.isAlive() && activity.kind != Does::Compiling && activity.kind != Does::Held)
            counting << process;
    }
    if (!held.isEmpty()) {
        // The silent processes most likely wait for the held ones.
        if (!verdict.stalled.isEmpty())
            takeHeld(verdict, activities, held);
        return verdict;
    }
    if (verdict.stalled.isEmpty()) {
        verdict.named = behindOthers(activities, counting);
        verdict.kind = verdict.named.isEmpty() ? Kind::None : Kind::Behind;
        verdict.stepsBehind = leastBehind(activities, verdict.named);
        return verdict;
    }

    QList<int> byTime = verdict.stalled;
    std::ranges::stable_sort(
        byTime, [&](int one, int other) { return of(activities, one).since < of(activities, other).since; });
    verdict.since = of(activities, byTime.first()).since;
    if (!busy.isEmpty()) {
        verdict.kind = verdict.stalled.size() >= 2 * busy.size() ? Kind::AllButSome : Kind::Some;
        verdict.named = verdict.kind == Kind::Some ? verdict.stalled : busy;
    } else if (const qsizetype first = leaders(activities, byTime); first > 0) {
        verdict.kind = Kind::First;
        verdict.named = byTime.first(first);
        verdict.othersSince = of(activities, byTime[first]).since;
        std::ranges::sort(verdict.named);
    } else {
        verdict.kind = Kind::All;
        verdict.named = behindOthers(activities, verdict.stalled);
    }
    verdict.stepsBehind = leastBehind(activities, verdict.named);
    return verdict;
}

Sentence stallSentence(const StallVerdict &verdict, const QList<int> &ranks, const QDateTime &now)
{
    QList<int> named = listOf(verdict.named, [&](int process) { return ranks.value(process, process); });
    std::ranges::sort(named);
    const auto count = static_cast<int>(named.size());
    const bool isOne = count == 1;
    const auto steps = static_cast<int>(verdict.stepsBehind);
    const QString who = numberRanges(named);
    const QString since = timeText(verdict.since, now);
    QList<Sentence> sentences;
    switch (verdict.kind) {
    case Kind::None:
        return {};
    case Kind::Behind:
        return (isOne ? Sentence::tr("Rank %1 is %n steps behind.", "Rank %1 is one step behind.", steps)
                      : Sentence::tr("Ranks %1 are %n steps behind.", "Ranks %1 are one step behind.", steps))
            .arg(who);
    case Kind::Some:
        sentences << Sentence::tr("No output from ranks %1 since %2; the others continue.",
                                  "No output from rank %1 since %2; the others continue.", count)
                         .arg(who, since);
        break;
    case Kind::AllButSome:
        sentences << Sentence::tr("All ranks except %1 have been silent since %2: they may wait for these.",
                                  "All ranks except rank %1 have been silent since %2: they may wait for it.",
                                  count)
                         .arg(who, since);
        break;
    case Kind::Held:
        return Sentence::tr(
                   "Ranks %1 have been paused (SIGSTOP or a debugger) since %2: the others wait for them, "
                   "silent since %3.",
                   "Rank %1 has been paused (SIGSTOP or a debugger) since %2: the others wait for it, "
                   "silent since %3.",
                   count)
            .arg(who, since, timeText(verdict.othersSince, now));
    case Kind::First:
        sentences << Sentence::tr(
                         "Ranks %1 have been silent the longest, since %2; the others have waited since %3.",
                         "Rank %1 has been silent the longest, since %2; the others have waited since %3.",
                         count)
                         .arg(who, since, timeText(verdict.othersSince, now));
        break;
    case Kind::All:
        sentences << (verdict.stalled.size() > 1
                          ? Sentence::tr("All ranks have been silent since %1.").arg(since)
                          : Sentence::tr("Rank %1 has been silent since %2.")
                                .arg(ranks.value(verdict.stalled.first(), verdict.stalled.first()))
                                .arg(since));
        if (!named.isEmpty())
            sentences << Sentence::tr("Ranks %1 have made the least progress.",
                                      "Rank %1 has made the least progress.", count)
                             .arg(who);
        break;
    }
    if (steps > 0 && verdict.kind == Kind::Some) // The others go on, so the distance soon grows.
        sentences << (isOne ? Sentence::tr("When this was noticed, it was %n steps behind.",
                                           "When this was noticed, it was one step behind.", steps)
                            : Sentence::tr("When this was noticed, they were %n steps behind.",
                                           "When this was noticed, they were one step behind.", steps));
    else if (steps > 0)
        sentences << (isOne ? Sentence::tr("It is %n steps behind.", "It is one step behind.", steps)
                            : Sentence::tr("They are %n steps behind.", "They are one step behind.", steps));
    return joinedBySpaces(sentences);
}

} // namespace rankdeck
