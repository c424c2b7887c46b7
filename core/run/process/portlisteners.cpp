#include "run/process/portlisteners.h"

#include "base/username.h"

#include <QFile>
#include <QSet>

#include <array>
#include <memory>

#include <dirent.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// The listening sockets of a port, as "socket:[inode]", and the user of the last of them.
struct Sockets {
    QSet<QByteArray> links;
    QString user;
};

/// proc(5): "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …".
void addSockets(Sockets &sockets, const char *table, int port)
{
    constexpr int localField = 1;
    constexpr int stateField = 3;
    constexpr int userField = 7;
    constexpr int inodeField = 9;
    QFile file(QString::fromLatin1(table));
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QByteArray suffix = ':' + QByteArray::number(port, 16).toUpper().rightJustified(4, '0');
    for (const QByteArray &line : file.readAll().split('\n')) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        const bool isListening = fields.size() > inodeField && fields[stateField] == "0A";
        if (!isListening || !fields[localField].endsWith(suffix))
            continue;
        sockets.links.insert("socket:[" + fields[inodeField] + ']');
        sockets.user = userName(fields[userField].toUInt());
    }
}

bool hasOneOpen(pid_t pid, const QSet<QByteArray> &links)
{
    const QByteArray folder = "/proc/" + QByteArray::number(pid) + "/fd";
    const std::unique_ptr<DIR, int (*)(DIR *)> files(opendir(folder.constData()), closedir);
    while (const dirent *file = files ? readdir(files.get()) : nullptr) {
        std::array<char, 64> target{};
        const ssize_t size = readlinkat(dirfd(files.get()), file->d_name, target.data(), target.size());
        if (size > 0 && links.contains(QByteArray::fromRawData(target.data(), size)))
            return true;
    }
    return false;
}

} // namespace

PortListeners listenersOn(int port)
{
    Sockets sockets;
    addSockets(sockets, "/proc/net/tcp", port);
    addSockets(sockets, "/proc/net/tcp6", port);
    PortListeners listeners;
    if (sockets.links.isEmpty())
        return listeners;
    for (const pid_t pid : allPids()) {
        const auto process = hasOneOpen(pid, sockets.links) ? readProcess(pid) : std::nullopt;
        if (process)
            listeners.processes.push_back(*process);
    }
    if (listeners.processes.empty())
        listeners.otherUser = sockets.user;
    return listeners;
}

} // namespace rankdeck
