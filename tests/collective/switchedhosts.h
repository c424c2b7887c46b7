#pragma once

#include "ranks.h"
#include "support/ownmachine.h"

#include <QTest>

#include <memory>
#include <vector>

namespace rankdeck
{

/// Hosts on a switch, 10.78.0.1, .2 …: networks of their own on this machine. In a test program that has
/// called moveToOwnMachine().
class SwitchedHosts
{
public:
    explicit SwitchedHosts(int count)
    {
        m_areThere = canBe() && run(u"ip link add switch type bridge"_s) && run(u"ip link set switch up"_s);
        for (int host = 0; host < count && m_areThere; ++host)
            m_areThere = add(host);
    }
    ~SwitchedHosts()
    {
        for (const auto &holder : m_holders) {
            holder->kill();
            holder->waitForFinished();
        }
        // The kernel takes its time to end a network that nobody holds any more, and its cables with it.
        for (std::size_t host = 0; host < m_holders.size(); ++host)
            run(u"ip link delete host%1"_s.arg(host));
        if (canBe())
            run(u"ip link delete switch"_s);
    }

    /// It takes root, and a container that allows it.
    static bool canBe() { return hasOwnMachine(); }
    bool areThere() const { return m_areThere; }
    /// What runs a command on a host stands before it.
    QString inside(int host) const
    {
        return u"nsenter --net --target %1 "_s.arg(m_holders[static_cast<std::size_t>(host)]->processId());
    }
    /// On the host of the same number, unless another is given.
    void start(Ranks &ranks, int rank, const QString &program, const QStringList &arguments,
               int host = -1) const
    {
        QStringList words = inside(host < 0 ? rank : host).split(' '_L1, Qt::SkipEmptyParts);
        const QString name = words.takeFirst();
        ranks.start(rank, name, words + QStringList{program} + arguments);
    }
    static bool run(const QString &command)
    {
        QStringList words = command.split(' '_L1);
        const QString name = words.takeFirst();
        return QProcess::execute(name, words) == 0;
    }

private:
    bool add(int host)
    {
        m_holders.push_back(std::make_unique<QProcess>());
        QProcess &holder = *m_holders.back();
        holder.start(u"unshare"_s, {u"--net"_s, u"sh"_s, u"-c"_s, u"echo here; exec cat"_s});
        if (!QTest::qWaitFor([&] { return holder.canReadLine(); }, programLimitMs))
            return false;
        const QString name = u"host%1"_s.arg(host);
        return run(u"ip link add %1 type veth peer name eth0 netns %2"_s.arg(name).arg(holder.processId())) &&
               run(u"ip link set %1 master switch up"_s.arg(name)) &&
               run(inside(host) + u"ip address add 10.78.0.%1/24 dev eth0"_s.arg(host + 1)) &&
               run(inside(host) + u"ip link set eth0 up"_s) && run(inside(host) + u"ip link set lo up"_s);
    }

    bool m_areThere = false;
    std::vector<std::unique_ptr<QProcess>> m_holders; ///< Each keeps a network.
};

} // namespace rankdeck
