#pragma once

#include "programs.h"
#include "sshserver.h"

#include <csignal>
#include <memory>

namespace rankdeck
{

/// Launches over a real sshd for two nodes, alpha and beta, which are both this machine. Whatever a failed
/// check leaves of them is killed by pid in the end.
class RemoteRun
{
public:
    RemoteRun()
    {
        qputenv("XDG_CONFIG_HOME", m_home.path("config").toLocal8Bit());
        // ssh gives the other side none of this environment; Rankdeck gives it to the ranks.
        qputenv("REMOTE_RUN_MARK", m_home.path("mark").toLocal8Bit());
        qunsetenv("SLURM_JOB_ID");
        // An agent is known by its path.
        QFile::link(buildPath("bin/rankdeckctl"), program());
    }
    ~RemoteRun()
    {
        for (const qint64 pid : alive())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
        qunsetenv("REMOTE_RUN_MARK");
    }
    RemoteRun(const RemoteRun &) = delete;
    RemoteRun &operator=(const RemoteRun &) = delete;

    bool startSsh()
    {
        m_ssh = std::make_unique<SshServer>(m_home.path("ssh"));
        m_ssh->addSettings(u"AcceptEnv NODE\n"_s);
        m_configuration = m_ssh->configuration();
        return m_ssh->start();
    }
    /// The nodes are reached by another configuration of ssh.
    void setConfiguration(const QString &file) { m_configuration = file; }
    /// From now on the nodes have another file system than this machine where runs and home().path("apart")
    /// are: what is below home().path("nodes"). Needs root.
    bool standApart() { return standApart({QString()}); }
    /// The same, and alpha and beta have different ones: below home().path("nodes/alpha") and …/beta. After
    /// startSsh().
    bool standApartFromEachOther()
    {
        QString configuration = QString::fromUtf8(m_ssh->read("ssh_config"));
        const QStringList nodes{u"alpha"_s, u"beta"_s};
        for (const QString &node : nodes)
            configuration += u"Host %1\n  SetEnv NODE=%1\n"_s.arg(node);
        m_ssh->write("ssh_config", configuration);
        return standApart(nodes);
    }
    const TestHome &home() const { return m_home; }
    QString nodeStateHome() const { return m_ssh->stateHome(); }
    QString program() const { return m_home.path("rankdeckctl"); }
    QStringList nodeOptions(const char *nodes = "alpha,beta") const
    {
        return {u"--nodes"_s,    QString::fromLatin1(nodes), u"--ssh-config"_s,
                m_configuration, u"--node-program"_s,        m_nodeProgram};
    }
    /// Ranks, what they started, and agents on the nodes.
    QList<qint64> alive() const
    {
        QList<qint64> found = processesOf(m_home.path("mark"));
        const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
        for (const QString &entry : entries) {
            const bool isAgent =
                fileText(u"/proc/%1/cmdline"_s.arg(entry)).startsWith(program().toUtf8() + '\0' + "agent");
            if (isAgent && !found.contains(entry.toLongLong()))
                found << entry.toLongLong();
        }
        return found;
    }

private:
    bool standApart(const QStringList &nodes)
    {
        const QString wrapper = m_home.path("apart-node");
        QDir().mkpath(m_home.path("apart"));
        for (const QString &node : nodes) {
            QDir().mkpath(m_home.path(u"nodes/%1/state"_s.arg(node)));
            QDir().mkpath(m_home.path(u"nodes/%1/apart"_s.arg(node)));
        }
        QFile file(wrapper);
        if (!file.open(QIODevice::WriteOnly))
            return false;
        file.write(
            u"#!/bin/sh\n"
            "exec unshare -m sh -c '\n"
            "  mount --bind %1/nodes/$NODE/state %1/state &&\n"
            "  mount --bind %1/nodes/$NODE/apart %1/apart &&\n"
            "  XDG_STATE_HOME=%1/state exec %2 \"$@\"' node \"$@\"\n"_s.arg(m_home.path(QString()), program())
                .toUtf8());
        m_nodeProgram = wrapper;
        return file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    TestHome m_home;
    QString m_configuration;
    QString m_nodeProgram = program();
    std::unique_ptr<SshServer> m_ssh;
};

} // namespace rankdeck
