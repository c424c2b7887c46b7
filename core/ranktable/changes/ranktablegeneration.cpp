#include "ranktable/changes/ranktablegeneration.h"

#include "base/program.h"
#include "base/widespaces.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QHostAddress>
#include <QNetworkInterface>
#include <QProcess>
#include <QStandardPaths>

namespace rankdeck
{

namespace
{

constexpr int toolLimitMs = 10000;
constexpr qint64 maxConfBytes = 1024 * 1024;
constexpr char driverTools[] = "/usr/local/Ascend/driver/tools";

struct Answer {
    bool isInTime = false;
    QByteArray output;
};

Answer run(const QString &program, const QStringList &arguments, const QDeadlineTimer &deadline)
{
    QProcess process;
    process.setProcessEnvironment(withoutPreload());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    if (!process.waitForFinished(static_cast<int>(deadline.remainingTime()))) {
        const bool isStarted = process.state() != QProcess::NotRunning;
        process.kill();
        process.waitForFinished(1000);
        return {!isStarted, {}};
    }
    return {true, process.readAll()};
}

/// The address under which other hosts most likely know this one.
QString addressOfThisHost()
{
    const auto interfaces = QNetworkInterface::allInterfaces();
    for (const QNetworkInterface &interface : interfaces) {
        if (!interface.flags().testFlag(QNetworkInterface::IsUp))
            continue;
        const auto entries = interface.addressEntries();
        for (const QNetworkAddressEntry &entry : entries) {
            const QHostAddress address = entry.ip();
            if (address.protocol() == QAbstractSocket::IPv4Protocol && address.isGlobal())
                return address.toString();
        }
    }
    return {};
}

/// Returns the name that hccl_tools.py would choose, from the devices and the server.
QString generatedFileName(const std::vector<DeviceId> &devices, QString serverId)
{
    QString ids;
    for (const DeviceId device : devices)
        ids += QString::number(device.value);
    serverId.replace('/'_L1, '_'_L1);
    return u"hccl_%1p_%2_%3.json"_s.arg(devices.size()).arg(ids, serverId);
}

std::optional<Error> badRequest(const GenerateRequest &request)
{
    if (request.devices.empty())
        return Error{tr("no device is selected"), {}, tr("Choose at least one, e.g. 0-7.")};
    const auto ipCount = static_cast<std::size_t>(request.deviceIps.size());
    if (ipCount != 0 && ipCount != request.devices.size())
        return Error{tr("%n device addresses, but the number of devices is %1",
                        "%n device address, but the number of devices is %1", static_cast<int>(ipCount))
                         .arg(request.devices.size()),
                     {},
                     tr("Give one address for each device.")};
    for (const QString &ip : request.deviceIps) {
        if (QHostAddress(ip).isNull())
            return Error{tr("not an IP address"), ip, tr("Write it like 192.0.2.10.")};
    }
    return {};
}

/// Looks up the addresses of this host's NPUs: by hccn_tool, then in hccn.conf. IPv4 comes before IPv6, as
/// HCCL prefers it. Source: hccl_tools.py; hccn_tool command reference (-ip -g, -ip -inet6 -g); the keys of
/// hccn.conf as the driver writes them (address_N, IPv6address_N).
class DeviceAddresses
{
public:
    explicit DeviceAddresses(const AddressSources &sources);

    /// Returns the address; empty if it was not found: lookedFor() then lists the attempts. Blocks for at
    /// most ten seconds. A tool that did not answer once is not asked again.
    QString find(DeviceId device);

    /// The places that were tried, one sentence each.
    QStringList lookedFor() const { return m_lookedFor; }

private:
    QString askTool(DeviceId device);
    QString readConf(DeviceId device);
    void note(const QString &sentence);

    QString m_tool; ///< Absolute path, or empty.
    QString m_confPath;
    std::optional<QHash<QString, QString>> m_conf; ///< Read when first asked for.
    QStringList m_lookedFor;
};

DeviceAddresses::DeviceAddresses(const AddressSources &sources)
    : m_tool(sources.hccnTool.isEmpty() ? hccnToolPath() : sources.hccnTool)
    , m_confPath(sources.hccnConf)
{
}

QString DeviceAddresses::find(DeviceId device)
{
    const QString address = askTool(device);
    return address.isEmpty() ? readConf(device) : address;
}

QString DeviceAddresses::askTool(DeviceId device)
{
    if (m_tool.isEmpty()) {
        note(tr("No hccn_tool found in PATH or %1.").arg(QLatin1String(driverTools)));
        return {};
    }
    const QDeadlineTimer deadline(toolLimitMs);
    for (const QStringList &query : {QStringList{u"-ip"_s, u"-g"_s}, {u"-ip"_s, u"-inet6"_s, u"-g"_s}}) {
        const QStringList arguments = QStringList{u"-i"_s, QString::number(device.value)} + query;
        const QString command = m_tool + ' '_L1 + arguments.join(' '_L1);
        const Answer answer = run(m_tool, arguments, deadline);
        if (!answer.isInTime) {
            note(tr("%1 did not answer within %2 s.").arg(command).arg(toolLimitMs / 1000));
            m_tool.clear();
            return {};
        }
        const QString address = hccnAddress(answer.output);
        if (!address.isEmpty())
            return address;
        const QString said = QString::fromUtf8(answer.output).simplified().left(200);
        note(said.isEmpty() ? tr("%1 returned no address.").arg(command)
                            : tr("%1 returned no address, but \"%2\".").arg(command, said));
    }
    return {};
}

QString DeviceAddresses::readConf(DeviceId device)
{
    if (!m_conf) {
        m_conf.emplace();
        QFile file(m_confPath);
        if (!file.open(QIODevice::ReadOnly)) {
            note(tr("%1 cannot be read: %2.").arg(m_confPath, problemOf(file)));
        } else {
            const QList<QByteArray> lines = file.read(maxConfBytes).split('\n');
            for (const QByteArray &line : lines) {
                const QString text = QString::fromUtf8(line);
                m_conf->insert(text.section('='_L1, 0, 0).trimmed(), text.section('='_L1, 1).trimmed());
            }
        }
    }
    for (const char *key : {"address_", "IPv6address_"}) {
        const QString address = m_conf->value(QLatin1String(key) + QString::number(device.value));
        if (!QHostAddress(address).isNull())
            return address;
    }
    if (QFileInfo::exists(m_confPath))
        note(tr("%1 has no address_%2.").arg(m_confPath).arg(device.value));
    return {};
}

void DeviceAddresses::note(const QString &sentence)
{
    if (!m_lookedFor.contains(sentence))
        m_lookedFor << sentence;
}

} // namespace

QString hccnToolPath()
{
    QStringList folders;
    const QStringList entries = qEnvironmentVariable("PATH").split(QDir::listSeparator(), Qt::SkipEmptyParts);
    for (const QString &entry : entries) {
        if (QDir::isAbsolutePath(entry))
            folders << entry;
    }
    folders << QLatin1String(driverTools);
    return QStandardPaths::findExecutable(u"hccn_tool"_s, folders);
}

QString hccnAddress(const QByteArray &output)
{
    const QList<QByteArray> lines = output.split('\n');
    for (const QByteArray &line : lines) {
        const QByteArray text = line.trimmed();
        if (!text.startsWith("ipaddr:"))
            continue;
        const QString word = QString::fromUtf8(text.mid(7)).simplified().section(' '_L1, 0, 0);
        const QString address = word.section('/'_L1, 0, 0);
        if (!QHostAddress(address).isNull())
            return address;
    }
    return {};
}

Result<GeneratedTable> generateRankTableOfHost(const GenerateRequest &request, const AddressSources &sources,
                                               const std::function<bool()> &isCancelled)
{
    if (const auto error = badRequest(request))
        return *error;
    Server server{request.serverId.isEmpty() ? addressOfThisHost() : request.serverId};
    if (server.serverId.isEmpty())
        return Error{tr("this host has no IPv4 address to use as server_id"), u"server_id"_s,
                     tr("Give an address.")};
    if (request.withHostNicIp)
        server.otherKeys = R"({"host_nic_ip":"reserve"})";

    GeneratedTable generated;
    DeviceAddresses addresses(sources);
    for (std::size_t index = 0; index < request.devices.size(); ++index) {
        if (isCancelled && isCancelled())
            return Error{tr("the search for device addresses was cancelled"), {}, {}};
        const DeviceId device = request.devices[index];
        const QString ip = request.deviceIps.isEmpty() ? addresses.find(device)
                                                       : request.deviceIps[static_cast<qsizetype>(index)];
        generated.lookedFor = addresses.lookedFor();
        if (ip.isEmpty())
            return Error{tr("no address found for device %1. %2")
                             .arg(device.value)
                             .arg(joinedBySpaces(generated.lookedFor)),
                         u"device_ip"_s,
                         tr("Run this on a host with NPUs, or give the address of every device.")};
        server.devices.push_back({device, ip, Rank(static_cast<int>(index))});
    }
    generated.fileName = generatedFileName(request.devices, server.serverId);
    generated.table.version = u"1.0"_s;
    generated.table.status = u"completed"_s;
    generated.table.servers.push_back(std::move(server));
    return generated;
}

} // namespace rankdeck
