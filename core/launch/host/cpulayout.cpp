#include "launch/host/cpulayout.h"

#include "base/numberranges.h"

#include <QDir>
#include <QFile>
#include <QMap>

namespace rankdeck
{

static QString textOf(const QString &path)
{
    constexpr qint64 mostBytes = 64 * 1024;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.read(mostBytes)).trimmed() : QString();
}

/// Returns the paths below `folder` whose names are `name` and a number, by that number.
static QStringList numberedFolders(const QString &folder, const QString &name)
{
    QMap<int, QString> found;
    const QStringList entries = QDir(folder).entryList({name + QStringLiteral("[0-9]*")}, QDir::Dirs);
    for (const QString &entry : entries) {
        bool isNumber = false;
        const int number = entry.mid(name.size()).toInt(&isNumber);
        if (isNumber)
            found.insert(number, folder + QLatin1Char('/') + entry);
    }
    return found.values();
}

/// Adds the cpus of a list such as "0-3,8" as a group, unless they are one already.
static void addGroup(QList<QList<int>> &groups, const QString &list)
{
    const auto cpus = numbersFromRanges(list);
    if (cpus && !cpus->isEmpty() && !groups.contains(*cpus))
        groups << *cpus;
}

CpuLayout CpuLayout::read(const QString &sys)
{
    CpuLayout layout;
    for (const QString &node : numberedFolders(sys + QStringLiteral("/node"), QStringLiteral("node")))
        addGroup(layout.numaNodes, textOf(node + QStringLiteral("/cpulist")));
    QMap<int, QList<int>> sockets;
    for (const QString &cpu : numberedFolders(sys + QStringLiteral("/cpu"), QStringLiteral("cpu"))) {
        bool isNumber = false;
        const int socket = textOf(cpu + QStringLiteral("/topology/physical_package_id")).toInt(&isNumber);
        if (isNumber)
            sockets[socket] << cpu.section(QLatin1Char('/'), -1).mid(3).toInt();
        addGroup(layout.coreComplexes, textOf(cpu + QStringLiteral("/cache/index3/shared_cpu_list")));
    }
    layout.sockets = sockets.values();
    return layout;
}

} // namespace rankdeck
