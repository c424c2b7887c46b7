#pragma once

#include "collective/group/processgroup.h"
#include "collective/store/rendezvous.h"

#include <future>
#include <system_error>
#include <type_traits>

namespace rankdeck
{

// The helpers that users of DI-engine know (ding.utils.linklink_dist_helper), for C++ programs whose ranks
// are processes: they need no event loop and no QCoreApplication. Each comment below names the differences to
// DI-engine. A process without peers has the fake link: rank 0, allreduce leaves the data unchanged, and a
// broadcast is an error. So has every process if Rankdeck was built without Gloo, with one warning on
// standard error. Errors are DistError.

/// How allreduce puts data together.
enum class DistOp {
    Sum, ///< Divided by how many ranks there are, as theirs is: the mean.
    Max,
};

/// Some of the ranks; null stands for all.
using DistGroup = std::shared_ptr<ProcessGroup>;

/// Meet the other ranks; see placementFrom() and masterFrom() for the variables that say who and where they
/// are. No such variables, or a single rank: the fake link. @param device NPU of this process, for
/// distDevice(); under Slurm the process's number on its node, modulo the node's NPUs, where it has some.
/// @param timeout of meeting, and of each operation. @throws DistError: variables that contradict each other,
/// ranks that do not arrive in time, by number; it was called before.
Placement distInit(DistMethod method = DistMethod::Slurm, int device = 0,
                   std::chrono::milliseconds timeout = std::chrono::seconds(30));
/// The method by its name there, "slurm" or "single_node". @throws DistError any other, by its name.
DistMethod distMethod(const QString &name);
/// Leaves the ranks. Rank 0 waits for the others, at most for the timeout. Does nothing without distInit();
/// groups and handles must be destroyed before. During an exception, the others learn that this rank is gone.
void distFinalize();

/// distInit() and distFinalize() at the ends of a scope.
class DistContext
{
public:
    explicit DistContext(DistMethod method = DistMethod::Slurm, int device = 0,
                         std::chrono::milliseconds timeout = std::chrono::seconds(30))
    {
        distInit(method, device, timeout);
    }
    ~DistContext() { distFinalize(); }
    Q_DISABLE_COPY(DistContext)
};

/// `function` with distInit() before each call and distFinalize() after it, also when it throws. Unlike
/// theirs, a call returns what `function` returns.
template <typename Function>
auto distMode(Function function, DistMethod method = DistMethod::Slurm, int device = 0)
{
    return [function = std::move(function), method, device](auto &&...arguments) mutable -> decltype(auto) {
        const DistContext context(method, device);
        return function(std::forward<decltype(arguments)>(arguments)...);
    };
}

/// 0 without peers, and without distInit().
int getRank();
/// Returns the number of ranks in the launch, so 1 if a launcher started a single one. On the fake link
/// without a launcher's variables, in a build without Gloo, and without distInit(), it is `alone`: 0, as
/// DI-engine documents it. Callers that rely on what DI-engine's code does use getWorldSize(1).
int getWorldSize(int alone = 0);
/// See distInit().
int distDevice();
/// The group of all ranks. @throws DistError without distInit().
DistGroup distWorld();

namespace detail
{
[[noreturn]] void refuseIntegerMean();
DistGroup orWorld(const DistGroup &group);
int rankInGroup(const ProcessGroup &group, int worldRank);
} // namespace detail

/// Copies the data of world rank `rank` to all ranks of the group. @throws DistError on the fake link.
template <Element T>
void broadcast(std::span<T> value, int rank, const DistGroup &group = {})
{
    const DistGroup used = detail::orWorld(group);
    used->broadcast(value, detail::rankInGroup(*used, rank));
}

/// Returns the bytes that `rank`, its number among all ranks, passes to all ranks of the group, as
/// broadcast() does; the other ranks need not know the size. Ignores the bytes that the other ranks pass.
inline QByteArray broadcastObject(const QByteArray &object, int rank, const DistGroup &group = {})
{
    const DistGroup used = detail::orWorld(group);
    return used->broadcastObject(object, detail::rankInGroup(*used, rank));
}

/// Returns the bytes that each rank of the group gives, of any size, in order; on the fake link its own.
inline QList<QByteArray> allgather(const QByteArray &own, const DistGroup &group = {})
{
    return detail::orWorld(group)->allgather(own);
}

/// In place: the sum, of any type; an integer wraps around where it is too small for it.
template <Element T>
void allreduceSum(std::span<T> data, const DistGroup &group = {})
{
    detail::orWorld(group)->allreduce(data, Reduction::Sum);
}

namespace detail
{
/// Does the work of allreduce(), for a group that is not null.
template <Element T>
void allreduceIn(ProcessGroup &group, std::span<T> data, DistOp op, ProcessGroup::Tag tag)
{
    if constexpr (!std::is_floating_point_v<T>) {
        if (op == DistOp::Sum)
            refuseIntegerMean();
    }
    group.allreduce(data, op == DistOp::Sum ? Reduction::Sum : Reduction::Max, tag);
    if constexpr (std::is_floating_point_v<T>) {
        for (T &each : op == DistOp::Sum && group.size() > 1 ? data : std::span<T>())
            each /= static_cast<T>(group.size());
    }
}
} // namespace detail

/// Replaces the data by the mean (Sum) or the largest (Max) of the ranks' values, element by element.
/// Floating-point numbers have both. Integers and bytes have Max alone: a Sum is divided by the number of
/// ranks, and the mean of integers is seldom one (dividing an integer tensor in place is an error in
/// DI-engine too). @throws DistError for a Sum of integers, with peers or without; use allreduceSum() for
/// them. On the fake link the data stays unchanged.
template <Element T>
void allreduce(std::span<T> data, DistOp op = DistOp::Sum, const DistGroup &group = {})
{
    detail::allreduceIn(*detail::orWorld(group), data, op, 0);
}

/// An operation under way. Its data must stay unchanged until wait() has returned; destroying it waits too.
class DistHandle
{
public:
    explicit DistHandle(std::future<void> done)
        : m_done(std::move(done))
    {
    }
    void wait() { m_done.get(); } ///< Until it is done. @throws DistError. Once.

private:
    std::future<void> m_done;
};

/// Runs allreduce() in a thread of its own. All ranks must start these calls in the same order; any number
/// may be running, beside one that is not asynchronous. @throws DistError no thread can be started.
template <Element T>
DistHandle allreduceAsync(std::span<T> data, DistOp op = DistOp::Sum, const DistGroup &group = {})
{
    DistGroup used = detail::orWorld(group);
    const ProcessGroup::Tag tag = used->nextTag();
    try {
        return DistHandle(std::async(std::launch::async, [used = std::move(used), data, op, tag] {
            detail::allreduceIn(*used, data, op, tag);
        }));
    } catch (const std::system_error &) {
        throw noThreadError();
    }
}

/// Returns this rank's group, of `groupSize` consecutive ranks; without a size, all ranks. To be
/// called by all ranks. @throws DistError the size does not divide the number of ranks.
DistGroup getGroup(std::optional<int> groupSize = std::nullopt);

/// Returns the group of `rank`, which is this rank, if `worldSize` ranks are cut into `numGroups` groups of
/// consecutive ones; on the fake link `worldSize` may be 0. To be called by all. @throws DistError "array
/// split does not result in an equal division".
DistGroup simpleGroupSplit(int worldSize, int rank, int numGroups);

/// Returns when every rank has called it.
void synchronize(const DistGroup &group = {});

} // namespace rankdeck
