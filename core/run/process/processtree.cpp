#include "run/process/processtree.h"

#include "base/fields.h"
#include "base/regularfile.h"
#include "base/username.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QSysInfo>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

std::unordered_multimap<pid_t, ProcessInfo> processesByParent()
{
    std::unordered_multimap<pid_t, ProcessInfo> children;
    for (const pid_t pid : allPids()) {
        if (auto process = readProcess(pid))
            children.emplace(process->parent, std::move(*process));
    }
    return children;
}

std::vector<pid_t> childrenByParent(pid_t parent)
{
    const auto processes = processesByParent();
    std::vector<pid_t> children;
    for (auto [child, end] = processes.equal_range(parent); child != end; ++child)
        children.push_back(child->second.pid);
    return children;
}

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
    const QByteArray suffix = ':' + QByteArray::number(port, 16).toUpper().rightJustified(4, '0');
    for (const QByteArray &line : fileContent(QString::fromLatin1(table)).split('\n')) {
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

void visitFields(Fields &fields, SupervisorId &supervisor)
{
    fields("host", supervisor.host);
    fields("pid", supervisor.pid);
    fields("start_time", supervisor.startTime);
}

SupervisorId supervisorIdOf(qint64 pid)
{
    const auto process = readProcess(static_cast<pid_t>(pid));
    return {QSysInfo::machineHostName(), pid, process ? process->startTime : 0};
}

SupervisorId thisSupervisor()
{
    return supervisorIdOf(getpid());
}

bool isAlive(const SupervisorId &supervisor)
{
    if (supervisor.host != QSysInfo::machineHostName())
        return true;
    const auto process = readProcess(static_cast<pid_t>(supervisor.pid));
    return process && process->startTime == supervisor.startTime && process->state != 'Z';
}

std::vector<pid_t> allPids()
{
    std::vector<pid_t> pids;
    const std::unique_ptr<DIR, int (*)(DIR *)> proc(opendir("/proc"), closedir);
    while (const dirent *entry = proc ? readdir(proc.get()) : nullptr) {
        char *end = nullptr;
        const long pid = std::strtol(entry->d_name, &end, 10);
        if (*end == '\0' && pid > 0)
            pids.push_back(static_cast<pid_t>(pid));
    }
    return pids;
}

std::optional<ProcessInfo> readProcess(pid_t pid)
{
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/stat", static_cast<int>(pid));
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    std::array<char, 1024> text{};
    const ssize_t size = read(file, text.data(), text.size() - 1);
    close(file);
    if (size <= 0)
        return std::nullopt;

    // "pid (name) S ppid …": the name may contain blanks and parentheses, so the last parenthesis ends it.
    const char *const nameBegin = std::strchr(text.data(), '(');
    const char *const nameEnd = std::strrchr(text.data(), ')');
    if (!nameBegin || !nameEnd || nameEnd < nameBegin || nameEnd[1] != ' ' || nameEnd[2] == '\0')
        return std::nullopt;
    // Fields after the state, as numbers: this is read for every process of the machine.
    constexpr std::size_t parentField = 0;
    constexpr std::size_t userTimeField = 10;
    constexpr std::size_t startTimeField = 18;
    constexpr std::size_t residentField = 20;
    std::array<qint64, residentField + 1> fields{};
    char *at = const_cast<char *>(nameEnd) + 3;
    for (qint64 &field : fields) {
        const char *const before = at;
        field = std::strtoll(before, &at, 10);
        if (at == before)
            return std::nullopt;
    }
    ProcessInfo process;
    process.pid = pid;
    process.name = QString::fromUtf8(nameBegin + 1, nameEnd - nameBegin - 1);
    process.state = nameEnd[2];
    process.parent = static_cast<pid_t>(fields[parentField]);
    process.group = static_cast<pid_t>(fields[parentField + 1]);
    process.session = static_cast<pid_t>(fields[parentField + 2]);
    process.cpuTicks = static_cast<quint64>(fields[userTimeField] + fields[userTimeField + 1]);
    process.startTime = static_cast<quint64>(fields[startTimeField]);
    process.residentPages = fields[residentField];
    return process;
}

std::vector<ProcessInfo> descendants(pid_t root)
{
    const auto children = processesByParent();
    std::vector<ProcessInfo> found;
    std::vector<pid_t> toVisit{root};
    while (!toVisit.empty()) {
        const auto [first, last] = children.equal_range(toVisit.back());
        toVisit.pop_back();
        for (auto child = first; child != last; ++child) {
            toVisit.push_back(child->second.pid);
            found.push_back(child->second);
        }
    }
    return found;
}

std::set<pid_t> lineOf(pid_t pid)
{
    std::set<pid_t> line;
    for (auto process = readProcess(pid); process; process = readProcess(process->parent))
        line.insert(process->pid);
    return line;
}

bool isRankdeck(const ProcessInfo &process)
{
    return process.name.startsWith("rankdeck"_L1);
}

std::vector<pid_t> ownChildren()
{
    // Each thread has its own children; the kernel reparents them to another thread when it ends.
    const QStringList threads = QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    std::vector<pid_t> children;
    for (const QString &thread : threads) {
        QFile file(u"/proc/self/task/%1/children"_s.arg(thread));
        // Kernels without CONFIG_PROC_CHILDREN have no such file.
        if (!file.open(QIODevice::ReadOnly))
            return childrenByParent(getpid());
        for (const QByteArray &pid : file.readAll().simplified().split(' ')) {
            if (!pid.isEmpty())
                children.push_back(pid.toInt());
        }
    }
    return children;
}

bool continueIfStopped(pid_t child)
{
    siginfo_t news{};
    return child > 0 && waitid(P_PID, static_cast<id_t>(child), &news, WSTOPPED | WNOHANG) == 0 &&
           news.si_pid == child && kill(child, SIGCONT) == 0;
}

bool continueIfSuspended(pid_t pid)
{
    const auto process = readProcess(pid);
    return process && process->state == 'T' && kill(pid, SIGCONT) == 0;
}

bool wasStartedWith(pid_t pid, const char *name)
{
    const QList<QByteArray> variables = fileContent(u"/proc/%1/environ"_s.arg(pid)).split('\0');
    const QByteArray beginning = QByteArray(name) + '=';
    return std::ranges::any_of(variables,
                               [&](const QByteArray &variable) { return variable.startsWith(beginning); });
}

void becomeSubreaper()
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

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
