#include "collective/group/gloogroup.h"

#include "base/numberranges.h"

#include <QMutex>

#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/common/logging.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <numeric>

#include <unistd.h>

namespace rankdeck
{

using Function = void (*)(void *, const void *, const void *, std::size_t);

constexpr qsizetype longestPart = 48 * 1024;

static QByteArray partKey(const QByteArray &key, qsizetype part)
{
    return key + '/' + QByteArray::number(part);
}

static std::terminate_handler before = nullptr;

static QMutex operationsMutex;
static QStringList operations; ///< Under way, the newest last.

static QString currentOperation()
{
    const QMutexLocker lock(&operationsMutex);
    return operations.isEmpty() ? QString() : operations.constLast();
}

[[noreturn]] static void endWithSentence()
{
    try {
        if (const auto error = std::current_exception())
            std::rethrow_exception(error);
    } catch (const gloo::EnforceNotMet &error) {
        const QString doing = currentOperation();
        QString sentence = doing.isEmpty()
                               ? tr("Gloo failed: %1").arg(QString::fromLatin1(error.what()))
                               : tr("Gloo failed in %1: %2").arg(doing, QString::fromLatin1(error.what()));
        const std::string what =
            error.what(); // Of a message that does not fit; the receiving thread throws it.
        if (what.find("size") != std::string::npos || what.find("nbytes") != std::string::npos ||
            what.find("length") != std::string::npos)
            sentence = tr("the ranks do not agree on the size of a collective "
                          "operation's data; here it was %1")
                           .arg(doing.isEmpty() ? tr("none") : doing);
        const QByteArray line = "rankdeck: " + sentence.simplified().toUtf8() + '\n';
        if (write(STDERR_FILENO, line.constData(), static_cast<std::size_t>(line.size())) < 0)
            std::abort();
        std::abort();
    } catch (...) { // NOLINT(bugprone-empty-catch): the previous handler reports it.
    }
    if (before)
        before();
    std::abort();
}

/// As IEEE 754's maximum, and torch.max: a NaN of any rank is the result, and 0 is larger than -0. gloo::max
/// drops a NaN or all before it, by the order of the ranks.
template <typename T>
static void maximum(void *result, const void *one, const void *other, std::size_t count)
{
    const auto larger = [](T x, T y) {
        return std::isnan(x) || x > y || (x == y && std::signbit(y)) ? x : y;
    };
    const auto *from = static_cast<const T *>(one);
    std::transform(from, from + count, static_cast<const T *>(other), static_cast<T *>(result), larger);
}

template <typename T>
static Function functionOf(Reduction reduction)
{
    if (reduction == Reduction::Sum)
        return &gloo::sum<T>;
    if constexpr (std::is_floating_point_v<T>)
        return &maximum<T>;
    else
        return &gloo::max<T>;
}

static Function functionOf(ElementType type, Reduction reduction)
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

/// Sets `count` elements of the type's size: Gloo's options are templates, but look at the size alone.
template <typename Options>
static void setOutput(Options &options, ElementType type, void *data, std::size_t count)
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

static QString bytesOf(ElementType type, std::size_t count)
{
    return tr("of %1 bytes").arg(count * sizeOf(type));
}

static void checkRoot(int root, int size)
{
    if (root < 0 || root >= size)
        throw DistError(tr("a group of %1 has no rank %2 to broadcast from").arg(size).arg(root));
}

// After a rank was killed, the end of its connections and the store's message about it come in any order.
constexpr std::chrono::milliseconds untilTold{1000};

GlooStore::GlooStore(StoreClient &store, QByteArray prefix, std::chrono::milliseconds timeout)
    : m_store(store)
    , m_prefix(std::move(prefix))
    , m_timeout(timeout)
{
}

void GlooStore::set(const std::string &key, const std::vector<char> &data)
{
    const QByteArray name = m_prefix + QByteArray::fromStdString(key);
    const QByteArray value(data.data(), static_cast<qsizetype>(data.size()));
    const qsizetype parts = std::max<qsizetype>(1, (value.size() + longestPart - 1) / longestPart);
    for (qsizetype part = 1; part < parts; ++part)
        m_store.set(partKey(name, part), value.mid(part * longestPart, longestPart));
    // Set last: a rank that finds it finds the other parts too.
    m_store.set(name, QByteArray::number(parts) + ' ' + value.left(longestPart));
}

std::vector<char> GlooStore::get(const std::string &key)
{
    const QByteArray name = m_prefix + QByteArray::fromStdString(key);
    const QDeadlineTimer deadline(m_timeout);
    const QByteArray first = m_store.get(name, deadline);
    const qsizetype blank = first.indexOf(' ');
    QByteArray value = first.mid(blank + 1);
    for (int part = 1; part < first.left(blank).toInt(); ++part)
        value += m_store.get(partKey(name, part), deadline);
    return {value.begin(), value.end()};
}

void GlooStore::wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout)
{
    const QList<QByteArray> names =
        listOf(keys, [&](const std::string &key) { return m_prefix + QByteArray::fromStdString(key); });
    m_store.wait(names, QDeadlineTimer(timeout));
}

GlooOperation::GlooOperation(QString doing)
    : m_doing(std::move(doing))
{
    const QMutexLocker lock(&operationsMutex);
    operations << m_doing;
}

GlooOperation::~GlooOperation()
{
    const QMutexLocker lock(&operationsMutex);
    operations.removeOne(m_doing);
}

/// Installs the handlers of std::terminate() and SIGPIPE that connectGloo() describes.
static void explainGloosEnd()
{
    static const bool once = [] {
        before = std::set_terminate(endWithSentence);
        // Gloo writes to connections that may be closed, and reports that by an exception.
        struct sigaction usual {
        };
        if (sigaction(SIGPIPE, nullptr, &usual) == 0 && usual.sa_handler == SIG_DFL)
            std::signal(SIGPIPE, SIG_IGN);
        return true;
    }();
    Q_UNUSED(once)
}

/// Releases of gloo since 2025 share the store, those before refer to it.
template <class Context, class Store, class Device>
static void connectAll(Context &context, const std::shared_ptr<Store> &store, Device &device)
{
    if constexpr (requires { context.connectFullMesh(store, device); })
        context.connectFullMesh(store, device);
    else
        context.connectFullMesh(*store, device);
}

GlooGroup::GlooGroup(std::shared_ptr<GlooWorld> world, QList<int> members)
    : ProcessGroup(world->settings.rank, std::move(members))
    , m_world(std::move(world))
{
    const QByteArray name = numberRanges(this->members()).toUtf8();
    m_prefix = "gloo/" + name + '/' + QByteArray::number(m_world->made[name]++) + '/';
    auto context = std::make_shared<gloo::rendezvous::Context>(rank(), size());
    context->setTimeout(m_world->settings.timeout);
    const QString doing = tr("connecting ranks %1").arg(QString::fromUtf8(name));
    try {
        // The store's keeper knows best who has not come, and should report it first.
        const auto store = std::make_shared<GlooStore>(m_world->store, m_prefix,
                                                       m_world->settings.timeout + std::chrono::seconds(2));
        connectAll(*context, store, m_world->device);
        if (size() > 1)
            m_agreement = std::make_unique<Agreement>(*context, 0);
        // Until the last one is connected: a rank that drops the group at once would cut it off.
        gloo::BarrierOptions options(context);
        gloo::barrier(options);
    } catch (const std::exception &error) {
        fail(doing, error);
    }
    m_context = context;
}

std::vector<CollectiveCall> GlooGroup::agree(const CollectiveCall &own, Tag tag)
{
    if (size() == 1)
        return {own};
    if (tag == 0)
        ++m_agreements;
    std::vector<CollectiveCall> calls;
    try {
        if (tag == 0) {
            calls = m_agreement->exchange(own);
            m_agreement->listen();
        } else {
            calls = Agreement(*m_context, tag).exchange(own);
        }
    } catch (const std::exception &error) {
        if (m_world->store.over(untilTold).isEmpty())
            sayWhoIsMissing(own, tag);
        fail(own.text(members()), error);
    }
    const QString problem = disagreement(calls, members());
    if (!problem.isEmpty())
        throw DistError(problem);
    return calls;
}

void GlooGroup::sayWhoIsMissing(const CollectiveCall &own, Tag tag)
{
    // A rank that times out sets this key, and so do ranks whose connection to it then closes.
    const QByteArray prefix = m_prefix + "late/" + QByteArray::number(tag) + '/' +
                              QByteArray::number(tag == 0 ? m_agreements : 0) + '/';
    m_world->store.set(prefix + QByteArray::number(rank()), "1");
    const QList<int> missing = listOf(m_world->store.missingOf(prefix, size(), QDeadlineTimer(untilTold)),
                                      [&](int rank) { return members().value(rank); });
    // If the first rank left at once, the others would lose the answer they still wait for.
    m_world->store.over(untilTold);
    if (missing.isEmpty())
        return;
    const QString sentence =
        tr("%1 failed: ranks %2 have not joined it within %3 s",
           "%1 failed: rank %2 has not joined it within %3 s", static_cast<int>(missing.size()));
    throw DistError(sentence.arg(own.text(members()), numberRanges(missing))
                        .arg(static_cast<double>(m_world->settings.timeout.count()) / 1000));
}

void GlooGroup::barrier(Tag tag)
{
    // A rank with the calls of all ranks knows that all have called.
    agree({.kind = CollectiveCall::Barrier}, tag);
}

std::shared_ptr<ProcessGroup> GlooGroup::subgroup(QList<int> members)
{
    return std::make_shared<GlooGroup>(m_world, checkedMembers(std::move(members)));
}

void GlooGroup::broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag tag)
{
    agree({CollectiveCall::Broadcast, type, Reduction::Sum, root, count}, tag);
    checkRoot(root, size());
    moveBroadcast(root, type, data, count, tag);
}

QByteArray GlooGroup::broadcastObject(const QByteArray &object, int root, Tag tag)
{
    const CollectiveCall own{CollectiveCall::BroadcastObject, ElementType::Byte, Reduction::Sum, root,
                             static_cast<std::uint64_t>(object.size())};
    const auto calls = agree(own, tag);
    checkRoot(root, size());
    QByteArray result = object;
    result.resize(static_cast<qsizetype>(calls[static_cast<std::size_t>(root)].count));
    moveBroadcast(root, ElementType::Byte, result.data(), static_cast<std::size_t>(result.size()), tag);
    return result;
}

QList<QByteArray> GlooGroup::allgather(const QByteArray &own, Tag tag)
{
    const auto calls =
        agree({.kind = CollectiveCall::Allgather, .count = static_cast<std::uint64_t>(own.size())}, tag);
    if (size() == 1)
        return {own};
    QByteArray sent = own + '\0'; // Gloo does not promise to send nothing, so each has a byte more.
    std::vector<std::size_t> counts;
    for (const CollectiveCall &call : calls)
        counts.push_back(call.count + 1);
    QByteArray all(static_cast<qsizetype>(std::accumulate(counts.begin(), counts.end(), std::size_t(0))),
                   '\0');
    const QString doing =
        tr("an allgather %1").arg(bytesOf(ElementType::Byte, counts[static_cast<std::size_t>(rank())] - 1));
    const GlooOperation operation(doing);
    try {
        gloo::AllgathervOptions options(m_context);
        options.setInput(sent.data(), static_cast<std::size_t>(sent.size()));
        options.setOutput(all.data(), counts);
        options.setTag(tag);
        gloo::allgatherv(options);
    } catch (const std::exception &error) {
        fail(doing, error);
    }
    QList<QByteArray> result;
    qsizetype at = 0;
    for (const std::size_t count : counts) {
        result << all.mid(at, static_cast<qsizetype>(count) - 1);
        at += static_cast<qsizetype>(count);
    }
    return result;
}

void GlooGroup::moveBroadcast(int root, ElementType type, void *data, std::size_t count, Tag tag)
{
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
    agree({CollectiveCall::Allreduce, type, reduction, 0, count}, tag);
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
    throw DistError(tr("%1 failed: %2").arg(doing, why.isEmpty() ? QString::fromUtf8(error.what()) : why));
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
            tr("cannot connect the ranks at %1: %2").arg(settings.address, QString::fromUtf8(error.what())));
    }
    QList<int> everybody;
    for (int rank = 0; rank < settings.worldSize; ++rank)
        everybody << rank;
    return std::make_shared<GlooGroup>(std::move(world), std::move(everybody));
}

} // namespace rankdeck
