#include "ranktable/changes/servingtable.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// How many NPUs each instance takes.
struct Shares {
    int prefill = 0;
    int decode = 0;
};

Error cannotDivide(const QString &what)
{
    return {what, u"--prefill"_s,
            tr("Change the number of instances, or give --prefill-devices and --decode-devices.")};
}

/// Returns the share of each of `instances` instances of the remaining devices.
Result<int> evenShare(int devices, int instances)
{
    if (devices < instances || devices % instances != 0)
        return cannotDivide(tr("%1 devices cannot be divided evenly among %2 instances")
                                .arg(std::max(devices, 0))
                                .arg(instances));
    return devices / instances;
}

Result<Shares> sharesOf(int devices, const ServingRequest &request)
{
    Shares shares{request.prefillDevices, request.decodeDevices};
    const int taken = request.prefill * shares.prefill + request.decode * shares.decode;
    const int open = (shares.prefill == 0 ? request.prefill : 0) + (shares.decode == 0 ? request.decode : 0);
    if (open > 0) {
        const auto share = evenShare(devices - taken, open);
        if (!share)
            return share.error();
        shares.prefill = shares.prefill == 0 ? *share : shares.prefill;
        shares.decode = shares.decode == 0 ? *share : shares.decode;
    } else if (taken > devices) {
        return cannotDivide(
            tr("the instances need %1 devices, but the number of devices is %2").arg(taken).arg(devices));
    }
    return shares;
}

OtherKeys addressKey(const QByteArray &key, const QString &address)
{
    return otherKeysOf({{key, '"' + address.toUtf8() + '"'}});
}

QString addressOf(const Server &server)
{
    const QString address = otherText(server.otherKeys, "server_ip");
    return address.isEmpty() ? server.serverId : address;
}

/// Deals the devices of a table to one instance after the other.
class Dealer
{
public:
    explicit Dealer(const RankTable &table)
        : m_table(table)
    {
    }

    /// Adds a group of the next `count` devices. There must be as many.
    void addInstance(ServingTable &serving, int count)
    {
        const int group = static_cast<int>(serving.table.groups.size());
        serving.table.groups.push_back({QString::number(group)});
        for (int rank = 0; rank < count; ++rank) {
            while (m_device == m_table.servers[m_server].devices.size()) {
                ++m_server;
                m_device = 0;
            }
            const Server &from = m_table.servers[m_server];
            if (rank == 0 || m_device == 0)
                addServer(serving, from, group);
            addDevice(serving.table.servers.back(), from.devices[m_device], rank);
            ++m_device;
        }
    }

private:
    void addServer(ServingTable &serving, const Server &from, int group)
    {
        if (m_device > 0 && !serving.sharedServers.contains(from.serverId))
            serving.sharedServers << from.serverId;
        serving.table.servers.push_back(
            {from.serverId,
             {},
             group,
             {},
             mergedOtherKeys(from.otherKeys, addressKey("server_ip", addressOf(from)))});
        addSuperPod(serving.table, from, group);
    }

    void addSuperPod(RankTable &table, const Server &from, int group) const
    {
        for (const SuperPod &pod : m_table.superPods) {
            if (std::ranges::find(pod.serverIds, from.serverId) == pod.serverIds.end())
                continue;
            if (table.superPods.empty() || table.superPods.back().group != group ||
                table.superPods.back().superPodId != pod.superPodId)
                table.superPods.push_back({pod.superPodId, {}, group, pod.otherKeys});
            table.superPods.back().serverIds.push_back(from.serverId);
        }
    }

    /// @param rank in its instance.
    void addDevice(Server &server, Device device, int rank) const
    {
        device.rank = Rank(rank);
        const QByteArray logical = QByteArray::number(static_cast<int>(m_device));
        device.otherKeys =
            mergedOtherKeys(device.otherKeys, otherKeysOf({{"device_logical_id", '"' + logical + '"'}}));
        server.devices.push_back(std::move(device));
    }

    const RankTable &m_table;
    std::size_t m_server = 0; ///< Server of the next device.
    std::size_t m_device = 0; ///< Index of the next device in its server.
};

} // namespace

Result<ServingTable> servingTable(const RankTable &table, const ServingRequest &request)
{
    if (table.form != RankTableForm::ServerList && table.form != RankTableForm::SuperPodList)
        return Error{tr("a table of %1 cannot become a table for serving").arg(formName(table.form)),
                     {},
                     tr("Convert it first with rankdeckctl ranktable convert.")};
    if (request.prefill < 1 || request.decode < 1)
        return Error{tr("a service needs at least one instance for prefill and one for decode"),
                     u"--prefill"_s, tr("Give --prefill and --decode, e.g. 2 and 2.")};
    const auto shares = sharesOf(table.deviceCount(), request);
    if (!shares)
        return shares.error();

    ServingTable serving;
    serving.table.form = RankTableForm::ServerGroupList;
    serving.table.version = table.version;
    serving.table.status = u"completed"_s;
    const QString first = addressOf(table.servers.front());
    for (const QString &address : {request.coordinator, request.controller}) {
        const int group = static_cast<int>(serving.table.groups.size());
        serving.table.groups.push_back({QString::number(group)});
        serving.table.servers.push_back(
            {{}, {}, group, {}, addressKey("server_ip", address.isEmpty() ? first : address)});
    }
    Dealer dealer(table);
    for (int instance = 0; instance < request.prefill; ++instance)
        dealer.addInstance(serving, shares->prefill);
    for (int instance = 0; instance < request.decode; ++instance)
        dealer.addInstance(serving, shares->decode);
    return serving;
}

} // namespace rankdeck
