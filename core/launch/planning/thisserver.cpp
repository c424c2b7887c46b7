#include "launch/planning/thisserver.h"

#include "base/listcomma.h"
#include "ranktable/changes/ranktableconversion.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostNamesShown = 16;

QString shortList(const QStringList &names)
{
    const QString text = names.mid(0, mostNamesShown).join(nameComma());
    const auto more = names.size() - mostNamesShown;
    return more > 0 ? tr("%1 and %2 more").arg(text).arg(more) : text;
}

QString serverNames(const std::vector<Server> &servers)
{
    return shortList(listOf(servers, [](const Server &server) -> QString {
        return server.podName.isEmpty() ? server.serverId : inBrackets(server.podName, server.serverId);
    }));
}

bool isSameAddress(const QString &one, const QString &other)
{
    const QHostAddress address(one);
    return !address.isNull() && address == QHostAddress(other);
}

/// Servers that fit, each once: several pods may stand on one server.
class FittingServers
{
public:
    explicit FittingServers(const std::vector<Server> &servers)
        : m_servers(servers)
    {
    }

    /// Adds each server for which `reasonOf` returns a reason.
    void add(auto &&reasonOf)
    {
        for (const Server &server : m_servers) {
            const QString reason = reasonOf(server);
            const bool isKnown = std::ranges::any_of(
                m_found, [&](const ThisServer &known) { return known.serverId == server.serverId; });
            if (!reason.isEmpty() && !isKnown)
                m_found << ThisServer{server.serverId, reason};
        }
    }

    const QList<ThisServer> &found() const { return m_found; }

private:
    const std::vector<Server> &m_servers;
    QList<ThisServer> m_found;
};

/// Several pods may stand on it.
bool hasOneServer(const std::vector<Server> &servers)
{
    return std::ranges::all_of(
        servers, [&](const Server &server) { return server.serverId == servers.front().serverId; });
}

/// A platform's variable that names this host. It may hold a pod_name or a server_id.
struct NamingVariable {
    QString name;
    QString value;
    bool isForPods = false;
};

QList<NamingVariable> namingVariables(const QProcessEnvironment &environment)
{
    QList<NamingVariable> variables;
    for (const char *name : {"BATCH_TASK_CURRENT_INSTANCE", "MA_CURRENT_INSTANCE_NAME"}) {
        const QString value = environment.value(QLatin1String(name));
        if (value.isEmpty())
            continue;
        variables << NamingVariable{QLatin1String(name), value, true};
        break;
    }
    const QString address = u"MA_CURRENT_HOST_IP"_s;
    if (!environment.value(address).isEmpty())
        variables << NamingVariable{address, environment.value(address), false};
    return variables;
}

bool isNamed(const Server &server, const QString &name)
{
    return server.serverId == name || (!server.podName.isEmpty() && server.podName == name) ||
           isSameAddress(server.serverId, name);
}

QString chooseMend()
{
    return tr("Name this host's server with --server, or set MA_CURRENT_HOST_IP to it.");
}

Error severalFit(const QList<ThisServer> &found)
{
    QStringList texts;
    for (const ThisServer &server : found.mid(0, mostNamesShown))
        texts << tr("%1, because %2").arg(server.serverId, server.reason);
    return {tr("several servers of the rank table may be this host: %1").arg(texts.join("; "_L1)),
            {},
            chooseMend()};
}

/// Returns the only server that fits; nothing if none fits. Fails if several fit.
Result<std::optional<ThisServer>> onlyOne(const QList<ThisServer> &found)
{
    if (found.size() > 1)
        return severalFit(found);
    return found.isEmpty() ? std::optional<ThisServer>() : found.first();
}

/// Returns the address of `server` that `isOwn` accepts, with the key that holds it in the rank table.
QString addressReason(const Server &server, auto &&isOwn)
{
    if (isOwn(server.serverId))
        return tr("it is an address of this host");
    for (const char *key : {"host_ip", "container_ip"}) {
        const QString address = otherText(server.otherKeys, key);
        if (isOwn(address))
            return tr("its %1 %2 is an address of this host").arg(QLatin1String(key), address);
    }
    return {};
}

QString nameReason(const Server &server, const QString &hostName)
{
    const QString firstLabel = hostName.section('.'_L1, 0, 0);
    const auto isOwn = [&](const QString &name) {
        return !name.isEmpty() && (name.compare(hostName, Qt::CaseInsensitive) == 0 ||
                                   name.compare(firstLabel, Qt::CaseInsensitive) == 0);
    };
    if (isOwn(server.serverId))
        return tr("it is the name of this host");
    return isOwn(server.podName) ? tr("its pod_name %1 is the name of this host").arg(server.podName)
                                 : QString();
}

Result<std::optional<ThisServer>> serverByVariables(const std::vector<Server> &servers, bool hasPods,
                                                    const HostFacts &facts)
{
    FittingServers fitting(servers);
    const QList<NamingVariable> variables = namingVariables(facts.environment);
    for (const NamingVariable &variable : variables)
        fitting.add([&](const Server &server) {
            return isNamed(server, variable.value)
                       ? tr("%1 is %2").arg(variable.name, variable.value.left(80))
                       : QString();
        });
    if (!fitting.found().isEmpty())
        return onlyOne(fitting.found());
    // The platform sets the other form's variable too, whose value is meaningless here.
    const auto wrong = std::ranges::find(variables, hasPods, &NamingVariable::isForPods);
    // For the other forms davincirun reads no variable where there is one server.
    if (wrong == variables.end() || (!hasPods && hasOneServer(servers)))
        return std::optional<ThisServer>();
    return Error{tr("no server of the rank table is this host: %1 is \"%2\", and the table has %3")
                     .arg(wrong->name, wrong->value, serverNames(servers)),
                 {},
                 tr("Set %1 to one of them, or give the server with --server.").arg(wrong->name)};
}

/// 127.0.0.1 is an address of every host, so it decides only where no other address does.
Result<std::optional<ThisServer>> serverByAddress(const std::vector<Server> &servers, const HostFacts &facts)
{
    const QStringList own = facts.addresses + facts.ipv6Addresses;
    FittingServers byAddress(servers);
    byAddress.add([&](const Server &server) {
        return addressReason(server, [&](const QString &address) {
            return !QHostAddress(address).isLoopback() && std::ranges::any_of(own, [&](const QString &known) {
                return isSameAddress(known, address);
            });
        });
    });
    if (!byAddress.found().isEmpty())
        return onlyOne(byAddress.found());
    FittingServers byLoopback(servers);
    byLoopback.add([](const Server &server) {
        return addressReason(server,
                             [](const QString &address) { return QHostAddress(address).isLoopback(); });
    });
    return onlyOne(byLoopback.found());
}

Error noneFits(const std::vector<Server> &servers, const HostFacts &facts)
{
    QStringList own = facts.addresses + facts.ipv6Addresses;
    own.removeIf([](const QString &address) { return QHostAddress(address).isLoopback(); });
    const QString addresses = own.isEmpty() ? tr("no address") : shortList(own);
    return {tr("no server of the rank table is this host: the table has %1; this host is %2, with %3")
                .arg(serverNames(servers), facts.hostName, addresses),
            {},
            chooseMend()};
}

Result<ThisServer> namedServer(const std::vector<Server> &servers, const QString &wanted)
{
    FittingServers named(servers);
    named.add(
        [&](const Server &server) { return isNamed(server, wanted) ? tr("--server says so") : QString(); });
    if (named.found().isEmpty())
        return Error{tr("the rank table has no server \"%1\", only %2").arg(wanted, serverNames(servers)),
                     u"--server"_s, tr("Give a server_id or pod_name of the table.")};
    if (named.found().size() > 1)
        return severalFit(named.found());
    return named.found().first();
}

Result<ThisServer> foundServer(const std::vector<Server> &servers, bool hasPods, const HostFacts &facts)
{
    const auto byVariables = serverByVariables(servers, hasPods, facts);
    if (!byVariables)
        return byVariables.error();
    if (*byVariables)
        return **byVariables;
    if (hasOneServer(servers))
        return ThisServer{servers.front().serverId, tr("the rank table has no other")};
    const auto byAddress = serverByAddress(servers, facts);
    if (!byAddress)
        return byAddress.error();
    if (*byAddress)
        return **byAddress;
    FittingServers byName(servers);
    byName.add([&](const Server &server) { return nameReason(server, facts.hostName); });
    const auto named = onlyOne(byName.found());
    if (!named)
        return named.error();
    return *named ? Result<ThisServer>(**named) : noneFits(servers, facts);
}

} // namespace

Sentence ThisServer::sentence() const
{
    return Sentence::tr("This host is server %1, because %2.").arg(serverId, reason);
}

Result<ThisServer> findThisServer(const RankTable &table, const QString &wanted, const HostFacts &facts)
{
    const bool hasPods = table.form == RankTableForm::GroupList;
    const auto ordered = hasPods ? orderInstances(table) : convertToServerList(table);
    if (!ordered)
        return ordered.error();
    const std::vector<Server> &servers = ordered->servers;
    if (servers.empty())
        return Error{tr("the rank table names no server"), {}, {}};
    auto found = wanted.isEmpty() ? foundServer(servers, hasPods, facts) : namedServer(servers, wanted);
    if (found)
        found->isOnlyOne = hasOneServer(servers);
    return found;
}

} // namespace rankdeck
