#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/widespaces.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"

#include <algorithm>

namespace rankdeck
{

constexpr qsizetype mostPlaces = 3;

/// Returns the ranks of these processes, ascending: "0-3,7".
static QString namesOf(const RunState &state, const QList<int> &processes)
{
    QList<int> ranks;
    for (const int process : processes)
        ranks << state.plan->processes[static_cast<std::size_t>(process)].rank.value;
    std::ranges::sort(ranks);
    return numberRanges(ranks);
}

template <typename Choice>
static QList<int> workersWhere(const RunState &state, Choice &&isChosen)
{
    QList<int> chosen;
    for (int process = 0; process < static_cast<int>(state.ranks.size()); ++process) {
        const auto index = static_cast<std::size_t>(process);
        if (state.plan->processes[index].role == Role::Worker && isChosen(process, state.ranks[index]))
            chosen << process;
    }
    return chosen;
}

static const RankPrompt &promptOf(const RunState &state, int process)
{
    return *state.ranks[static_cast<std::size_t>(process)].prompt;
}

static int firstOf(const RunState &state, const QList<int> &waiting)
{
    return *std::ranges::min_element(waiting, [&](int one, int other) {
        return promptOf(state, one).arrival < promptOf(state, other).arrival;
    });
}

/// Groups ranks that came to the same place one after the other: "5 at train.py:12".
static QList<Sentence> placesInOrder(const RunState &state, QList<int> waiting)
{
    std::ranges::sort(waiting, [&](int one, int other) {
        return promptOf(state, one).arrival < promptOf(state, other).arrival;
    });
    QList<Sentence> places;
    for (qsizetype begin = 0; begin < waiting.size();) {
        const QString place = promptOf(state, waiting[begin]).place();
        qsizetype end = begin + 1;
        while (end < waiting.size() && promptOf(state, waiting[end]).place() == place)
            ++end;
        const QString ranks = namesOf(state, waiting.mid(begin, end - begin));
        places << (place.isEmpty() ? Sentence(ranks) : Sentence::tr("%1 at %2").arg(ranks, place));
        begin = end;
    }
    return places;
}

static Sentence promptSentence(const RunState &state, const QList<int> &waiting)
{
    const auto workers = workersWhere(state, [](int, const RankState &) { return true; }).size();
    const bool isAtInterpreter = std::ranges::all_of(waiting, [&](int process) {
        const RankPrompt &prompt = promptOf(state, process);
        return prompt.file.isEmpty() && !prompt.word.startsWith('('_L1);
    });
    const Sentence who = (isAtInterpreter ? Sentence::tr("%1 of %2 ranks are waiting at a prompt")
                                          : Sentence::tr("%1 of %2 ranks are at a debugger prompt"))
                             .arg(waiting.size())
                             .arg(workers);
    const QList<Sentence> places = placesInOrder(state, waiting);
    if (places.size() == 1 && waiting.size() > 1)
        return Sentence::tr("%1: %2, rank %3 first.")
            .arg(who, places.first(), namesOf(state, {firstOf(state, waiting)}));
    if (places.size() == 1)
        return withColon(who, Sentence::tr("%1.").arg(places.first()));
    const Sentence first = Sentence::joined(places.mid(0, mostPlaces), listSemicolon());
    return (places.size() > mostPlaces ? Sentence::tr("%1, in this order: %2; then others.")
                                       : Sentence::tr("%1, in this order: %2."))
        .arg(who, first);
}

static Sentence holdSentence(const QString &ranks, int count, Hold hold)
{
    return (hold == Hold::Suspended
                ? Sentence::tr("Ranks %1 are paused (SIGSTOP).", "Rank %1 is paused (SIGSTOP).", count)
                : Sentence::tr("Ranks %1 are paused by a debugger.", "Rank %1 is paused by a debugger.",
                               count))
        .arg(ranks);
}

/// Returns since when ranks are held for whom a timeout of this kind runs: all, or only those with all
/// threads stopped. Invalid if there is none.
static QDateTime heldSince(const RunState &state, WaitingTimeout::Whom whom)
{
    QDateTime since;
    for (const RankState &rank : state.ranks) {
        const bool isHalted = rank.hold != Hold::None;
        const bool isMeant = whom == WaitingTimeout::Whom::Halted ? isHalted : rank.isHeld();
        const QDateTime from = isHalted ? rank.holdSince : rank.prompt ? rank.prompt->since : QDateTime();
        if (isMeant && from.isValid() && (!since.isValid() || from < since))
            since = from;
    }
    return since;
}

QString RunState::timeoutWarning() const
{
    const QList<int> going = plan
                                 ? workersWhere(*this,
                                                [](int, const RankState &rank) {
                                                    return rank.phase == RankPhase::Running && !rank.isHeld();
                                                })
                                 : QList<int>();
    QList<Sentence> ends;
    for (std::size_t index = 0; !going.isEmpty() && index < plan->timeouts.size(); ++index) {
        const WaitingTimeout &timeout = plan->timeouts[index];
        if (const QDateTime since = heldSince(*this, timeout.whom); since.isValid())
            ends << Sentence::tr("%1 (%2, %3)")
                        .arg(since.addSecs(timeout.seconds).toLocalTime().toString(u"HH:mm:ss"_s),
                             timeout.variable, whenText(timeout.whom));
    }
    return ends.isEmpty() ? QString()
                          : Sentence::tr("Ranks that wait for them may give up at %1.")
                                .arg(Sentence::joined(ends, listSemicolon()));
}

Sentence RunState::standstill() const
{
    if (!plan || !isAnyHeld())
        return !stall ? Sentence()
               : stall->collectives.isEmpty()
                   ? stall->sentence
                   : joinedBySpaces(QList<Sentence>{stall->sentence, stall->collectives});
    QList<Sentence> sentences;
    const QList<int> atPrompt =
        workersWhere(*this, [](int, const RankState &rank) { return rank.prompt.has_value(); });
    if (!atPrompt.isEmpty())
        sentences << promptSentence(*this, atPrompt);
    for (const Hold hold : {Hold::Suspended, Hold::Traced}) {
        const QList<int> held = workersWhere(
            *this, [&](int, const RankState &rank) { return rank.hold == hold && !rank.prompt; });
        if (!held.isEmpty())
            sentences << holdSentence(namesOf(*this, held), static_cast<int>(held.size()), hold);
    }
    const QList<int> waiting = workersWhere(
        *this, [this](int process, const RankState &) { return silentSince(process).isValid(); });
    if (!waiting.isEmpty())
        sentences << Sentence::tr("Ranks %1 seem to wait for it.", "Rank %1 seems to wait for it.",
                                  static_cast<int>(waiting.size()))
                         .arg(namesOf(*this, waiting));
    return joinedBySpaces(sentences);
}

} // namespace rankdeck
