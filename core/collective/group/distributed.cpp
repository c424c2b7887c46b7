#include "collective/group/distributed.h"

#include <QDir>

#include <cstdio>
#include <exception>
#include <numeric>

namespace rankdeck
{

namespace
{

struct World {
    int device = 0;
    bool hasRanks = false;                  ///< A launcher set a rank, even if it started a single one.
    std::unique_ptr<Rendezvous> rendezvous; ///< Null: the fake link.
    DistGroup group;                        ///< Uses the rendezvous, so it goes first.
};

std::mutex mutex;
std::unique_ptr<World> current; ///< Guarded by `mutex`; null: distInit() has not been called.

/// Returns SLURM_LOCALID; nothing if it is not a number.
std::optional<int> localNumber(const QProcessEnvironment &environment)
{
    bool isNumber = false;
    const int number = environment.value(u"SLURM_LOCALID"_s).toInt(&isNumber);
    return isNumber && number >= 0 ? std::optional(number) : std::nullopt;
}

int deviceOf(const QProcessEnvironment &environment, DistMethod method, int rank, int given)
{
    const bool isSlurm = environment.contains(u"SLURM_PROCID"_s);
    if (method != DistMethod::Slurm || !isSlurm)
        return given;
    // Device nodes are davinci0, davinci1 …; davinci_manager is not a device.
    const auto npus = QDir(u"/dev"_s)
                          .entryList({u"davinci[0-9]"_s, u"davinci[0-9][0-9]"_s}, QDir::System | QDir::Files)
                          .size();
    return npus > 0 ? localNumber(environment).value_or(rank) % static_cast<int>(npus) : given;
}

void warnOfNoGloo(int worldSize)
{
    static std::once_flag once;
    std::call_once(once, [&] {
        const QString text = tr("Rankdeck was built without Gloo, so each of the %1 ranks runs alone, as "
                                "rank 0 of 1. Install libgloo-dev and rebuild Rankdeck.")
                                 .arg(worldSize);
        std::fprintf(stderr, "rankdeck: %s\n", text.toUtf8().constData());
    });
}

DistError noSuchMethod(const QString &name)
{
    return DistError(
        tr("distInit() has no method \"%1\"; its methods are \"slurm\" and \"single_node\"").arg(name));
}

} // namespace

DistMethod distMethod(const QString &name)
{
    if (name == u"slurm")
        return DistMethod::Slurm;
    if (name == u"single_node")
        return DistMethod::SingleNode;
    throw noSuchMethod(name);
}

Placement distInit(DistMethod method, int device, std::chrono::milliseconds timeout)
{
    const std::lock_guard lock(mutex);
    if (current)
        throw DistError(tr("distInit() was called before; call distFinalize() first"));
    if (method != DistMethod::Slurm && method != DistMethod::SingleNode)
        throw noSuchMethod(QString::number(static_cast<int>(method)));
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto found = placementFrom(environment, method);
    if (!found)
        throw DistError(found.error().sentence());
    Placement placement = found->value_or(Placement());
    auto world = std::make_unique<World>();
    world->hasRanks = found->has_value();
    if (placement.worldSize > 1 && !hasGloo()) {
        warnOfNoGloo(placement.worldSize);
        placement = {};
        world->hasRanks = false;
    }
    world->device = deviceOf(environment, method, placement.rank, device);
    if (placement.worldSize > 1) {
        const auto master = masterFrom(environment, method);
        if (!master)
            throw DistError(master.error().sentence());
        world->rendezvous = std::make_unique<Rendezvous>(placement, *master, timeout);
        world->group = connectGloo(world->rendezvous->store(), {placement.rank, placement.worldSize,
                                                                world->rendezvous->ownAddress(), timeout});
    } else {
        world->group = fakeGroup();
    }
    current = std::move(world);
    return placement;
}

void distFinalize()
{
    std::unique_ptr<World> world;
    {
        const std::lock_guard lock(mutex);
        world = std::move(current);
    }
    // A rank that fails does not leave in order: the store reports its loss to others, which may wait for it.
    if (world && world->rendezvous && std::uncaught_exceptions() == 0)
        world->rendezvous->leave();
}

int getRank()
{
    const std::lock_guard lock(mutex);
    return current ? current->group->rank() : 0;
}

int getWorldSize(int alone)
{
    const std::lock_guard lock(mutex);
    return current && current->hasRanks ? current->group->size() : alone;
}

int distDevice()
{
    const std::lock_guard lock(mutex);
    return current ? current->device : 0;
}

DistGroup distWorld()
{
    const std::lock_guard lock(mutex);
    if (!current)
        throw DistError(tr("distInit() has not been called"));
    return current->group;
}

void detail::refuseIntegerMean()
{
    throw DistError(tr("an allreduce sum is divided by the number of ranks, which is not possible for "
                       "integers; use allreduceSum() for them"));
}

DistGroup detail::orWorld(const DistGroup &group)
{
    return group ? group : distWorld();
}

int detail::rankInGroup(const ProcessGroup &group, int worldRank)
{
    const auto found = group.members().indexOf(worldRank);
    if (found < 0)
        throw DistError(tr("rank %1 is not in the group that it should broadcast to").arg(worldRank));
    return static_cast<int>(found);
}

DistGroup getGroup(std::optional<int> groupSize)
{
    const DistGroup world = distWorld();
    const int size = groupSize.value_or(world->size());
    if (size < 1 || world->size() % size != 0)
        throw DistError(tr("%2 ranks cannot be divided into groups of %1").arg(size).arg(world->size()));
    return simpleGroupSplit(world->size(), world->rank(), world->size() / size);
}

DistGroup simpleGroupSplit(int worldSize, int rank, int numGroups)
{
    const DistGroup world = distWorld();
    if (world->size() == 1 && worldSize == 0 && numGroups > 0)
        return fakeGroup();
    if (numGroups < 1 || worldSize < 1 || worldSize % numGroups != 0)
        throw DistError(tr("array split does not result in an equal division"));
    if (world->size() == 1)
        return fakeGroup();
    const int size = worldSize / numGroups;
    QList<int> members(size);
    std::iota(members.begin(), members.end(), rank / size * size);
    return world->subgroup(members);
}

void synchronize(const DistGroup &group)
{
    detail::orWorld(group)->barrier();
}

} // namespace rankdeck
