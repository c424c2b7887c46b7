#include "diagnosis/evidence/rankevidence.h"

#include <QRegularExpression>

namespace rankdeck
{

using Layer = ErrorEntry::Layer;

static QByteArray keyOf(const QByteArray &server, int device)
{
    return server + '/' + QByteArray::number(device);
}

NodeLayout::NodeLayout(const RankTable &table, const std::vector<RankEvidence> &workers,
                       const QByteArray &rootServer)
{
    readTable(table);
    cutIntoNodes(workers);
    if (!m_nodes.empty() && m_nodes.front().server.isEmpty())
        m_nodes.front().server = rootServer;
}

void NodeLayout::readTable(const RankTable &table)
{
    for (const Server &server : table.servers) {
        for (const Device &device : server.devices) {
            if (!device.rank)
                continue;
            m_byServer.insert(keyOf(server.serverId.toUtf8(), device.deviceId.value), device.rank->value);
            const QStringList addresses = device.deviceIp.split(','_L1, Qt::SkipEmptyParts);
            for (const QString &address : addresses)
                m_byIp.insert(address.trimmed().toUtf8(), device.rank->value);
        }
    }
}

/// Ranks and devices both count up on a node: a device that is not greater begins a new node.
void NodeLayout::cutIntoNodes(const std::vector<RankEvidence> &workers)
{
    int last = -1;
    for (const RankEvidence &rank : workers) {
        const bool isKnown = rank.device != ProcessPlan::noDevice;
        const int device = isKnown ? rank.device.value : last + 1;
        if (m_nodes.empty() || (isKnown && device <= last))
            m_nodes.emplace_back();
        last = device;
        m_nodes.back().byDevice.insert(device, rank.rank.value);
        if (!rank.server.isEmpty())
            m_nodes.back().server = rank.server;
    }
}

const NodeLayout::Node *NodeLayout::nodeOf(const QByteArray &server) const
{
    const Node *unnamed = nullptr;
    int unnamedCount = 0;
    for (const Node &node : m_nodes) {
        if (node.server == server && !server.isEmpty())
            return &node;
        if (node.server.isEmpty()) {
            unnamed = &node;
            ++unnamedCount;
        }
    }
    // The logs of a node with another name are not about this server.
    if (m_nodes.size() == 1 && (server.isEmpty() || unnamed))
        return &m_nodes.front();
    return unnamedCount == 1 ? unnamed : nullptr;
}

std::optional<int> NodeLayout::rankAt(const PeerPlace &place) const
{
    if (const auto rank = m_byIp.constFind(place.deviceIp); rank != m_byIp.cend())
        return *rank;
    if (!place.device)
        return std::nullopt;
    if (const auto rank = m_byServer.constFind(keyOf(place.server, *place.device)); rank != m_byServer.cend())
        return *rank;
    const Node *node = nodeOf(place.server);
    const auto rank = node ? node->byDevice.constFind(*place.device) : QHash<int, int>::const_iterator();
    return node && rank != node->byDevice.cend() ? std::optional(*rank) : std::nullopt;
}

std::optional<int> NodeLayout::likelyRankAt(const PeerPlace &place) const
{
    if (const auto known = rankAt(place))
        return known;
    const Node *node = place.device ? nodeOf(place.server) : nullptr;
    if (!node || node->byDevice.isEmpty() || (!node->server.isEmpty() && node->server != place.server))
        return std::nullopt;
    const int offset = node->byDevice.cbegin().value() - node->byDevice.cbegin().key();
    for (auto each = node->byDevice.cbegin(); each != node->byDevice.cend(); ++each) {
        if (each.value() - each.key() != offset)
            return std::nullopt;
    }
    const int rank = *place.device + offset;
    return rank >= 0 ? std::optional(rank) : std::nullopt;
}

bool ErrorLine::tellsOfEnd() const
{
    return entryId.startsWith("exit-"_L1) || entryId.startsWith("system-shell-"_L1);
}

bool ErrorLine::tellsOfTimeout() const
{
    static const QRegularExpression form(u"time[sd]?[- ]?out|timeout|超时"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    return text.contains(form);
}

/// Whether a line tells whose fault it is.
static bool isTelling(const ErrorLine &error)
{
    return error.layer >= Layer::Wait;
}

/// What lines of a layer say of their process.
static RankEvidence::Says meaningOf(Layer layer)
{
    using Says = RankEvidence::Says;
    switch (layer) {
    case Layer::Hint:
    case Layer::Wrapper:
        break;
    case Layer::Consequence:
    case Layer::Wait:
        return Says::Waiting;
    case Layer::Disagreement:
        return Says::Disagrees;
    case Layer::Own:
    case Layer::Setting:
    case Layer::Device:
        return Says::OwnError;
    }
    return Says::Something;
}

const ErrorLine *RankEvidence::firstError() const
{
    for (const bool isWarning : {false, true}) {
        const auto telling = std::ranges::find_if(
            errors, [&](const ErrorLine &error) { return isTelling(error) && error.isWarning == isWarning; });
        if (telling == errors.end())
            continue;
        const auto end =
            std::find_if(std::next(telling), errors.end(), [](const auto &each) { return each.isAfterCalm; });
        const auto deepest = std::max_element(
            telling, end, [](const auto &one, const auto &other) { return one.power() < other.power(); });
        return telling->layer < Layer::Own && deepest->layer >= Layer::Own && !deepest->isWarning ? &*deepest
                                                                                                  : &*telling;
    }
    const auto heaviest = std::ranges::max_element(errors, {}, &ErrorLine::power);
    return heaviest == errors.end() ? nullptr : &*heaviest;
}

const ErrorLine *RankEvidence::heaviestError() const
{
    const ErrorLine *heaviest = firstError();
    if (!heaviest)
        return nullptr;
    const ErrorLine first = *heaviest;
    for (const ErrorLine &error : errors) {
        if (meaningOf(error.layer) == meaningOf(first.layer) && error.isWarning == first.isWarning &&
            error.power() > heaviest->power())
            heaviest = &error;
    }
    return heaviest;
}

RankEvidence::Says RankEvidence::says() const
{
    const ErrorLine *first = firstError();
    if (ranOutOfMemory() && (!first || !isTelling(*first)))
        return Says::OwnError;
    if (!first)
        return errorFile ? Says::Something : Says::Nothing;
    // Any text counts: the catalogue knows the errors of waiting ranks.
    return first->entryId == "python-runtime-error"_L1 ? Says::OwnError : meaningOf(first->layer);
}

std::optional<LogTime> RankEvidence::failed() const
{
    if (errorFile && errorFile->timestamp)
        return logTimeOf(QDateTime::fromMSecsSinceEpoch(qint64(*errorFile->timestamp * 1000)));
    const ErrorLine *first = firstError();
    return first && first->time ? first->time : ended;
}

NamedPeers RankEvidence::peers() const
{
    NamedPeers all;
    for (const ErrorLine &error : errors)
        all.add(error.peers);
    // The number of a scheduler may also be that of a worker.
    if (role == Role::Worker)
        all.ranks.erase(std::remove(all.ranks.begin(), all.ranks.end(), rank.value), all.ranks.end());
    return all;
}

} // namespace rankdeck
