#include "device/sampling/driveraccess.h"

#include "base/listcomma.h"
#include "base/username.h"
#include "device/sample/processjoin.h"

#include <QDir>
#include <QFileInfo>

#include <array>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr int innerError = -8005;
constexpr int occupied = -8020;

struct Code {
    int code;
    const char *words;
};

constexpr std::array codes{
    Code{-8001, QT_TRANSLATE_NOOP("rankdeck", "invalid parameter")},
    Code{-8002, QT_TRANSLATE_NOOP("rankdeck", "not permitted")},
    Code{-8003, QT_TRANSLATE_NOOP("rankdeck", "out of memory")},
    Code{innerError, QT_TRANSLATE_NOOP("rankdeck", "an error inside the driver")},
    Code{-8006, QT_TRANSLATE_NOOP("rankdeck", "the driver did not answer in time")},
    Code{-8007, QT_TRANSLATE_NOOP("rankdeck", "unknown device")},
    Code{-8008, QT_TRANSLATE_NOOP("rankdeck", "the device does not exist")},
    Code{-8009, QT_TRANSLATE_NOOP("rankdeck", "the driver rejected a request")},
    Code{-8012, QT_TRANSLATE_NOOP("rankdeck", "the device is not ready")},
    Code{-8013, QT_TRANSLATE_NOOP("rankdeck", "not possible in a container")},
    Code{occupied, QT_TRANSLATE_NOOP("rankdeck", "the device is in use")},
    Code{-8255, QT_TRANSLATE_NOOP("rankdeck", "not supported by this device")},
};

constexpr std::array devices{"/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"};
constexpr std::array folders{"/usr/local/dcmi", "/usr/local/Ascend/driver/lib64"};

bool hasChips(const QString &root)
{
    const QStringList names =
        QDir(root + u"/dev"_s)
            .entryList({u"davinci[0-9]*"_s}, QDir::System | QDir::Files | QDir::NoDotAndDotDot);
    return !names.isEmpty();
}

QString listed(const QStringList &names)
{
    return names.size() < 2
               ? names.join(QString())
               : tr("%1 and %2").arg(names.mid(0, names.size() - 1).join(nameComma()), names.last());
}

/// "--device /dev/hisi_hdc -v /usr/local/dcmi:/usr/local/dcmi"
QString containerOptions(const DriverAccess &access)
{
    QStringList options =
        listOf(access.missingDevices, [&](const QString &device) { return u"--device "_s + device; });
    for (const QString &folder : access.missingFolders)
        options << u"-v %1:%1"_s.arg(folder);
    return options.join(' '_L1);
}

/// Returns the fault of the access, and how to mend it; an empty sentence if there is none.
Error accessProblem(const DriverAccess &access)
{
    const QStringList missing = access.missingDevices + access.missingFolders;
    if (access.isContainer && !missing.isEmpty())
        return {tr("this container lacks %1").arg(listed(missing)), QString(),
                tr("Start it with %1.").arg(containerOptions(access))};
    if (!access.missingDevices.isEmpty())
        return {tr("this machine lacks %1").arg(listed(access.missingDevices)), QString(),
                tr("Ask root to install and load the Ascend driver.")};
    if (!access.closedDevices.isEmpty())
        return {tr("the user %1 may not open %2").arg(userName(geteuid()), listed(access.closedDevices)),
                {},
                tr("Ask root to add the user to the group %1, then log in again.").arg(access.group)};
    return {};
}

} // namespace

DriverAccess lookAtDriver(const QString &root)
{
    DriverAccess access;
    access.isContainer = QFileInfo::exists(root + u"/.dockerenv"_s) ||
                         QFileInfo::exists(root + u"/run/.containerenv"_s) ||
                         (root.isEmpty() && !isInitialPidNamespace());
    for (const char *device : devices) {
        const QByteArray path = QFile::encodeName(root) + device;
        struct stat info {
        };
        if (stat(path.constData(), &info) != 0) {
            access.missingDevices << QLatin1String(device);
        } else if (::access(path.constData(), R_OK | W_OK) != 0) {
            if (access.closedDevices.isEmpty())
                access.group = groupName(info.st_gid);
            access.closedDevices << QLatin1String(device);
        }
    }
    if (!hasChips(root))
        access.missingDevices << u"/dev/davinciN"_s;
    for (const char *folder : folders) {
        if (!QFileInfo(root + QLatin1String(folder)).isDir())
            access.missingFolders << QLatin1String(folder);
    }
    return access;
}

/// Returns the meaning of a DCMI code; "error -8099" if unknown. Source: hicann/driver, dcmi_interface_api.h.
static QString dcmiCodeWords(int code)
{
    for (const Code &known : codes) {
        if (known.code == code)
            return tr(known.words);
    }
    return tr("error %1").arg(code);
}

Error explainDcmi(int code, const DriverAccess &access, const QString &where)
{
    const Error problem = accessProblem(access);
    const QString beginning = tr("cannot reach the NPUs (%1, %2)").arg(code).arg(dcmiCodeWords(code));
    if (code != occupied && !problem.what.isEmpty())
        return {tr("%1: %2").arg(beginning, problem.what), where, problem.mend};
    if (code == occupied)
        return {tr("%1: another container or virtual machine uses them").arg(beginning), where,
                tr("End that one, or start this one with its own NPUs (--device /dev/davinciN).")};
    if (code == innerError && access.isContainer)
        return {tr("%1, although this container has all that it needs").arg(beginning), where,
                tr("Another container may use the same NPUs, or the driver versions of container and host "
                   "differ. See dmesg on the host.")};
    return {beginning, where, tr("See dmesg for messages of the driver.")};
}

Error explainFailure(const QString &words, const DriverAccess &access, const QString &where)
{
    const Error problem = accessProblem(access);
    if (problem.what.isEmpty())
        return {tr("cannot query the NPUs: %1").arg(words), where,
                tr("See dmesg for messages of the driver.")};
    return {tr("cannot query the NPUs: %1; %2").arg(words, problem.what), where, problem.mend};
}

} // namespace rankdeck
