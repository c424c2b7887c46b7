#include "diagnosis/recorder/collectivereport.h"

#include "base/listcomma.h"
#include "base/numberranges.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck
{

namespace
{

constexpr std::size_t fewestWaits = 5;
constexpr double leastSlowWaitMs = 20;
constexpr double slowShare = 0.25;

/// The collectives of one rank in one group, without those from point to point, which count apart.
struct Calls {
    const RecorderDump *dump = nullptr;
    std::vector<const RecordedCollective *> calls; ///< By sequence.

    const RecordedCollective *at(qint64 sequence) const
    {
        const auto found = std::ranges::lower_bound(calls, sequence, {}, &RecordedCollective::sequence);
        return found != calls.end() && (*found)->sequence == sequence ? *found : nullptr;
    }
};

Sentence ranksText(const QList<int> &ranks)
{
    return Sentence::tr("ranks %1", "rank %1", int(ranks.size())).arg(numberRanges(ranks));
}

/// "group tp", "the default group".
Sentence groupText(const RecordedGroup &group)
{
    if (group.description.isEmpty() || group.description == "undefined"_L1)
        return Sentence::tr("group %1").arg(group.name);
    if (group.description == "default_pg"_L1)
        return Sentence::tr("the default group");
    return Sentence::tr("group %1").arg(group.description);
}

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

class GroupJudge
{
public:
    explicit GroupJudge(const RecordedGroup &group) { m_its.group = group; }

    void add(const RecorderDump &dump, int group)
    {
        Calls calls{&dump, {}};
        for (const RecordedCollective &its : dump.collectives) {
            if (its.group == group && !its.isPointToPoint)
                calls.calls.push_back(&its);
        }
        m_calls.insert(dump.rank, calls);
    }

    CollectiveGroup judge()
    {
        QList<int> members = m_its.group.ranks;
        if (members.isEmpty())
            members = m_calls.keys();
        m_its.group.ranks = members;
        for (const int rank : members)
            m_its.ranks.push_back(placeOf(rank));
        findStuck();
        findMismatch();
        findSlow();
        return m_its;
    }

private:
    RankCollective placeOf(int rank) const
    {
        RankCollective its;
        its.rank = rank;
        const auto found = m_calls.constFind(rank);
        its.hasDump = found != m_calls.cend();
        if (!its.hasDump || found->calls.empty())
            return its;
        for (const RecordedCollective *call : found->calls) {
            if (call->state == RecordedCollective::State::Completed)
                its.completed = call->sequence;
        }
        // The rank waits in the first operation that it has not completed: others may be in flight behind it.
        const auto waits = std::ranges::find_if(
            found->calls, [&](const RecordedCollective *call) { return call->sequence > its.completed; });
        const RecordedCollective &call = waits == found->calls.end() ? *found->calls.back() : **waits;
        its.isWaiting = waits != found->calls.end();
        its.reached = found->calls.back()->sequence;
        its.operation = found->dump->operation(call);
        its.shape = found->dump->shape(call);
        its.place = found->dump->place(call);
        return its;
    }

    void findStuck()
    {
        qint64 completed = std::numeric_limits<qint64>::max();
        qint64 first = std::numeric_limits<qint64>::max();
        for (const RankCollective &its : m_its.ranks) {
            if (its.hasDump)
                completed = std::min(completed, its.completed);
            if (its.isWaiting)
                first = std::min(first, its.completed + 1);
        }
        m_its.completedByAll = completed == std::numeric_limits<qint64>::max() ? 0 : completed;
        if (first == std::numeric_limits<qint64>::max())
            return;
        for (const RankCollective &its : m_its.ranks) {
            if (its.isWaiting && its.completed + 1 == first) {
                m_its.waiting << its.rank;
                m_its.operation = m_its.operation.isEmpty() ? its.operation : m_its.operation;
            } else if (!its.hasDump || its.reached < first) {
                m_its.missing << its.rank;
            }
        }
        if (!m_its.missing.isEmpty())
            m_its.stuckAt = first;
    }

    /// Finds the first number at which ranks call different things. From other places many a program calls
    /// the same; that counts only where they called from the same ones before.
    void findMismatch()
    {
        std::set<qint64> sequences;
        for (const Calls &calls : std::as_const(m_calls)) {
            for (const RecordedCollective *call : calls.calls)
                sequences.insert(call->sequence);
        }
        bool wereAlike = false;
        for (const qint64 sequence : sequences) {
            CollectiveMismatch operation{CollectiveMismatch::Kind::Operation, sequence, {}};
            CollectiveMismatch shape{CollectiveMismatch::Kind::Shape, sequence, {}};
            CollectiveMismatch place{CollectiveMismatch::Kind::Place, sequence, {}};
            for (auto calls = m_calls.cbegin(); calls != m_calls.cend(); ++calls) {
                const RecordedCollective *call = calls->at(sequence);
                if (!call)
                    continue;
                const RecorderDump &dump = *calls->dump;
                operation.ranks[dump.operation(*call)] << calls.key();
                shape.ranks[dump.operation(*call) + ' '_L1 + dump.shape(*call)] << calls.key();
                place.ranks[dump.place(*call)] << calls.key();
            }
            if (operation.ranks.size() > 1) {
                m_its.mismatch = operation;
                return;
            }
            // The ranks of a broadcast or a gather may have different sizes.
            if (shape.ranks.size() > 1 && mustHaveOneShape(operation.ranks.firstKey())) {
                m_its.mismatch = shape;
                return;
            }
            if (place.ranks.size() > 1 && wereAlike && !m_its.mismatch)
                m_its.mismatch = place; // Goes on: a later mismatch of operation or shape explains more.
            wereAlike = wereAlike || (place.ranks.size() == 1 && place.ranks.first().size() > 1);
        }
    }

    static bool mustHaveOneShape(const QString &operation)
    {
        for (const char *word : {"all_reduce", "allreduce", "reduce_scatter", "all_gather", "allgather"}) {
            if (operation.contains(QLatin1String(word), Qt::CaseInsensitive))
                return true;
        }
        return false;
    }

    /// The rank that comes last waits least.
    void findSlow()
    {
        std::vector<double> all;
        QMap<int, double> waits;
        for (auto calls = m_calls.cbegin(); calls != m_calls.cend(); ++calls) {
            std::vector<double> its;
            for (const RecordedCollective *call : calls->calls) {
                if (call->durationMs)
                    its.push_back(*call->durationMs);
            }
            if (its.size() < fewestWaits)
                return;
            waits.insert(calls.key(), medianOf(its));
            all.push_back(waits.value(calls.key()));
        }
        if (waits.size() < 3)
            return;
        const double usual = medianOf(all);
        QList<int> slow;
        for (auto its = waits.cbegin(); its != waits.cend(); ++its) {
            if (its.value() <= usual * slowShare)
                slow << its.key();
        }
        if (usual >= leastSlowWaitMs && slow.size() == 1) {
            m_its.slowRank = slow.first();
            m_its.slowWaitMs = usual;
        }
    }

    CollectiveGroup m_its;
    QMap<int, Calls> m_calls;
};

const RankCollective *rankOf(const CollectiveGroup &group, int rank)
{
    const auto found = std::ranges::find(group.ranks, rank, &RankCollective::rank);
    return found == group.ranks.end() ? nullptr : &*found;
}

/// Writes the sentences about the dumps, the cause first.
class Words
{
public:
    Words(const std::vector<CollectiveGroup> &groups, const RecorderDumps &read)
        : m_groups(groups)
    {
        for (const RecorderDump &dump : read.dumps)
            m_pythonPlaces.insert(dump.rank, dump.pythonPlace);
    }

    QList<Sentence> findings() const
    {
        QList<Sentence> sentences;
        if (const auto crossed = crossing())
            sentences << crossingText(*crossed);
        for (const CollectiveGroup &group : m_groups) {
            if (group.mismatch && group.mismatch->kind != CollectiveMismatch::Kind::Place)
                sentences << mismatchText(group);
        }
        for (const bool isCause : {true, false}) {
            for (const CollectiveGroup &group : m_groups) {
                if (group.stuckAt > 0 && isCauseOf(group) == isCause)
                    sentences << stuckText(group);
            }
        }
        for (const CollectiveGroup &group : m_groups) {
            if (group.mismatch && group.mismatch->kind == CollectiveMismatch::Kind::Place && group.isStuck())
                sentences << mismatchText(group);
            if (group.isStuck() && group.stuckAt == 0 && !group.mismatch)
                sentences
                    << Sentence::tr(
                           "%1 of %2: all of its ranks have called it, and none has completed it. If dumps "
                           "some seconds later show the same, the network or the device does not carry it "
                           "out.")
                           .arg(callText(group), groupText(group.group));
            if (group.slowRank)
                sentences << Sentence::tr(
                                 "Rank %1 is slow: the others wait %2 ms for it in each collective of %3.")
                                 .arg(*group.slowRank)
                                 .arg(group.slowWaitMs, 0, 'f', 0)
                                 .arg(groupText(group.group));
        }
        return sentences;
    }

    QList<int> suspects() const
    {
        if (const auto crossed = crossing()) {
            QList<int> ranks = crossed->ofOne + crossed->ofOther;
            std::ranges::sort(ranks);
            return ranks;
        }
        for (const CollectiveGroup &group : m_groups) {
            if (group.mismatch && group.mismatch->kind != CollectiveMismatch::Kind::Place)
                return oddOnes(*group.mismatch);
        }
        for (const CollectiveGroup &group : m_groups) {
            if (group.stuckAt > 0 && isCauseOf(group))
                return group.missing;
        }
        for (const CollectiveGroup &group : m_groups) {
            if (group.mismatch && group.isStuck())
                return oddOnes(*group.mismatch);
        }
        return {};
    }

    /// Returns whether no missing rank waits in another group.
    bool isCauseOf(const CollectiveGroup &group) const
    {
        return std::ranges::none_of(group.missing,
                                    [&](int rank) { return waitsElsewhere(rank, group) != nullptr; });
    }

private:
    /// Returns the ranks whose call is the rarest; none if all calls are equally frequent.
    static QList<int> oddOnes(const CollectiveMismatch &mismatch)
    {
        QList<QList<int>> sides = mismatch.ranks.values();
        std::ranges::sort(sides, {}, &QList<int>::size);
        return sides.size() > 1 && sides[0].size() < sides[1].size() ? sides[0] : QList<int>();
    }

    static QString callText(const CollectiveGroup &group)
    {
        const qint64 sequence = group.stuckAt > 0 ? group.stuckAt : group.completedByAll + 1;
        return u"%1 #%2"_s.arg(group.operation).arg(sequence);
    }

    const CollectiveGroup *waitsElsewhere(int rank, const CollectiveGroup &than) const
    {
        for (const CollectiveGroup &group : m_groups) {
            if (&group != &than && group.stuckAt > 0 && group.waiting.contains(rank))
                return &group;
        }
        return nullptr;
    }

    /// "ranks 0-6 wait at model.py:212 in forward"
    Sentence waitingText(const CollectiveGroup &group) const
    {
        QMap<QString, QList<int>> byPlace;
        for (const int rank : group.waiting)
            byPlace[rankOf(group, rank)->place] << rank;
        QList<Sentence> parts;
        for (auto its = byPlace.cbegin(); its != byPlace.cend(); ++its) {
            parts << (its.key().isEmpty()
                          ? Sentence::tr("%1 wait", "%1 waits", int(its->size())).arg(ranksText(*its))
                          : Sentence::tr("%1 wait at %2", "%1 waits at %2", int(its->size()))
                                .arg(ranksText(*its), its.key()));
        }
        return Sentence::joined(parts, listComma());
    }

    Sentence missingText(const CollectiveGroup &group) const
    {
        QMap<QString, std::pair<Sentence, QList<int>>> byWords;
        for (const int rank : group.missing) {
            const RankCollective &its = *rankOf(group, rank);
            const CollectiveGroup *other = waitsElsewhere(rank, group);
            const QString python = m_pythonPlaces.value(rank);
            Sentence words;
            if (!its.hasDump)
                words = Sentence::tr("gave no dump: ended, stopped, or stuck outside of Python");
            else if (other)
                words = Sentence::tr("waits in %1 of %2").arg(callText(*other), groupText(other->group));
            else if (!python.isEmpty())
                words = Sentence::tr("is still at %1").arg(python);
            else if (its.reached > 0)
                words = Sentence::tr("has not called it since %1 #%2%3")
                            .arg(its.operation)
                            .arg(its.reached)
                            .arg(its.place.isEmpty() ? Sentence() : Sentence::tr(" at %1").arg(its.place));
            else
                words = Sentence::tr("has called nothing yet");
            auto &[said, ranks] = byWords[words];
            said = words;
            ranks << rank;
        }
        QList<Sentence> parts;
        for (const auto &[said, ranks] : byWords)
            parts << Sentence::tr("%1: %2", "ranks: what they do").arg(ranksText(ranks), said);
        return Sentence::joined(parts, listSemicolon());
    }

    Sentence stuckText(const CollectiveGroup &group) const
    {
        return Sentence::tr("%1 of %2: %3. Missing: %4.")
            .arg(callText(group), groupText(group.group), waitingText(group), missingText(group));
    }

    Sentence mismatchText(const CollectiveGroup &group) const
    {
        const CollectiveMismatch &its = *group.mismatch;
        QList<Sentence> parts;
        for (auto each = its.ranks.cbegin(); each != its.ranks.cend(); ++each)
            parts << Sentence::tr("%1: %2", "ranks: what they do").arg(ranksText(*each), each.key());
        const Sentence all = Sentence::joined(parts, listSemicolon());
        switch (its.kind) {
        case CollectiveMismatch::Kind::Operation:
            return Sentence::tr("At #%1 of %2 not all ranks call the same collective: %3.")
                .arg(its.sequence)
                .arg(groupText(group.group), all);
        case CollectiveMismatch::Kind::Shape:
            return Sentence::tr("At #%1 of %2 sizes or types differ: %3.")
                .arg(its.sequence)
                .arg(groupText(group.group), all);
        case CollectiveMismatch::Kind::Place:
            break;
        }
        return Sentence::tr(
                   "From #%1 of %2 on, ranks call from other lines; one may have left out a call: %3.")
            .arg(its.sequence)
            .arg(groupText(group.group), all);
    }

    /// Two groups of which each has ranks that wait for ranks waiting in the other.
    struct Crossing {
        const CollectiveGroup *one;
        const CollectiveGroup *other;
        QList<int> ofOne;   ///< Missing in one, waiting in the other …
        QList<int> ofOther; ///< … and the other way round.
    };

    /// The first one.
    std::optional<Crossing> crossing() const
    {
        for (std::size_t one = 0; one < m_groups.size(); ++one) {
            for (std::size_t other = one + 1; other < m_groups.size(); ++other) {
                const Crossing found{&m_groups[one], &m_groups[other],
                                     common(m_groups[one].missing, m_groups[other].waiting),
                                     common(m_groups[other].missing, m_groups[one].waiting)};
                if (m_groups[one].stuckAt > 0 && m_groups[other].stuckAt > 0 && !found.ofOne.isEmpty() &&
                    !found.ofOther.isEmpty())
                    return found;
            }
        }
        return std::nullopt;
    }

    static Sentence crossingText(const Crossing &its)
    {
        return Sentence::tr(
                   "Two groups wait for each other: %1 in %2 of %3, %4 in %5 of %6. Call them in the same "
                   "order on all "
                   "ranks.")
            .arg(ranksText(its.ofOther), callText(*its.one), groupText(its.one->group), ranksText(its.ofOne),
                 callText(*its.other), groupText(its.other->group));
    }

    static QList<int> common(const QList<int> &some, const QList<int> &others)
    {
        QList<int> both;
        std::ranges::copy_if(some, std::back_inserter(both), [&](int rank) { return others.contains(rank); });
        return both;
    }

    const std::vector<CollectiveGroup> &m_groups;
    QMap<int, QString> m_pythonPlaces;
};

} // namespace

CollectiveReport reportCollectives(const RecorderDumps &read)
{
    CollectiveReport report;
    report.unreadable = read.unreadable;
    std::map<QString, GroupJudge> judges;
    for (const RecorderDump &dump : read.dumps) {
        report.dumped << dump.rank;
        for (std::size_t group = 0; group < dump.groups.size(); ++group) {
            const RecordedGroup &its = dump.groups[group];
            const auto judge = // Groups are known by their ranks where several share one name.
                judges.try_emplace(its.name + ' '_L1 + numberRanges(its.ranks), its).first;
            judge->second.add(dump, int(group));
        }
    }
    for (auto &[key, judge] : judges)
        report.groups.push_back(judge.judge());
    const Words words(report.groups, read);
    report.findings = words.findings();
    report.suspects = words.suspects();
    std::ranges::stable_sort(report.groups, {}, [&](const CollectiveGroup &group) {
        return std::tuple(!group.isStuck(), group.stuckAt == 0, !group.mismatch);
    });
    return report;
}

} // namespace rankdeck
