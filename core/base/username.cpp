#include "base/username.h"

#include <QHash>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

namespace rankdeck
{

QString userName(uid_t id)
{
    // A directory service is reached over the network, and the same few users are looked up again and again.
    thread_local QHash<uid_t, QString> known;
    QString &name = known[id];
    if (name.isEmpty()) {
        const passwd *entry = getpwuid(id);
        name = entry ? QString::fromLocal8Bit(entry->pw_name) : u"uid %1"_s.arg(id);
    }
    return name;
}

QString groupName(gid_t id)
{
    const group *entry = getgrgid(id);
    return entry ? QString::fromLocal8Bit(entry->gr_name) : u"gid %1"_s.arg(id);
}

std::optional<uid_t> ownerOf(pid_t pid)
{
    struct stat its = {};
    const QByteArray folder = "/proc/" + QByteArray::number(pid);
    return stat(folder.constData(), &its) == 0 ? std::optional(its.st_uid) : std::nullopt;
}

QString userOf(pid_t pid)
{
    const auto owner = ownerOf(pid);
    return owner ? userName(*owner) : QString();
}

} // namespace rankdeck
