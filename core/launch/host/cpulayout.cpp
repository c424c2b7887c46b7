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
    const QStringList entries = QDir(folder).entryList({name + u"[0-9]*"_s}, QDir::Dirs);
    for (const QString &entry : entries) {
        bool isNumber = false;
        const int number = entry.mid(name.size()).toInt(&isNumber);
        if (isNumber)
            found.insert(number, folder + '/'_L1 + entry);
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
    for (const QString &node : numberedFolders(sys + u"/node"_s, u"node"_s))
        addGroup(layout.numaNodes, textOf(node + u"/cpulist"_s));
    QMap<int, QList<int>> sockets;
    for (const QString &cpu : numberedFolders(sys + u"/cpu"_s, u"cpu"_s)) {
        bool isNumber = false;
        const int socket = textOf(cpu + u"/topology/physical_package_id"_s).toInt(&isNumber);
        if (isNumber)
            sockets[socket] << cpu.section('/'_L1, -1).mid(3).toInt();
        addGroup(layout.coreComplexes, textOf(cpu + u"/cache/index3/shared_cpu_list"_s));
    }
    layout.sockets = sockets.values();
    return layout;
}

} // namespace rankdeck
