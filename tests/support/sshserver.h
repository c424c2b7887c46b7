#pragma once

#include "freeport.h"
#include "testhome.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

#include <functional>

#include <sched.h>
#include <unistd.h>

namespace rankdeck
{

/// An sshd of our own, which lets this user in with a key made for it, and the ssh configuration that leads
/// there: on a loopback port, as hosts alpha, beta and gamma, unless other hosts and an address are given.
class SshServer
{
public:
    static bool isInstalled()
    {
        return QFileInfo(program()).isExecutable() && !QStandardPaths::findExecutable(ssh()).isEmpty();
    }

    explicit SshServer(const QString &directory, const char *hosts = "alpha beta gamma",
                       const char *address = "127.0.0.1")
        : m_directory(directory)
        , m_hosts(QString::fromLatin1(hosts))
        , m_address(QString::fromLatin1(address))
    {
        QDir().mkpath(directory);
    }
    ~SshServer()
    {
        m_process.terminate();
        m_process.waitForFinished();
    }

    /// Lines of sshd_config; before start().
    void addSettings(const QString &lines) { m_settings += lines; }
    /// In a network namespace of its own, for which `plug` makes an interface with the address when sshd
    /// runs.
    bool startInOwnNetwork(const std::function<void(qint64 pid)> &plug)
    {
        m_process.setChildProcessModifier([] { unshare(CLONE_NEWNET); });
        m_listensOn = u"0.0.0.0"_s;
        return launch() && (plug(m_process.processId()), takesConnections());
    }
    /// Whether it takes connections now.
    bool start() { return launch() && takesConnections(); }

    /// Of the nodes, which are not to meet those of other tests.
    QString stateHome() const { return path("state"); }
    /// For ssh's -F.
    QString configuration() const { return path("ssh_config"); }
    QByteArray read(const char *name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const char *name, const QString &text) const
    {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            file.write(text.toUtf8());
    }

private:
    bool launch()
    {
        if (geteuid() == 0)
            QDir().mkpath(u"/run/sshd"_s); // Where root's sshd confines itself.
        for (const char *key : {"host", "user"}) {
            if (QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(),
                                                    u"-f"_s, path(key)}) != 0)
                return false;
        }
        write("sshd_config",
              u"Port %1\nListenAddress %4\nHostKey %2\n"
              "AuthorizedKeysFile %3\nStrictModes no\nUsePAM no\n"
              "PasswordAuthentication no\nMaxStartups 200\nPidFile none\n"
              "SetEnv XDG_STATE_HOME=%5\n%6"_s.arg(QString::number(m_port), path("host"), path("user.pub"),
                                                   m_listensOn, stateHome(), m_settings));
        const QStringList hostKey = QString::fromUtf8(read("host.pub")).split(' '_L1);
        write("known_hosts", u"[%1]:%2 %3 %4\n"_s.arg(m_address, QString::number(m_port), hostKey.value(0),
                                                      hostKey.value(1)));
        write("ssh_config",
              u"Host %1\n  HostName %2\n  Port %3\n  IdentityFile %4\n"
              "  IdentitiesOnly yes\n  UserKnownHostsFile %5\n"_s.arg(
                  m_hosts, m_address, QString::number(m_port), path("user"), path("known_hosts")));
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(program(), {u"-D"_s, u"-f"_s, path("sshd_config"), u"-E"_s, path("sshd.log")});
        return m_process.waitForStarted();
    }
    bool takesConnections() const
    {
        return QTest::qWaitFor(
            [this] {
                QTcpSocket socket;
                socket.connectToHost(m_address, m_port);
                return socket.waitForConnected(1000);
            },
            60000);
    }
    static QString program() { return u"/usr/sbin/sshd"_s; }
    static QString ssh() { return u"ssh"_s; }
    QString path(const char *name) const { return m_directory + '/'_L1 + QLatin1String(name); }

    QString m_directory;
    QString m_hosts;
    QString m_address;
    QString m_listensOn = m_address;
    QString m_settings;
    quint16 m_port = freePort();
    QProcess m_process;
};

} // namespace rankdeck
