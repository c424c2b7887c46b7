#include "launch/hostfacts.h"

#include "cpuset.h"
#include "launch/masterlookup.h"
#include "ranktable/ranktablelocation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QNetworkInterface>
#include <QSysInfo>

namespace rankdeck
{

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

} // namespace

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
