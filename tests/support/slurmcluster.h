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
                !QFile::exists(u"/usr/sbin/"_s + QLatin1String(program)))
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
        QFile random(u"/dev/urandom"_s);
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

        startDaemon("munged", {u"--foreground"_s, u"--force"_s, u"--key-file="_s + path("munge/key"),
                               u"--socket="_s + path("munge/socket"), u"--pid-file="_s + path("munge/pid"),
                               u"--seed-file="_s + path("munge/seed")});
        if (!QTest::qWaitFor([this] { return QFile::exists(path("munge/socket")); }, 60000))
            return false;
        startDaemon("slurmctld", {u"-D"_s});
        for (const char *node : {"node1", "node2", "node3"})
            startDaemon("slurmd", {u"-D"_s, u"-N"_s, QString::fromLatin1(node)});
        return QTest::qWaitFor(
            [] {
                return QProcess::execute(u"salloc"_s,
                                         {u"--quiet"_s, u"--immediate=1"_s, u"--nodes=3"_s, u"true"_s}) == 0;
            },
            90000);
    }

private:
    QString path(const char *name) const { return m_directory + '/'_L1 + QLatin1String(name); }

    void startDaemon(const char *name, const QStringList &arguments)
    {
        m_daemons.push_back(std::make_unique<QProcess>());
        QProcess &daemon = *m_daemons.back();
        daemon.setStandardOutputFile(QProcess::nullDevice());
        daemon.setStandardErrorFile(path(name) + u".txt"_s, QIODevice::Append);
        daemon.start(QString::fromLatin1(name), arguments);
        daemon.waitForStarted();
    }

    QString settings() const
    {
        QString text = u"ClusterName=test\nSlurmctldHost=%1(127.0.0.1)\nSlurmUser=root\n"
                       "SlurmdUser=root\nSlurmctldPort=%2\n"
                       "AuthInfo=socket=%3/munge/socket\nCredType=cred/munge\n"
                       "StateSaveLocation=%3/state\nSlurmdSpoolDir=%3/spool.%n\n"
                       "SlurmctldPidFile=%3/slurmctld.pid\nSlurmdPidFile=%3/slurmd.%n.pid\n"_s.arg(
                           QSysInfo::machineHostName(), QString::number(freePort()), m_directory);
        // On loopback alone, and without what containers do not have: cgroups, accounting, a mailer.
        text += u"CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n"
                "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
                "JobAcctGatherType=jobacct_gather/none\nMpiDefault=none\nReturnToService=2\n"
                "MailProg=/bin/true\nSlurmdParameters=config_overrides\nKillWait=5\n"_s;
        for (const char *node : {"node1", "node2", "node3"})
            text += u"NodeName=%1 NodeHostname=%2 NodeAddr=127.0.0.1 Port=%3 CPUs=4\n"_s.arg(
                QLatin1String(node), QSysInfo::machineHostName(), QString::number(freePort()));
        return text + u"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"_s;
    }

    QString m_directory;
    std::vector<std::unique_ptr<QProcess>> m_daemons;
};

} // namespace rankdeck
