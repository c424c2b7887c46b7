#include "launch/host/hostfacts.h"

#include "base/cpuset.h"
#include "base/json.h"
#include "base/tr.h"
#include "ranktable/table/ranktablelocation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QHostInfo>
#include <QNetworkInterface>
#include <QSysInfo>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostRoute, address, source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CondaEnvironment, name, directory, programs)

namespace
{

constexpr char driverVersionFile[] = "/usr/local/Ascend/driver/version.info";
// davincirunsdk, manager.py and common.py.
constexpr char slogd[] = "/usr/local/Ascend/driver/tools/docker/slogd";
constexpr char stopScript[] = "/usr/local/Ascend/driver/tools/docker_stop_post_sys.sh";

QString pathIfProgram(const char *path)
{
    const QFileInfo file(QString::fromLatin1(path));
    return file.isFile() && file.isExecutable() ? file.filePath() : QString();
}

bool canWriteOrMake(const QString &path)
{
    const QFileInfo folder(path);
    return folder.exists() ? folder.isWritable() : QFileInfo(folder.path()).isWritable();
}

/// OpenSSH's server says its own address third; srun says from where it came.
QString addressReachedAt(const QProcessEnvironment &environment)
{
    const QString ssh = environment.value(QStringLiteral("SSH_CONNECTION")).split(QLatin1Char(' ')).value(2);
    const QHostAddress launcher(environment.value(QStringLiteral("SLURM_LAUNCH_NODE_IPADDR")));
    return launcher.isNull() ? ssh : addressTowards(launcher);
}

QStringList ownAddresses()
{
    QStringList addresses;
    for (const QHostAddress &address : QNetworkInterface::allAddresses()) {
        if (address.protocol() == QAbstractSocket::IPv4Protocol)
            addresses << address.toString();
    }
    return addresses;
}

/// Visits each field that goes into the JSON, but for the routes.
void visit(auto &facts, auto &&field)
{
    field("host", facts.hostName);
    field("directory", facts.currentDirectory);
    field("temporary", facts.temporaryDirectory);
    field("driver", facts.driverVersion);
    field("slogd", facts.slogdPath);
    field("stop_script", facts.stopScriptPath);
    field("platform_home", facts.platformHomeIsWritable);
    field("addresses", facts.addresses);
    field("cpus", facts.cpus);
    field("conda", facts.condaEnvironments);
    field("npus", facts.npuCount);
    field("reached_at", facts.reachedAt);
}

} // namespace

QString addressTowards(const QHostAddress &address)
{
    const int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return {};
    sockaddr_in other{};
    other.sin_family = AF_INET;
    other.sin_port = htons(9);
    other.sin_addr.s_addr = htonl(address.toIPv4Address());
    sockaddr_in own{};
    socklen_t size = sizeof own;
    const bool known = connect(file, reinterpret_cast<const sockaddr *>(&other), sizeof other) == 0 &&
                       getsockname(file, reinterpret_cast<sockaddr *>(&own), &size) == 0;
    close(file);
    return known ? QHostAddress(ntohl(own.sin_addr.s_addr)).toString() : QString();
}

std::optional<Error> lookUpMaster(const LaunchSpec &spec, HostFacts &facts)
{
    const QString name = spec.msrun.masterAddr;
    if (spec.launcher != QLatin1String("msrun") || name.isEmpty())
        return std::nullopt;
    const QHostInfo found = QHostInfo::fromName(name);
    for (const QHostAddress &address : found.addresses()) {
        if (address.protocol() != QAbstractSocket::IPv4Protocol)
            continue;
        facts.routes.insert(name, {address.toString(), addressTowards(address)});
        return std::nullopt;
    }
    const QString what = found.error() == QHostInfo::NoError
                             ? tr("the host \"%1\" has no IPv4 address").arg(name)
                             : tr("the host \"%1\" is not found: %2").arg(name, found.errorString());
    return Error{what, QStringLiteral("--master_addr"),
                 tr("Check the name, or give an IPv4 address, the same on every node.")};
}

Json toJson(const HostFacts &facts)
{
    Json json{{"routes", Json::object()}};
    for (auto it = facts.routes.begin(); it != facts.routes.end(); ++it)
        json["routes"][it.key().toStdString()] = *it;
    visit(facts, [&](const char *key, const auto &value) { json[key] = value; });
    return json;
}

Result<HostFacts> hostFactsFromJson(const Json &json)
{
    HostFacts facts;
    try {
        visit(facts, [&](const char *key, auto &value) { json.at(key).get_to(value); });
        for (const auto &[host, route] : json.at("routes").get_ref<const Json::object_t &>())
            facts.routes.insert(QString::fromStdString(host), route.get<HostRoute>());
    } catch (const Json::exception &error) {
        const QString what = tr("what a node tells of itself cannot be read: %1");
        return Error{what.arg(QString::fromUtf8(error.what())), {}, {}};
    }
    return facts;
}

HostFacts HostFacts::gather()
{
    HostFacts facts;
    facts.hostName = QSysInfo::machineHostName();
    facts.currentDirectory = QDir::currentPath();
    facts.temporaryDirectory = QDir::tempPath();
    QFile version(QString::fromLatin1(driverVersionFile));
    if (version.open(QIODevice::ReadOnly))
        facts.driverVersion = QString::fromUtf8(version.readLine(1024)).trimmed();
    facts.slogdPath = pathIfProgram(slogd);
    facts.stopScriptPath = pathIfProgram(stopScript);
    facts.platformHomeIsWritable = canWriteOrMake(QString::fromLatin1(platformHome));
    facts.environment = QProcessEnvironment::systemEnvironment();
    facts.addresses = ownAddresses();
    facts.reachedAt = addressReachedAt(facts.environment);
    facts.cpus = CpuSet::ofThisProcess().cpus();
    facts.npuCount = npusInDev();
    return facts;
}

int npusInDev()
{
    // /dev/davinci0, /dev/davinci1 …, not /dev/davinci_manager.
    const QDir dev(QStringLiteral("/dev"));
    return static_cast<int>(dev.entryList({QStringLiteral("davinci[0-9]*")}, QDir::System).size());
}

} // namespace rankdeck
