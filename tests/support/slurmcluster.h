#pragma once

#include "freeport.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <memory>
#include <vector>

#include <unistd.h>

namespace rankdeck
{

/// A Slurm of our own on loopback: a controller and three nodes, node1 to node3, all this machine, in the
/// foreground below this process. Its daemons want root.
class SlurmCluster
{
public:
    static bool canRun()
    {
        for (const char *program : {"munged", "slurmctld", "slurmd", "salloc"}) {
            if (QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty() &&
                !QFile::exists(QStringLiteral("/usr/sbin/") + QLatin1String(program)))
                return false;
        }
        return geteuid() == 0;
    }

    explicit SlurmCluster(const QString &directory)
        : m_directory(directory)
    {
        // munged wants a folder that nobody else can enter by writing into one above it, or --force.
        for (const char *folder : {"", "/state", "/munge"})
            QDir().mkpath(directory + QLatin1String(folder));
    }
    ~SlurmCluster()
    {
        while (!m_daemons.empty()) {
            m_daemons.back()->terminate();
            m_daemons.back()->waitForFinished();
            m_daemons.pop_back();
        }
        qunsetenv("SLURM_CONF");
    }

    /// Whether all nodes can be allocated; sets SLURM_CONF.
    bool start()
    {
        QFile key(path("munge/key"));
        QFile random(QStringLiteral("/dev/urandom"));
        if (!key.open(QIODevice::WriteOnly) || !random.open(QIODevice::ReadOnly | QIODevice::Unbuffered) ||
            key.write(random.read(1024)) != 1024)
            return false;
        key.close();
        key.setPermissions(QFileDevice::ReadOwner);
        QFile configuration(path("slurm.conf"));
        if (!configuration.open(QIODevice::WriteOnly) || configuration.write(settings().toUtf8()) < 0)
            return false;
        configuration.close();
        qputenv("SLURM_CONF", path("slurm.conf").toLocal8Bit());
        qputenv("PATH", qgetenv("PATH") + ":/usr/sbin");

        startDaemon("munged", {QStringLiteral("--foreground"), QStringLiteral("--force"),
                               QStringLiteral("--key-file=") + path("munge/key"),
                               QStringLiteral("--socket=") + path("munge/socket"),
                               QStringLiteral("--pid-file=") + path("munge/pid"),
                               QStringLiteral("--seed-file=") + path("munge/seed")});
        if (!QTest::qWaitFor([this] { return QFile::exists(path("munge/socket")); }, 60000))
            return false;
        startDaemon("slurmctld", {QStringLiteral("-D")});
        for (const char *node : {"node1", "node2", "node3"})
            startDaemon("slurmd", {QStringLiteral("-D"), QStringLiteral("-N"), QString::fromLatin1(node)});
        return QTest::qWaitFor(
            [] {
                return QProcess::execute(QStringLiteral("salloc"),
                                         {QStringLiteral("--quiet"), QStringLiteral("--immediate=1"),
                                          QStringLiteral("--nodes=3"), QStringLiteral("true")}) == 0;
            },
            90000);
    }

private:
    QString path(const char *name) const { return m_directory + QLatin1Char('/') + QLatin1String(name); }

    void startDaemon(const char *name, const QStringList &arguments)
    {
        m_daemons.push_back(std::make_unique<QProcess>());
        QProcess &daemon = *m_daemons.back();
        daemon.setStandardOutputFile(QProcess::nullDevice());
        daemon.setStandardErrorFile(path(name) + QStringLiteral(".txt"), QIODevice::Append);
        daemon.start(QString::fromLatin1(name), arguments);
        daemon.waitForStarted();
    }

    QString settings() const
    {
        QString text = QStringLiteral("ClusterName=test\nSlurmctldHost=%1(127.0.0.1)\nSlurmUser=root\n"
                                      "SlurmdUser=root\nSlurmctldPort=%2\n"
                                      "AuthInfo=socket=%3/munge/socket\nCredType=cred/munge\n"
                                      "StateSaveLocation=%3/state\nSlurmdSpoolDir=%3/spool.%n\n"
                                      "SlurmctldPidFile=%3/slurmctld.pid\nSlurmdPidFile=%3/slurmd.%n.pid\n")
                           .arg(QSysInfo::machineHostName(), QString::number(freePort()), m_directory);
        // On loopback alone, and without what containers do not have: cgroups, accounting, a mailer.
        text += QStringLiteral("CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n"
                               "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
                               "JobAcctGatherType=jobacct_gather/none\nMpiDefault=none\nReturnToService=2\n"
                               "MailProg=/bin/true\nSlurmdParameters=config_overrides\nKillWait=5\n");
        for (const char *node : {"node1", "node2", "node3"})
            text += QStringLiteral("NodeName=%1 NodeHostname=%2 NodeAddr=127.0.0.1 Port=%3 CPUs=4\n")
                        .arg(QLatin1String(node), QSysInfo::machineHostName(), QString::number(freePort()));
        return text + QStringLiteral("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
    }

    QString m_directory;
    std::vector<std::unique_ptr<QProcess>> m_daemons;
};

} // namespace rankdeck
