#include "agent/transports.h"

#include "agent/guardian.h"
#include "agent/localtransport.h"
#include "agent/remotetransport.h"

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
                               "RemoteCommand=none", "ConnectTimeout=15", "LogLevel=ERROR"})
        arguments << QStringLiteral("-o") << QString::fromLatin1(option);
    // ssh reads these after the user's own; the first two are its default.
    arguments << QStringLiteral("-o")
              << QStringLiteral(
                     "GlobalKnownHostsFile=/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2 \"%1\"")
                     .arg(knownHostsPath());
    return arguments;
}

} // namespace

QStringList transportCommand(TransportKind kind, const QString &node, const NodeOptions &options)
{
    const QString program = options.program.isEmpty() ? QStringLiteral("rankdeckctl") : options.program;
    const QString role = QStringLiteral("agent");
    const QString guarded = QString::fromLatin1(guardedOption.data());
    switch (kind) {
    case TransportKind::Local:
        break;
    case TransportKind::Ssh:
        return QStringList{QStringLiteral("ssh")} + sshOptions(options) +
               QStringList{QStringLiteral("--"), node,
                           shellWord(program) + QLatin1Char(' ') + role + QLatin1Char(' ') + guarded};
    case TransportKind::Slurm:
        // One step a node: of several in one step srun tears long lines apart.
        return {QStringLiteral("srun"),
                QStringLiteral("--quiet"),
                QStringLiteral("--overlap"),
                QStringLiteral("--nodes=1"),
                QStringLiteral("--ntasks=1"),
                QStringLiteral("--nodelist=") + node,
                program,
                role,
                guarded};
    }
    return {};
}

std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const NodeOptions &options, const QString &ownProgram)
{
    if (kind == TransportKind::Local)
        return std::make_unique<LocalTransport>(ownProgram);
    return std::make_unique<RemoteTransport>(transportCommand(kind, node, options));
}

QString knownHostsPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/rankdeck/known_hosts");
}

} // namespace rankdeck
