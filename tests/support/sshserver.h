#pragma once

#include "support/freeport.h"
#include "support/testhome.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

#include <unistd.h>

namespace rankdeck
{

/// An sshd of our own on a loopback port, which lets this user in with a key made for it, and the ssh
/// configuration that leads there: hosts alpha, beta and gamma are all this machine.
class SshServer
{
public:
    static bool isInstalled()
    {
        return QFileInfo(program()).isExecutable() && !QStandardPaths::findExecutable(ssh()).isEmpty();
    }

    explicit SshServer(const QString &directory)
        : m_directory(directory)
    {
        QDir().mkpath(directory);
    }
    ~SshServer()
    {
        m_process.terminate();
        m_process.waitForFinished();
    }

    /// Whether it takes connections now.
    bool start()
    {
        if (geteuid() == 0)
            QDir().mkpath(QStringLiteral("/run/sshd")); // Where root's sshd confines itself.
        for (const char *key : {"host", "user"}) {
            if (QProcess::execute(QStringLiteral("ssh-keygen"),
                                  {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                                   QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(key)}) != 0)
                return false;
        }
        write("sshd_config", QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2\n"
                                            "AuthorizedKeysFile %3\nStrictModes no\nUsePAM no\n"
                                            "PasswordAuthentication no\nMaxStartups 200\nPidFile none\n")
                                 .arg(QString::number(m_port), path("host"), path("user.pub")));
        const QStringList hostKey = QString::fromUtf8(read("host.pub")).split(QLatin1Char(' '));
        write("known_hosts", QStringLiteral("[127.0.0.1]:%1 %2 %3\n")
                                 .arg(QString::number(m_port), hostKey.value(0), hostKey.value(1)));
        write("ssh_config", QStringLiteral("Host alpha beta gamma\n  HostName 127.0.0.1\n  Port %1\n"
                                           "  IdentityFile %2\n  IdentitiesOnly yes\n"
                                           "  UserKnownHostsFile %3\n")
                                .arg(QString::number(m_port), path("user"), path("known_hosts")));
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(program(), {QStringLiteral("-D"), QStringLiteral("-f"), path("sshd_config"),
                                    QStringLiteral("-E"), path("sshd.log")});
        return m_process.waitForStarted() && QTest::qWaitFor([this] {
                   QTcpSocket socket;
                   socket.connectToHost(QStringLiteral("127.0.0.1"), m_port);
                   return socket.waitForConnected();
               });
    }

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
    static QString program() { return QStringLiteral("/usr/sbin/sshd"); }
    static QString ssh() { return QStringLiteral("ssh"); }
    QString path(const char *name) const { return m_directory + QLatin1Char('/') + QLatin1String(name); }

    QString m_directory;
    quint16 m_port = freePort();
    QProcess m_process;
};

} // namespace rankdeck
