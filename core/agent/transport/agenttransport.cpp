#include "agent/transport/agenttransport.h"

#include "agent/transport/nodeprogramtransport.h"
#include "run/process/processsettings.h"

#include <QStandardPaths>

namespace rankdeck
{

/// This much of the end of standard error is kept: enough to explain an end.
constexpr qsizetype keptBytes = 4096;

/// One word of a POSIX shell's command line: ssh hands its command to the login shell of the other side.
static QString shellWord(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

static QStringList sshOptions(const NodeOptions &options)
{
    QStringList arguments{QStringLiteral("-T"), QStringLiteral("-x"), QStringLiteral("-a")};
    if (!options.sshConfig.isEmpty())
        arguments << QStringLiteral("-F") << options.sshConfig;
    // One connection a node, whose end is the agent's alone; no question, and no host that is not known.
    for (const char *option : {"BatchMode=yes", "StrictHostKeyChecking=yes", "ControlMaster=no",
                               "ControlPath=none", "ClearAllForwardings=yes", "EscapeChar=none",
                               "RemoteCommand=none", "ConnectTimeout=15", "LogLevel=ERROR",
                               // Logs are compressed before; nothing else is large.
                               "Compression=no"})
        arguments << QStringLiteral("-o") << QString::fromLatin1(option);
    // ssh reads these after the user's own; the first two are its default.
    arguments << QStringLiteral("-o")
              << QStringLiteral(
                     "GlobalKnownHostsFile=/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2 \"%1\"")
                     .arg(knownHostsPath());
    return arguments;
}

ProcessTransport::ProcessTransport(QStringList command, QObject *parent)
    : AgentTransport(parent)
    , m_command(std::move(command))
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        const bool hasExited = how == QProcess::NormalExit;
        Q_EMIT ended(textOfEnd({hasExited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code}));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(textOfFailedStart());
    });
}

ProcessTransport::~ProcessTransport()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

LocalTransport::LocalTransport(const QString &program, QObject *parent)
    : ProcessTransport({program, QStringLiteral("agent")}, parent)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setChildProcessModifier(restoreLimits); // Its ranks are to have them.
}

QString LocalTransport::textOfEnd(const ExitStatus &status) const
{
    return tr("the agent ended with %1").arg(status.text());
}

QString LocalTransport::textOfFailedStart() const
{
    return tr("the agent could not be started: %1").arg(m_process.errorString());
}

RemoteTransport::RemoteTransport(QStringList command, QObject *parent)
    : ProcessTransport(std::move(command), parent)
{
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_words = (m_words + m_process.readAllStandardError()).right(keptBytes); });
    connect(&m_process, &QProcess::bytesWritten, this, &RemoteTransport::sent);
}

int RemoteTransport::exitCode() const
{
    const bool hasEnded = m_process.state() == QProcess::NotRunning;
    return hasEnded && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool RemoteTransport::mayHaveLeftAgent() const
{
    // ssh exits with this when the connection broke, rather than with the code of the remote command.
    constexpr int lostConnection = 255;
    return exitCode() == -1 || exitCode() == lostConnection;
}

QString RemoteTransport::textOfEnd(const ExitStatus &status) const
{
    const QString end = tr("%1 ended with %2").arg(m_command.first(), status.text());
    const QString words = QString::fromUtf8(m_words).simplified();
    return words.isEmpty() ? end : tr("%1 and said \"%2\"").arg(end, words);
}

QString RemoteTransport::textOfFailedStart() const
{
    return tr("%1 cannot be started: %2").arg(m_command.first(), m_process.errorString());
}

TransportKind transportFrom(const QString &word)
{
    for (const TransportKind kind : {TransportKind::Ssh, TransportKind::Slurm}) {
        if (word == transportWord(kind))
            return kind;
    }
    return TransportKind::Local;
}

QStringList transportCommand(TransportKind kind, const QString &node, const NodeOptions &options,
                             const QByteArray &script, const QStringList &arguments)
{
    QStringList shell{QStringLiteral("sh"), QStringLiteral("-c"), QString::fromLatin1(script)};
    shell += arguments;
    switch (kind) {
    case TransportKind::Local:
        break;
    case TransportKind::Ssh: {
        QString line = QStringLiteral("exec");
        for (const QString &word : shell)
            line += QLatin1Char(' ') + shellWord(word);
        return QStringList{QStringLiteral("ssh")} + sshOptions(options) +
               QStringList{QStringLiteral("--"), node, line};
    }
    case TransportKind::Slurm:
        // One step a node: of several in one step srun tears long lines apart.
        return QStringList{QStringLiteral("srun"),       QStringLiteral("--quiet"),
                           QStringLiteral("--overlap"),  QStringLiteral("--nodes=1"),
                           QStringLiteral("--ntasks=1"), QStringLiteral("--nodelist=") + node} +
               shell;
    }
    return {};
}

std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const NodeOptions &options, const QString &ownProgram,
                                              CopyPolicy policy)
{
    if (kind == TransportKind::Local)
        return std::make_unique<LocalTransport>(ownProgram);
    NodeWay way{node, {}, {}, ownProgram, policy == CopyPolicy::Copy};
    if (!options.program.isEmpty()) {
        way.command = transportCommand(kind, node, options, runProgramScript(), {options.program});
        return std::make_unique<NodeProgramTransport>(std::move(way));
    }
    QStringList arguments{QStringLiteral("sh")};
    if (kind == TransportKind::Slurm)
        arguments << ownProgram; // Its nodes share file systems, often.
    way.command = transportCommand(kind, node, options, findProgramScript(true), arguments);
    way.askingCommand = transportCommand(kind, node, options, findProgramScript(false), arguments);
    return std::make_unique<NodeProgramTransport>(std::move(way));
}

std::unique_ptr<AgentTransport> makeRejoinTransport(const QString &node, const NodeOptions &options,
                                                    const QString &program, const QString &id)
{
    return std::make_unique<RemoteTransport>(
        transportCommand(TransportKind::Ssh, node, options, rejoinScript(), {program, id}));
}

QString knownHostsPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/rankdeck/known_hosts");
}

} // namespace rankdeck
