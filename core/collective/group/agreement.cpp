#ifdef RANKDECK_HAS_GLOO

#include "collective/group/agreement.h"

#include "base/numberranges.h"

#include <gloo/types.h>

#include <algorithm>
#include <limits>

namespace rankdeck
{

namespace
{

constexpr quint8 agreementSlotPrefix = 0x40; ///< None of Gloo's own.

/// Nobody reads a longer sentence. No "std::" stands before the first tr(): lupdate takes it for its class.
constexpr int mostDifferent = 8;

QString elements(ElementType type, quint64 count)
{
    const auto number = static_cast<int>(std::min<quint64>(count, std::numeric_limits<int>::max()));
    switch (type) {
    case ElementType::Float:
        return tr("%n floats", "%n float", number);
    case ElementType::Double:
        return tr("%n doubles", "%n double", number);
    case ElementType::Int32:
        return tr("%1 int32").arg(count);
    case ElementType::Int64:
        return tr("%1 int64").arg(count);
    case ElementType::Byte:
        break;
    }
    return tr("%n bytes", "%n byte", number);
}

} // namespace

bool CollectiveCall::agreesWith(const CollectiveCall &other) const
{
    const bool isOfObjects = kind == BroadcastObject || kind == Allgather;
    return kind == other.kind && type == other.type && reduction == other.reduction && root == other.root &&
           (isOfObjects || count == other.count);
}

QString CollectiveCall::text(const QList<int> &members) const
{
    // The call of a rank may be wrong, its root too.
    const int from = members.value(root, root);
    switch (kind) {
    case Barrier:
        break;
    case Broadcast:
        return tr("a broadcast of %1 from rank %2").arg(elements(type, count)).arg(from);
    case Allreduce:
        return reduction == Reduction::Sum ? tr("an allreduce sum of %1").arg(elements(type, count))
                                           : tr("an allreduce max of %1").arg(elements(type, count));
    case BroadcastObject:
        return tr("a broadcast of an object from rank %1").arg(from);
    case Allgather:
        return tr("an allgather");
    }
    return tr("a barrier");
}

QString disagreement(const std::vector<CollectiveCall> &calls, const QList<int> &members)
{
    std::vector<std::pair<CollectiveCall, QList<int>>> groups;
    for (std::size_t rank = 0; rank < calls.size(); ++rank) {
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto &each) { return each.first.agreesWith(calls[rank]); });
        if (group == groups.end())
            group = groups.insert(groups.end(), {calls[rank], {}});
        group->second << members.value(static_cast<qsizetype>(rank));
    }
    if (groups.size() < 2)
        return {};
    // The fewest are the likeliest to be wrong.
    std::stable_sort(groups.begin(), groups.end(), [](const auto &left, const auto &right) {
        return left.second.size() < right.second.size();
    });
    QStringList parts;
    for (const auto &[call, ranks] : groups) {
        if (parts.size() == mostDifferent) {
            parts << tr("and others something else");
            break;
        }
        parts << tr("ranks %1 call %2", "rank %1 calls %2", static_cast<int>(ranks.size()))
                     .arg(numberRanges(ranks), call.text(members));
    }
    return tr("the ranks do not call the same operation: %1").arg(parts.join(u"; "));
}

// Does not use Gloo's bound buffers, though they need no listening: they make the connection's send buffer as
// small as their message, for good, and a broadcast then waits 40 ms for the acknowledgement of every 64 KiB.
Agreement::Agreement(gloo::Context &context, ProcessGroup::Tag tag)
    : m_context(context)
    , m_slot(gloo::Slot::build(agreementSlotPrefix, tag))
    , m_rank(static_cast<std::size_t>(context.rank))
    , m_size(static_cast<std::size_t>(context.size))
    , m_known(m_size)
{
    for (std::size_t distance = 1; distance < m_size; distance *= 2) {
        const std::size_t bytes = std::min(distance, m_size - distance) * sizeof(CollectiveCall);
        m_rounds.push_back({distance, m_context.createUnboundBuffer(m_known.data(), bytes),
                            m_context.createUnboundBuffer(m_known.data() + distance, bytes), false});
    }
    listen();
}

void Agreement::listen()
{
    for (Round &round : m_rounds) {
        try {
            round.in->recv(before(round.distance), m_slot);
            round.isListening = true;
        } catch (const std::exception &) {
            // The rank has left, which is an error only if there is a next exchange.
            round.isListening = false;
        }
    }
}

std::vector<CollectiveCall> Agreement::exchange(const CollectiveCall &own)
{
    m_known.front() = own;
    for (Round &round : m_rounds) {
        if (!round.isListening)
            round.in->recv(before(round.distance), m_slot);
        round.out->send(static_cast<int>((m_rank + round.distance) % m_size), m_slot);
        round.in->waitRecv(m_context.getTimeout());
        round.out->waitSend(m_context.getTimeout());
        round.isListening = false;
    }
    std::vector<CollectiveCall> calls(m_size);
    for (std::size_t distance = 0; distance < m_size; ++distance)
        calls[static_cast<std::size_t>(before(distance))] = m_known[distance];
    return calls;
}

} // namespace rankdeck

#endif
