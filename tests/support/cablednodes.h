#pragma once

#include "ownmachine.h"
#include "programs.h"
#include "sshserver.h"

#include <memory>
#include <vector>

namespace rankdeck
{

/// Nodes alpha and beta, each an sshd in a network of its own with a cable to a switch, where this process is
/// too. Their processes and files are this machine's.
class CabledNodes
{
public:
    static bool canBe()
    {
        return hasOwnMachine() && SshServer::isInstalled() && ip(words("link add switch type bridge")) &&
               ip(words("link delete switch"));
    }

    explicit CabledNodes(const QString &directory)
        : m_directory(directory)
    {
    }
    ~CabledNodes()
    {
        for (const auto &node : m_nodes) {
            for (const pid_t pid : processesIn(node->network))
                ::kill(pid, SIGKILL);
            ip(words("link delete to-%1", node->name));
        }
        m_nodes.clear();
        ip(words("link delete switch"));
    }

    /// Whether both take connections.
    bool start()
    {
        return ip(words("link add switch type bridge")) && ip(words("address add 10.77.0.1/24 dev switch")) &&
               ip(words("link set switch up")) && add("alpha", "10.77.0.2") && add("beta", "10.77.0.3") &&
               writeConfiguration();
    }
    /// For ssh's -F.
    QString configuration() const { return m_directory + u"/ssh_config"_s; }

    /// At the switch: who has the other end sees that its cable is dead, who is on the other side nothing.
    static bool cut(const char *node) { return ip(words("link set to-%1 down", node)); }
    static bool mend(const char *node) { return ip(words("link set to-%1 up", node)); }
    /// Both are reached from here, but not by each other; nobody is told why.
    static bool part()
    {
        return ip(words("link set to-%1 type bridge_slave isolated on", "alpha")) &&
               ip(words("link set to-%1 type bridge_slave isolated on", "beta"));
    }
    /// Nothing but sshd runs on them.
    bool areIdle() const
    {
        return std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto &node) {
            const std::vector<pid_t> all = processesIn(node->network);
            return std::all_of(all.begin(), all.end(), [](pid_t pid) {
                const auto process = readProcess(pid);
                return !process || process->state == 'Z' || process->name == "sshd"_L1;
            });
        });
    }

private:
    struct Node {
        const char *name;
        std::unique_ptr<SshServer> ssh;
        QString network; ///< What /proc/PID/ns/net of its processes says.
    };

    static QStringList words(const char *text, const char *node = "")
    {
        return QString::fromLatin1(text).replace(u"%1"_s, QString::fromLatin1(node)).split(' '_L1);
    }
    static bool ip(const QStringList &arguments) { return QProcess::execute(u"ip"_s, arguments) == 0; }
    static QString networkOf(qint64 pid) { return QFile::symLinkTarget(u"/proc/%1/ns/net"_s.arg(pid)); }
    static std::vector<pid_t> processesIn(const QString &network)
    {
        std::vector<pid_t> found = allPids();
        found.erase(
            std::remove_if(found.begin(), found.end(), [&](pid_t pid) { return networkOf(pid) != network; }),
            found.end());
        return found;
    }

    bool add(const char *name, const char *address)
    {
        m_nodes.push_back(std::make_unique<Node>());
        Node &node = *m_nodes.back();
        node.name = name;
        node.ssh = std::make_unique<SshServer>(m_directory + '/'_L1 + QLatin1String(name), name, address);
        return node.ssh->startInOwnNetwork([&](qint64 pid) {
            node.network = networkOf(pid);
            const QString inside = QString::number(pid);
            ip(words("link add to-%1 type veth peer name eth0 netns", name) << inside);
            ip(words("link set to-%1 master switch up", name));
            for (const QStringList &command : {words("address add %1/24 dev eth0", address),
                                               words("link set eth0 up"), words("link set lo up")})
                QProcess::execute(u"nsenter"_s,
                                  QStringList{u"--net"_s, u"--target"_s, inside, u"ip"_s} + command);
        });
    }
    bool writeConfiguration() const
    {
        QFile file(configuration());
        if (!file.open(QIODevice::WriteOnly))
            return false;
        for (const auto &node : m_nodes)
            file.write(node->ssh->read("ssh_config"));
        return true;
    }

    QString m_directory;
    std::vector<std::unique_ptr<Node>> m_nodes;
};

} // namespace rankdeck
