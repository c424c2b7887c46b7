#include "collective/selftest.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

// A launch's own self-test stays far below it; what a process may make us keep does not.
constexpr std::size_t mostCollectives = 20'000;

bool isSameOperation(const CollectiveResult &one, const CollectiveResult &other)
{
    return one.operation == other.operation && one.bytes == other.bytes && one.ranks == other.ranks;
}

} // namespace

void SelfTestResults::take(const SelfTestEvent &event)
{
    const auto isKnown = [this](int rank) {
        return rank >= 0 && rank < ranks.size();
    };
    const auto areKnown = [&](const QList<int> &some) {
        return std::all_of(some.begin(), some.end(), isKnown);
    };
    if (!isKnown(event.rank))
        return;
    switch (event.kind) {
    case SelfTestEvent::Kind::Stage:
        // What a rank says while it goes down does not hide why.
        if (ranks[event.rank].stage != SelfTestStage::Failed)
            ranks[event.rank] = {event.stage, event.text};
        break;
    case SelfTestEvent::Kind::Groups:
        if (std::all_of(event.groups.begin(), event.groups.end(), areKnown))
            groups = event.groups;
        break;
    case SelfTestEvent::Kind::Pair: {
        if (!isKnown(event.pair.from) || !isKnown(event.pair.to) || event.pair.from >= event.pair.to)
            break;
        const auto before = std::find_if(pairs.begin(), pairs.end(), [&](const PairResult &each) {
            return each.from == event.pair.from && each.to == event.pair.to;
        });
        if (before != pairs.end())
            *before = event.pair;
        else
            pairs.push_back(event.pair);
        break;
    }
    case SelfTestEvent::Kind::Collective: {
        if (!areKnown(event.collective.ranks))
            break;
        const auto before =
            std::find_if(collectives.begin(), collectives.end(), [&](const CollectiveResult &each) {
                return isSameOperation(each, event.collective);
            });
        if (before != collectives.end())
            *before = event.collective;
        else if (collectives.size() < mostCollectives)
            collectives.push_back(event.collective);
        break;
    }
    }
}

const PairResult *SelfTestResults::pair(int one, int other) const
{
    const auto [from, to] = std::minmax(one, other);
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [from = from, to = to](const PairResult &each) {
            return each.from == from && each.to == to;
        });
    return found == pairs.end() ? nullptr : &*found;
}

} // namespace rankdeck
