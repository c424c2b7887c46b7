#include "agent/transports.h"

#include "agent/localtransport.h"
#include "agent/remotetransport.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include <array>

namespace rankdeck
{

namespace
{

constexpr int scontrolMs = 10000;

constexpr std::array allKinds{TransportKind::Local, TransportKind::Ssh, TransportKind::Slurm};

QString tr(const char *text)
{
    return QCoreApplication::translate("transports", text);
}

/// One word of a POSIX shell's command line: ssh hands its command to the login shell of the other side.
QString shellWord(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

QStringList sshOptions(const TransportOptions &options)
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

Error unknownTransport(const QString &word)
{
    return {tr("there is no transport \"%1\"").arg(word), QStringLiteral("--transport"),
            tr("Choose auto, local, ssh or slurm.")};
}

} // namespace

QString transportWord(TransportKind kind)
{
    switch (kind) {
    case TransportKind::Local:
        return QStringLiteral("local");
    case TransportKind::Ssh:
        return QStringLiteral("ssh");
    case TransportKind::Slurm:
        return QStringLiteral("slurm");
    }
    return {};
}

Result<TransportKind> chooseTransport(const TransportOptions &options, bool namesNodes,
                                      const QProcessEnvironment &environment)
{
    const bool isInAllocation = environment.contains(QStringLiteral("SLURM_JOB_ID"));
    if (options.transport == QLatin1String("auto")) {
        if (isInAllocation)
            return TransportKind::Slurm;
        return namesNodes ? TransportKind::Ssh : TransportKind::Local;
    }
    for (const TransportKind kind : allKinds) {
        if (options.transport != transportWord(kind))
            continue;
        if (kind == TransportKind::Slurm && !isInAllocation)
            return Error{tr("this is no Slurm allocation: SLURM_JOB_ID is not set"),
                         QStringLiteral("--transport"),
                         tr("Start it inside salloc or sbatch, or choose ssh.")};
        return kind;
    }
    return unknownTransport(options.transport);
}

Result<QStringList> readNodeList(const QString &list)
{
    const QString option = QStringLiteral("--nodes");
    // A host name, an address, or a name of ssh's configuration, with a user before it.
    static const QRegularExpression form(
        QStringLiteral("^([A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:-]*$"));
    QStringList nodes;
    for (const QString &part : list.split(QLatin1Char(','))) {
        const QString node = part.trimmed();
        if (node.isEmpty())
            return Error{tr("a node's name is empty"), option, tr("Name the nodes like a,b,c.")};
        if (!form.match(node).hasMatch())
            return Error{tr("\"%1\" cannot be a node's name or address").arg(node), option,
                         tr("Name the nodes like a,b,c.")};
        if (nodes.contains(node))
            return Error{tr("%1 is named twice").arg(node), option, tr("Name each node once.")};
        nodes << node;
    }
    return nodes;
}

Result<QStringList> readSlurmNodeList(const QString &list, const QProcessEnvironment &environment)
{
    const QString option = QStringLiteral("--nodes");
    const QString given = list.isEmpty() ? environment.value(QStringLiteral("SLURM_JOB_NODELIST")) : list;
    if (given.isEmpty() || given.startsWith(QLatin1Char('-')))
        return Error{tr("there is no list of nodes: SLURM_JOB_NODELIST is not set"), option,
                     tr("Name the nodes like a,b,c.")};
    QProcess scontrol;
    scontrol.setProcessEnvironment(environment);
    scontrol.start(QStringLiteral("scontrol"), {QStringLiteral("show"), QStringLiteral("hostnames"), given});
    if (!scontrol.waitForFinished(scontrolMs))
        return Error{
            tr("scontrol, which spells out the nodes, gave no answer: %1").arg(scontrol.errorString()),
            option, tr("Name the nodes like a,b,c.")};
    const QString names = QString::fromUtf8(scontrol.readAllStandardOutput()).trimmed();
    if (scontrol.exitStatus() != QProcess::NormalExit || scontrol.exitCode() != 0 || names.isEmpty())
        return Error{tr("scontrol cannot spell out \"%1\": %2")
                         .arg(given, QString::fromUtf8(scontrol.readAllStandardError()).simplified()),
                     option, tr("Name the nodes like a,b,c.")};
    return readNodeList(names.simplified().replace(QLatin1Char(' '), QLatin1Char(',')));
}

QStringList transportCommand(TransportKind kind, const QString &node, const TransportOptions &options)
{
    const QString program = options.program.isEmpty() ? QStringLiteral("rankdeckctl") : options.program;
    const QString role = QStringLiteral("agent");
    switch (kind) {
    case TransportKind::Local:
        break;
    case TransportKind::Ssh:
        return QStringList{QStringLiteral("ssh")} + sshOptions(options) +
               QStringList{QStringLiteral("--"), node, shellWord(program) + QLatin1Char(' ') + role};
    case TransportKind::Slurm:
        // One step a node: of several in one step srun tears long lines apart.
        return {QStringLiteral("srun"),
                QStringLiteral("--quiet"),
                QStringLiteral("--overlap"),
                QStringLiteral("--nodes=1"),
                QStringLiteral("--ntasks=1"),
                QStringLiteral("--nodelist=") + node,
                program,
                role};
    }
    return {};
}

std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const TransportOptions &options, const QString &ownProgram)
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
