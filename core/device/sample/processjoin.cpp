#include "device/sample/processjoin.h"

#include "base/regularfile.h"
#include "base/username.h"

#include <sys/stat.h>

namespace rankdeck
{

bool isInitialPidNamespace()
{
    constexpr ino_t initialNamespace = 0xEFFFFFFC;
    struct stat info {
    };
    return stat("/proc/self/ns/pid", &info) != 0 || info.st_ino == initialNamespace;
}

QList<qint64> namespacePidsFrom(QByteArrayView status)
{
    constexpr QByteArrayView label("NSpid:");
    for (const QByteArray &line : status.toByteArray().split('\n')) {
        if (!line.startsWith(label))
            continue;
        QList<qint64> pids;
        for (const QByteArray &word : line.sliced(label.size()).simplified().split(' ')) {
            bool isNumber = false;
            const qint64 pid = word.toLongLong(&isNumber);
            if (isNumber && pid > 0)
                pids << pid;
        }
        return pids;
    }
    return {};
}

QList<qint64> namespacePids(pid_t pid)
{
    return namespacePidsFrom(fileContent(u"/proc/%1/status"_s.arg(pid)));
}

PidView pidViewOf(const QHash<qint64, int> &owners)
{
    PidView view{isInitialPidNamespace(), owners, {}};
    if (view.areHostPids)
        return view;
    QList<qint64> ambiguous;
    for (auto it = owners.begin(); it != owners.end(); ++it) {
        const QList<qint64> pids = namespacePids(static_cast<pid_t>(it.key()));
        if (pids.isEmpty())
            continue;
        if (view.byContainerPid.contains(pids.last()))
            ambiguous << pids.last();
        view.byContainerPid.insert(pids.last(), it.key());
    }
    for (const qint64 pid : ambiguous)
        view.byContainerPid.remove(pid);
    return view;
}

QList<DeviceUser> joinProcesses(const QList<DeviceProcess> &processes, const PidView &view)
{
    QList<DeviceUser> users;
    for (const DeviceProcess &process : processes) {
        DeviceUser user;
        user.process = process;
        // Processes of other containers may have the same pid; only pids of our own processes count here.
        user.ownPid =
            view.areHostPids ? process.pid : view.byContainerPid.value(process.containerPid.value_or(0), 0);
        if (user.ownPid > 0) {
            user.owner = view.owners.value(user.ownPid, -1);
            user.user = userOf(static_cast<pid_t>(user.ownPid));
            if (user.process.name.isEmpty()) // The kernel cuts it to 15 characters, about as npu-smi does.
                user.process.name =
                    QString::fromUtf8(fileContent(u"/proc/%1/comm"_s.arg(user.ownPid))).trimmed();
        }
        users << user;
    }
    return users;
}

} // namespace rankdeck
