#include "agent/transport/transports.h"

#include "agent/transport/agenttransport.h"
#include "agent/transport/nodeprogramtransport.h"

#include <QStandardPaths>

namespace rankdeck
{

namespace
{

/// One word of a POSIX shell's command line: ssh hands its command to the login shell of the other side.
QString shellWord(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

QStringList sshOptions(const NodeOptions &options)
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

} // namespace

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
