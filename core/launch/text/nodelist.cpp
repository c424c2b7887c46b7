#include "launch/text/nodelist.h"

#include "base/program.h"
#include "base/wordtable.h"

#include <QProcess>
#include <QRegularExpression>

namespace rankdeck
{

constexpr int scontrolMs = 10000;

/// In the order of TransportKind.
constexpr std::array transportWords{"local", "ssh", "slurm"};

QString transportWord(TransportKind kind)
{
    return wordIn(transportWords, kind);
}

Result<TransportKind> chooseTransport(const NodeOptions &options, const QProcessEnvironment &environment)
{
    if (options.transport == QLatin1String("auto")) {
        if (isInAllocation(environment))
            return TransportKind::Slurm;
        return options.list.isEmpty() ? TransportKind::Local : TransportKind::Ssh;
    }
    if (const auto kind = valueIn<TransportKind>(transportWords, options.transport))
        return *kind;
    return Error{tr("unknown transport \"%1\"").arg(options.transport), QStringLiteral("--transport"),
                 tr("Use auto, local, ssh or slurm.")};
}

bool isInAllocation(const QProcessEnvironment &environment)
{
    return environment.contains(QStringLiteral("SLURM_JOB_ID"));
}

std::optional<Error> problemWithoutAllocation(TransportKind kind, const QProcessEnvironment &environment)
{
    if (kind != TransportKind::Slurm || isInAllocation(environment))
        return std::nullopt;
    return Error{tr("not in a Slurm allocation: SLURM_JOB_ID is not set"), QStringLiteral("--transport"),
                 tr("A launch makes its own allocation. To test nodes first, run this inside salloc.")};
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
            return Error{tr("\"%1\" is not a valid node name or address").arg(node), option,
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
        return Error{tr("no list of nodes: SLURM_JOB_NODELIST is not set"), option,
                     tr("Name the nodes like a,b,c.")};
    QProcess scontrol;
    scontrol.setProcessEnvironment(withoutLibraries(environment));
    scontrol.start(QStringLiteral("scontrol"), {QStringLiteral("show"), QStringLiteral("hostnames"), given});
    if (!scontrol.waitForFinished(scontrolMs))
        return Error{
            tr("scontrol, which expands the list of nodes, did not answer: %1").arg(scontrol.errorString()),
            option, tr("Name the nodes like a,b,c.")};
    const QString names = QString::fromUtf8(scontrol.readAllStandardOutput()).trimmed();
    if (scontrol.exitStatus() != QProcess::NormalExit || scontrol.exitCode() != 0 || names.isEmpty())
        return Error{tr("scontrol cannot expand \"%1\": %2")
                         .arg(given, QString::fromUtf8(scontrol.readAllStandardError()).simplified()),
                     option, tr("Name the nodes like a,b,c.")};
    return readNodeList(names.simplified().replace(QLatin1Char(' '), QLatin1Char(',')));
}

Result<QStringList> namedNodes(TransportKind kind, const NodeOptions &options,
                               const QProcessEnvironment &environment)
{
    if (kind == TransportKind::Slurm && (isInAllocation(environment) || !options.list.isEmpty()))
        return readSlurmNodeList(options.list, environment);
    return options.list.isEmpty() ? QStringList() : readNodeList(options.list);
}

} // namespace rankdeck
