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

/// How allreduce puts the ranks' data together, element by element.
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
/// operations in the same order, with the same types and sizes. Before data moves the ranks tell each other
/// what they call; when that differs, each rank @throws DistError, which says what each of them called, and
/// its data is as it was, and the group can be used on. Operations block until this rank's part is done, and
/// @throw DistError when a peer is gone or late, by name; the group is of no use after that.
class ProcessGroup
{
public:
    /// Operations that run at the same time have different tags; 0 is for those of which there is one at a
    /// time. Below 2^24.
    using Tag = std::uint32_t;

    virtual ~ProcessGroup() = default;
    ProcessGroup(const ProcessGroup &) = delete;
    ProcessGroup &operator=(const ProcessGroup &) = delete;

    int rank() const { return m_rank; } ///< Of this process in the group, 0 … size() - 1.
    int size() const { return static_cast<int>(m_members.size()); }
    const QList<int> &members() const { return m_members; } ///< The ranks in the whole world, ascending.

    /// The data of the group's rank `root` comes to all. @throws DistError `root` is no rank of it.
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
    /// The bytes of the group's rank `root`, which has any number of them, come to all; what the others give
    /// is not looked at.
    virtual QByteArray broadcastObject(const QByteArray &object, int root, Tag tag = 0) = 0;
    /// Returns the bytes that each rank gave, in the order of the ranks. Their sizes may differ.
    virtual QList<QByteArray> allgather(const QByteArray &own, Tag tag = 0) = 0;
    /// For an operation that runs beside others: the same at all ranks when they ask in the same order.
    Tag nextTag() { return 1 + m_asked++ % ((1U << 24) - 1); }
    /// Returns when every rank has called it.
    virtual void barrier(Tag tag = 0) = 0;
    /// A group of some of the world's ranks, of this group's and with this process among them; called by all
    /// of them and nobody else. @throws DistError `members` are not so, or do not connect in time.
    virtual std::shared_ptr<ProcessGroup> subgroup(QList<int> members) = 0;

protected:
    ProcessGroup(int worldRank, QList<int> members);
    virtual void broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag tag) = 0;
    virtual void allreduceOf(ElementType type, void *data, std::size_t count, Reduction reduction,
                             Tag tag) = 0;
    /// Of what subgroup() was called with: ascending, each once. @throws DistError see there.
    QList<int> checkedMembers(QList<int> members) const;
    int worldRank() const { return m_members.value(m_rank); }

private:
    QList<int> m_members;
    int m_rank;
    std::atomic<Tag> m_asked = 0;
};

/// The fake link, for a process without peers: allreduce leaves the data as it is, allgather returns what it
/// is given, broadcast is an error as there is nobody to broadcast to.
std::shared_ptr<ProcessGroup> fakeGroup();

/// Whether connectGloo() can be called: Rankdeck was built with Gloo.
bool hasGloo();

struct GlooSettings {
    int rank = 0;
    int worldSize = 1;
    QString address = QStringLiteral("127.0.0.1"); ///< Of this host, at which the other ranks reach it.
    std::chrono::milliseconds timeout{30'000};     ///< Of connecting, and of each operation.
};

/// All ranks that meet at `store`, each connected to each over TCP by Gloo. Gloo ends the process when data
/// comes that does not fit, which should not happen any more: from this call on, the process says so in one
/// sentence on standard error before it aborts; and SIGPIPE, by which a peer that goes away would end it, is
/// ignored where nobody handles it. `store` must outlive the group. @throws DistError not all ranks connect
/// in time, or Rankdeck was built without Gloo.
std::shared_ptr<ProcessGroup> connectGloo(StoreClient &store, const GlooSettings &settings);

} // namespace rankdeck
