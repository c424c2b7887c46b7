#include "agent/transport/programfile.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QMutex>
#include <QMutexLocker>

#include <optional>

#include <sys/utsname.h>

namespace rankdeck
{

Result<ProgramFile> readProgramFile(const QString &path)
{
    // Many nodes may ask at once, for one and the same file.
    static QMutex mutex;
    static std::optional<ProgramFile> known;
    static QDateTime knownTime;
    const QMutexLocker lock(&mutex);
    const QFileInfo info(path);
    if (known && known->path == path && known->size == info.size() && knownTime == info.lastModified())
        return *known;
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return Error{QCoreApplication::translate("programFile", "rankdeckctl cannot be read to be copied: %1")
                         .arg(file.errorString()),
                     path,
                     {}};
    known = ProgramFile{path, file.size(), hash.result().toHex()};
    knownTime = info.lastModified();
    return *known;
}

QString machineArchitecture()
{
    utsname names{};
    uname(&names);
    return QString::fromLocal8Bit(static_cast<const char *>(names.machine));
}

} // namespace rankdeck
