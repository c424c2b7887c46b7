#pragma once

#include "collective/store/disterror.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace rankdeck
{

/// Returns a measured value rounded to meaningful digits, for readers: 21.3, 0.213, 1234.
inline double rounded(double value)
{
    if (value <= 0)
        return 0;
    const double factor = std::pow(10.0, 3 - std::floor(std::log10(value)));
    return factor >= 1 ? std::round(value * factor) / factor : std::round(value);
}

class StoreClient;

/// How allreduce puts the ranks' data together, element by element. Of floating-point numbers, a NaN of any
/// rank is the result of both; for Max, 0 is larger than -0.
enum class Reduction { Sum, Max };

enum class ElementType { Float, Double, Int32, Int64, Byte };

/// Types that can be sent: contiguous float, double, int32, int64 and bytes.
template <typename T>
concept Element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::byte>;

template <Element T>
constexpr ElementType elementTypeOf()
{
    if constexpr (std::same_as<T, float>)
        return ElementType::Float;
    else if constexpr (std::same_as<T, double>)
        return ElementType::Double;
    else if constexpr (std::same_as<T, std::int32_t>)
        return ElementType::Int32;
    else if constexpr (std::same_as<T, std::int64_t>)
        return ElementType::Int64;
    else
        return ElementType::Byte;
}
/// Bytes.
std::size_t sizeOf(ElementType type);

/// Processes that take part in collective operations together. Every one of them must call the same
/// operations in the same order, with the same types and sizes. Before data moves, the ranks exchange their
/// calls; if these differ, each rank throws a DistError that names the call of each rank, its data is
/// unchanged, and the group can still be used. Operations block until this rank's part is done. @throws
/// DistError if a peer is gone or late, by name; the group cannot be used after that.
class ProcessGroup
{
public:
    /// Operations that run at the same time need different tags, below 2^24; 0 is for one at a time.
    using Tag = std::uint32_t;

    virtual ~ProcessGroup() = default;

    int rank() const { return m_rank; } ///< Rank of this process in the group, 0 … size() - 1.
    int size() const { return static_cast<int>(m_members.size()); }
    const QList<int> &members() const { return m_members; } ///< The ranks in the whole world, ascending.

    /// Copies the data of the group's rank `root` to all. @throws DistError if the group has no such rank.
    template <Element T>
    void broadcast(std::span<T> data, int root, Tag tag = 0)
    {
        broadcastOf(elementTypeOf<T>(), data.data(), data.size(), root, tag);
    }
    /// In place. Integers that are too large for a sum wrap around.
    template <Element T>
    void allreduce(std::span<T> data, Reduction reduction, Tag tag = 0)
    {
        allreduceOf(elementTypeOf<T>(), data.data(), data.size(), reduction, tag);
    }
    /// Returns the bytes of the group's rank `root`, of any size, at all ranks; ignores those of others.
    virtual QByteArray broadcastObject(const QByteArray &object, int root, Tag tag = 0) = 0;
    /// Returns the bytes that each rank gave, in the order of the ranks. Their sizes may differ.
    virtual QList<QByteArray> allgather(const QByteArray &own, Tag tag = 0) = 0;
    /// For an operation that runs beside others: the same at all ranks when they ask in the same order.
    Tag nextTag() { return 1 + m_asked++ % ((1U << 24) - 1); }
    virtual void barrier(Tag tag = 0) = 0; ///< Returns when every rank has called it.
    /// Returns a group of some of the world's ranks, all in this group and this process among them; called by
    /// all of them and no other. @throws DistError if `members` are other ranks, or late.
    virtual std::shared_ptr<ProcessGroup> subgroup(QList<int> members) = 0;

protected:
    ProcessGroup(int worldRank, QList<int> members);
    virtual void broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag tag) = 0;
    virtual void allreduceOf(ElementType type, void *data, std::size_t count, Reduction reduction,
                             Tag tag) = 0;
    /// Returns the members for subgroup(): ascending, each once. @throws DistError as subgroup() does.
    QList<int> checkedMembers(QList<int> members) const;
    int worldRank() const { return m_members.value(m_rank); }

private:
    QList<int> m_members;
    int m_rank;
    std::atomic<Tag> m_asked = 0;
};

/// Returns the fake link, for a process without peers: allreduce leaves the data unchanged, allgather returns
/// its argument, broadcast is an error as there is no receiver.
std::shared_ptr<ProcessGroup> fakeGroup();

/// Whether connectGloo() can be called: Rankdeck was built with Gloo.
bool hasGloo();

struct GlooSettings {
    int rank = 0;
    int worldSize = 1;
    /// Address of this host at which the other ranks reach it.
    QString address = u"127.0.0.1"_s;
    std::chrono::milliseconds timeout{30'000}; ///< Limit for connecting, and for each operation.
};

/// Returns a group of all ranks that meet at `store`, each connected to each over TCP by Gloo. Gloo ends the
/// process on data that does not fit, which should not happen any more: from this call on, the process says
/// so in one sentence on standard error before it aborts. SIGPIPE, by which a lost peer would end it, is
/// ignored unless it has a handler. `store` must outlive the group. @throws DistError if not all ranks
/// connect in time, or if Rankdeck was built without Gloo.
std::shared_ptr<ProcessGroup> connectGloo(StoreClient &store, const GlooSettings &settings);

} // namespace rankdeck
