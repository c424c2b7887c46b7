#include "launch/text/nodelist.h"

#include "base/program.h"
#include "base/wordtable.h"
#include "launch/text/streamcommand.h"

#include <QProcess>
#include <QRegularExpression>

namespace rankdeck
{

constexpr int scontrolMs = 10000;

/// In the order of TransportKind, without Command.
constexpr std::array transportWords{"local", "ssh", "slurm"};

QString transportWord(TransportKind kind)
{
    return kind == TransportKind::Command ? QString() : wordIn(transportWords, kind);
}

QString transportName(TransportKind kind, const NodeOptions &options)
{
    if (kind != TransportKind::Command)
        return transportWord(kind);
    return options.transportCommand.isEmpty() ? options.transport : options.transportCommand;
}

Result<TransportKind> chooseTransport(const NodeOptions &options, const QProcessEnvironment &environment)
{
    if (StreamCommand::isIn(options)) {
        const auto command = StreamCommand::from(options);
        return command ? Result<TransportKind>(TransportKind::Command) : command.error();
    }
    if (options.transport == "auto"_L1) {
        if (isInAllocation(environment))
            return TransportKind::Slurm;
        return options.list.isEmpty() ? TransportKind::Local : TransportKind::Ssh;
    }
    if (const auto kind = valueIn<TransportKind>(transportWords, options.transport))
        return *kind;
    return Error{tr("unknown transport \"%1\"").arg(options.transport), u"--transport"_s,
                 tr("Use auto, local, ssh, slurm, %1, or ssh:HOST+ before one of the last three.")
                     .arg(streamCommandForms())};
}

bool isInAllocation(const QProcessEnvironment &environment)
{
    return environment.contains(u"SLURM_JOB_ID"_s);
}

std::optional<Error> problemWithoutAllocation(TransportKind kind, const QProcessEnvironment &environment)
{
    if (kind != TransportKind::Slurm || isInAllocation(environment))
        return std::nullopt;
    return Error{tr("not in a Slurm allocation: SLURM_JOB_ID is not set"), u"--transport"_s,
                 tr("A launch makes its own allocation. To test nodes first, run this inside salloc.")};
}

Result<QStringList> readNodeList(const QString &list)
{
    const QString option = u"--nodes"_s;
    // A host name, an address, or a name of ssh's configuration, with a user before it.
    static const QRegularExpression form(u"^([A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:-]*$"_s);
    QStringList nodes;
    for (const QString &part : list.split(','_L1)) {
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
    const QString option = u"--nodes"_s;
    const QString given = list.isEmpty() ? environment.value(u"SLURM_JOB_NODELIST"_s) : list;
    if (given.isEmpty() || given.startsWith('-'_L1))
        return Error{tr("no list of nodes: SLURM_JOB_NODELIST is not set"), option,
                     tr("Name the nodes like a,b,c.")};
    QProcess scontrol;
    scontrol.setProcessEnvironment(withoutLibraries(environment));
    scontrol.start(systemTool(u"scontrol"_s), {u"show"_s, u"hostnames"_s, given});
    if (!scontrol.waitForFinished(scontrolMs))
        return Error{
            tr("scontrol, which expands the list of nodes, did not answer: %1").arg(problemOf(scontrol)),
            option, tr("Name the nodes like a,b,c.")};
    const QString names = QString::fromUtf8(scontrol.readAllStandardOutput()).trimmed();
    if (scontrol.exitStatus() != QProcess::NormalExit || scontrol.exitCode() != 0 || names.isEmpty())
        return Error{tr("scontrol cannot expand \"%1\": %2")
                         .arg(given, QString::fromUtf8(scontrol.readAllStandardError()).simplified()),
                     option, tr("Name the nodes like a,b,c.")};
    return readNodeList(names.simplified().replace(' '_L1, ','_L1));
}

Result<QStringList> namedNodes(TransportKind kind, const NodeOptions &options,
                               const QProcessEnvironment &environment)
{
    if (kind == TransportKind::Slurm && (isInAllocation(environment) || !options.list.isEmpty()))
        return readSlurmNodeList(options.list, environment);
    auto nodes = options.list.isEmpty() ? QStringList() : readNodeList(options.list);
    if (!nodes || kind != TransportKind::Command)
        return nodes;
    const auto command = StreamCommand::from(options);
    if (!command)
        return command.error();
    if (nodes->isEmpty() && !command->onlyNode().isEmpty())
        return QStringList{command->onlyNode()};
    if (nodes->size() > 1 && !command->dependsOnNode())
        return Error{
            tr("%1 leads to one node, and %2 are named").arg(transportName(kind, options)).arg(nodes->size()),
            u"--nodes"_s, tr("Write {node} where the name of each belongs.")};
    return nodes;
}

} // namespace rankdeck
