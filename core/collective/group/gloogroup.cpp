#include "collective/gloogroup.h"

#include "collective/gloostore.h"
#include "numberranges.h"

#include <QCoreApplication>

#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/tcp/device.h>

#include <array>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("ProcessGroup", text);
}

using Function = void (*)(void *, const void *, const void *, std::size_t);

template <typename T>
Function functionOf(Reduction reduction)
{
    return reduction == Reduction::Sum ? Function(&gloo::sum<T>) : Function(&gloo::max<T>);
}

Function functionOf(ElementType type, Reduction reduction)
{
    switch (type) {
    case ElementType::Float:
        return functionOf<float>(reduction);
    case ElementType::Double:
        return functionOf<double>(reduction);
    case ElementType::Int32:
        return functionOf<std::int32_t>(reduction);
    case ElementType::Int64:
        return functionOf<std::int64_t>(reduction);
    case ElementType::Byte:
        break;
    }
    return functionOf<std::uint8_t>(reduction);
}

/// The bytes of `count` elements, as elements of their own size: Gloo's options are templates of the type and
/// look at nothing but its size.
template <typename Options>
void setOutput(Options &options, ElementType type, void *data, std::size_t count)
{
    switch (sizeOf(type)) {
    case 8:
        return options.setOutput(static_cast<std::uint64_t *>(data), count);
    case 4:
        return options.setOutput(static_cast<std::uint32_t *>(data), count);
    default:
        return options.setOutput(static_cast<std::uint8_t *>(data), count);
    }
}

QString bytesOf(ElementType type, std::size_t count)
{
    return tr("of %1 bytes").arg(count * sizeOf(type));
}

// What happens when the connections of a rank that was killed close, and its end is told to the store, comes
// in any order.
constexpr std::chrono::milliseconds untilTold{1000};

} // namespace

GlooGroup::GlooGroup(std::shared_ptr<GlooWorld> world, QList<int> members)
    : ProcessGroup(world->settings.rank, std::move(members))
    , m_world(std::move(world))
{
    const QByteArray name = numberRanges(this->members()).toUtf8();
    const int number = m_world->made[name]++;
    auto context = std::make_shared<gloo::rendezvous::Context>(rank(), size());
    context->setTimeout(m_world->settings.timeout);
    const QString doing = tr("connecting ranks %1").arg(QString::fromUtf8(name));
    try {
        // Whoever keeps the store knows best who has not come, and is the first to say so.
        GlooStore store(m_world->store, "gloo/" + name + '/' + QByteArray::number(number) + '/',
                        m_world->settings.timeout + std::chrono::seconds(2));
        context->connectFullMesh(store, m_world->device);
        // Until the last one is connected: who is done with the group at once would cut it off.
        gloo::BarrierOptions options(context);
        gloo::barrier(options);
    } catch (const std::exception &error) {
        fail(doing, error);
    }
    m_context = context;
}

void GlooGroup::barrier(Tag tag)
{
    const QString doing = tr("a barrier");
    const GlooOperation operation(doing);
    try {
        gloo::BarrierOptions options(m_context);
        options.setTag(tag);
        gloo::barrier(options);
    } catch (const std::exception &error) {
        fail(doing, error);
    }
}

std::shared_ptr<ProcessGroup> GlooGroup::subgroup(QList<int> members)
{
    return std::make_shared<GlooGroup>(m_world, checkedMembers(std::move(members)));
}

void GlooGroup::broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag tag)
{
    if (root < 0 || root >= size())
        throw DistError(tr("a group of %1 has no rank %2 to broadcast from").arg(size()).arg(root));
    if (count == 0 || size() == 1)
        return;
    const QString doing = tr("a broadcast %1").arg(bytesOf(type, count));
    const GlooOperation operation(doing);
    try {
        gloo::BroadcastOptions options(m_context);
        setOutput(options, type, data, count);
        options.setRoot(root);
        options.setTag(tag);
        gloo::broadcast(options);
    } catch (const std::exception &error) {
        fail(doing, error);
    }
}

void GlooGroup::allreduceOf(ElementType type, void *data, std::size_t count, Reduction reduction, Tag tag)
{
    if (count == 0 || size() == 1)
        return;
    const QString doing = tr("an allreduce %1").arg(bytesOf(type, count));
    const GlooOperation operation(doing);
    try {
        gloo::AllreduceOptions options(m_context);
        setOutput(options, type, data, count);
        options.setReduceFunction(functionOf(type, reduction));
        options.setTag(tag);
        gloo::allreduce(options);
    } catch (const std::exception &error) {
        fail(doing, error);
    }
}

void GlooGroup::fail(const QString &doing, const std::exception &error)
{
    const QString why = m_world->store.over(untilTold);
    throw DistError(why.isEmpty() ? tr("%1 failed: %2").arg(doing, QString::fromUtf8(error.what()))
                                  : tr("%1 failed: %2").arg(doing, why));
}

bool hasGloo()
{
    return true;
}

std::shared_ptr<ProcessGroup> connectGloo(StoreClient &store, const GlooSettings &settings)
{
    explainGloosEnd();
    auto world = std::make_shared<GlooWorld>(GlooWorld{store, settings, nullptr});
    try {
        gloo::transport::tcp::attr attributes;
        attributes.hostname = settings.address.toStdString();
        world->device = gloo::transport::tcp::CreateDevice(attributes);
    } catch (const std::exception &error) {
        throw DistError(
            tr("ranks cannot be connected at %1: %2").arg(settings.address, QString::fromUtf8(error.what())));
    }
    QList<int> everybody;
    for (int rank = 0; rank < settings.worldSize; ++rank)
        everybody << rank;
    return std::make_shared<GlooGroup>(std::move(world), std::move(everybody));
}

} // namespace rankdeck
