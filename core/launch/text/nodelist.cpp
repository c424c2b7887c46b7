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

static Error wrongNodes(const QString &what)
{
    return {what, u"--nodes"_s, tr("Name the nodes like a,b,c.")};
}

Result<QStringList> readNodeList(const QString &list)
{
    // A host name, an address, or a name of ssh's configuration, with a user before it.
    static const QRegularExpression form(u"^([A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:-]*$"_s);
    QStringList nodes;
    for (const QString &part : list.split(','_L1)) {
        const QString node = part.trimmed();
        if (node.isEmpty())
            return wrongNodes(tr("a node's name is empty"));
        if (!form.match(node).hasMatch())
            return wrongNodes(tr("\"%1\" is not a valid node name or address").arg(node));
        if (nodes.contains(node))
            return Error{tr("%1 is named twice").arg(node), u"--nodes"_s, tr("Name each node once.")};
        nodes << node;
    }
    return nodes;
}

Result<QStringList> readSlurmNodeList(const QString &list, const QProcessEnvironment &environment)
{
    const QString given = list.isEmpty() ? environment.value(u"SLURM_JOB_NODELIST"_s) : list;
    if (given.isEmpty() || given.startsWith('-'_L1))
        return wrongNodes(tr("no list of nodes: SLURM_JOB_NODELIST is not set"));
    QProcess scontrol;
    scontrol.setProcessEnvironment(withoutLibraries(environment));
    scontrol.start(systemTool(u"scontrol"_s), {u"show"_s, u"hostnames"_s, given});
    if (!scontrol.waitForFinished(scontrolMs))
        return wrongNodes(
            tr("scontrol, which expands the list of nodes, did not answer: %1").arg(problemOf(scontrol)));
    const QString names = QString::fromUtf8(scontrol.readAllStandardOutput()).trimmed();
    if (scontrol.exitStatus() != QProcess::NormalExit || scontrol.exitCode() != 0 || names.isEmpty())
        return wrongNodes(tr("scontrol cannot expand \"%1\": %2")
                              .arg(given, QString::fromUtf8(scontrol.readAllStandardError()).simplified()));
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
