#pragma once

#include "programs.h"
#include "sshserver.h"

namespace rankdeck
{

/// Two nodes over a real sshd, alpha and beta, each with a home, a PATH and a login shell of its own, and
/// without Rankdeck. Both are this machine. Whatever a failed check leaves of their agents is killed by pid.
class BareNodes
{
public:
    BareNodes()
        : m_ssh(m_home.path("ssh"))
    {
        qputenv("XDG_CONFIG_HOME", m_home.path("config").toLocal8Bit());
        qunsetenv("SLURM_JOB_ID");
        m_ssh.addSettings(u"AcceptEnv NODE\nForceCommand %1\n"_s.arg(
            write("login",
                  "#!/bin/sh\ncd " + m_home.path("").toUtf8() +
                      "/$NODE\nHOME=$PWD PATH=$PWD/bin:$(/bin/cat path)\n"
                      "export HOME PATH\nunset NODE XDG_CACHE_HOME\n"
                      "shell=$(/bin/cat shell)\n"
                      "wrapper=$(/bin/cat wrapper 2>/dev/null)\n"
                      "/bin/cat banner 2>/dev/null\n"
                      "[ ! -e profile ] || . ./profile\n"
                      "exec $wrapper \"$shell\" -c \"$SSH_ORIGINAL_COMMAND\"\n",
                  true)));
        for (const char *node : {"alpha", "beta"}) {
            set(node, "path", "/usr/bin:/bin");
            setShell(node, u"/bin/sh"_s);
            QDir().mkpath(path(node, "bin"));
        }
    }
    ~BareNodes()
    {
        for (const qint64 pid : agents())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    BareNodes(const BareNodes &) = delete;
    BareNodes &operator=(const BareNodes &) = delete;

    bool start()
    {
        if (!m_ssh.start())
            return false;
        QString configuration = QString::fromUtf8(m_ssh.read("ssh_config"));
        for (const char *node : {"alpha", "beta"})
            configuration += u"Host %1\n  SetEnv NODE=%1\n"_s.arg(QLatin1String(node));
        m_ssh.write("ssh_config", configuration);
        return true;
    }

    const TestHome &home() const { return m_home; }
    QString configuration() const { return m_ssh.configuration(); }
    QString path(const char *node, const char *name) const
    {
        return m_home.path(node) + '/'_L1 + QLatin1String(name);
    }
    void setShell(const char *node, const QString &shell) { set(node, "shell", shell.toUtf8()); }
    void set(const char *node, const char *name, const QByteArray &text)
    {
        write((QByteArray(node) + '/' + name).constData(), text);
    }
    /// In the place of a tool of the system; an empty script takes the tool away. Needs root.
    void replaceTool(const char *node, const char *tool, const QByteArray &script)
    {
        const QFileInfo file(QStandardPaths::findExecutable(QLatin1String(tool), {u"/usr/bin"_s, u"/bin"_s}));
        if (!script.isEmpty())
            setProgram(node, tool, script);
        const QString other = script.isEmpty() ? u"/dev/null"_s : path(node, "bin/") + QLatin1String(tool);
        write((QByteArray(node) + "/replaced").constData(),
              u"#!/bin/sh\nmount --bind '%1' '%2' && exec \"$@\"\n"_s.arg(other, file.canonicalFilePath())
                  .toUtf8(),
              true);
        set(node, "wrapper", "/usr/bin/unshare -m ./replaced");
    }
    /// In the node's PATH.
    void setProgram(const char *node, const char *name, const QByteArray &script)
    {
        write((QByteArray(node) + "/bin/" + name).constData(), "#!/bin/sh\n" + script + '\n', true);
    }
    /// Copies of rankdeckctl that the node has, whole or not.
    QStringList copies(const char *node) const
    {
        const QDir folder(path(node, ".cache/rankdeck"));
        QStringList found;
        for (const QString &name : folder.entryList(QDir::Files | QDir::Hidden))
            found << folder.filePath(name);
        return found;
    }
    /// Processes on the nodes whose program or whose way in is below this home.
    QList<qint64> agents() const
    {
        QList<qint64> found;
        for (const QString &entry : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
            const QByteArray command = fileText(u"/proc/%1/cmdline"_s.arg(entry));
            if (command.contains("agent") && command.contains(m_home.path("").toUtf8()) &&
                !command.contains("sshd"))
                found << entry.toLongLong();
        }
        return found;
    }

private:
    QString write(const char *name, const QByteArray &text, bool isProgram = false)
    {
        QFile file(m_home.path(name));
        QDir().mkpath(QFileInfo(file).path());
        if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            file.write(text);
        file.close();
        if (isProgram)
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }

    TestHome m_home;
    SshServer m_ssh;
};

} // namespace rankdeck
