#pragma once

#include "collective/group/processgroup.h"

#include <gloo/context.h>
#include <gloo/transport/unbound_buffer.h>

#include <vector>

// Private to this folder: sources that include Gloo's headers are compiled only where Gloo is installed.

namespace rankdeck
{

/// A collective operation as a rank called it. Sent as it is in memory.
struct CollectiveCall {
    enum Kind : std::int32_t { Barrier, Broadcast, Allreduce, BroadcastObject, Allgather };

    Kind kind = Barrier;
    ElementType type = ElementType::Byte;
    Reduction reduction = Reduction::Sum;
    std::int32_t root = 0;   ///< The group's rank that broadcasts.
    std::uint64_t count = 0; ///< Elements; may differ between the ranks when objects are sent.

    bool agreesWith(const CollectiveCall &other) const;
    /// Returns it in words: "an allreduce sum of 4 floats". @param members ranks of the group in the world.
    QString text(const QList<int> &members) const;
};

/// Returns which of a group's ranks call what, or an empty text if all agree.
QString disagreement(const std::vector<CollectiveCall> &calls, const QList<int> &members);

/// Sends the call of each rank to all ranks of a group: in its round N a rank sends all that it knows to the
/// rank 2^N after it, so that log2(ranks) rounds are enough. Each rank of the group makes one.
class Agreement
{
public:
    /// Listens. @param tag must differ from that of any other living Agreement.
    Agreement(gloo::Context &context, ProcessGroup::Tag tag);

    /// Returns what all ranks call, by rank of the group. @throws what Gloo throws.
    std::vector<CollectiveCall> exchange(const CollectiveCall &own);
    /// Tells the ranks before this one that it is ready. Early, it halves the next exchange's messages.
    void listen();

private:
    /// One message: to the rank `distance` after this one, from the rank as far before it.
    struct Round {
        std::size_t distance = 0;
        std::unique_ptr<gloo::transport::UnboundBuffer> out;
        std::unique_ptr<gloo::transport::UnboundBuffer> in;
        bool isListening = false;
    };
    int before(std::size_t distance) const { return static_cast<int>((m_rank + m_size - distance) % m_size); }

    gloo::Context &m_context;
    std::uint64_t m_slot;
    std::size_t m_rank;
    std::size_t m_size;
    std::vector<CollectiveCall> m_known; ///< Call of this rank, then of the one before it, and so on.
    std::vector<Round> m_rounds;
};

} // namespace rankdeck
