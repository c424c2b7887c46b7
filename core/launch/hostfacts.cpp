#include "launch/hostfacts.h"

#include "ranktable/ranktablelocation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

namespace rankdeck
{

namespace
{

constexpr char driverVersionFile[] = "/usr/local/Ascend/driver/version.info";

bool canWriteOrMake(const QString &path)
{
    const QFileInfo folder(path);
    return folder.exists() ? folder.isWritable() : QFileInfo(folder.path()).isWritable();
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
    facts.platformHomeIsWritable = canWriteOrMake(QString::fromLatin1(platformHome));
    facts.environment = QProcessEnvironment::systemEnvironment();
    return facts;
}

} // namespace rankdeck
