#include "launch/nodes/planlaunch.h"

#include "base/program.h"
#include "demo/demolaunch.h"
#include "launch/nodes/nodesplan.h"
#include "launch/options/launchers.h"
#include "launch/planning/launchbasics.h"
#include "launch/planning/thisserver.h"
#include "launch/text/environmentrules.h"
#include "launch/text/nodelist.h"

#include <QFile>
#include <QFileInfo>
#include <QTcpServer>

namespace rankdeck
{

/// More than any environment can hold.
constexpr qint64 mostBytes = 2 * 1024 * 1024;
/// A rank table that goes to each node.
constexpr qint64 mostTableBytes = 16 * 1024 * 1024;

static Result<QMap<QString, QString>> readEnvironmentFile(const QString &path)
{
    QFile file(path);
    const QFileInfo info(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly)) {
        const QString reason = info.isDir()    ? tr("it is a directory")
                               : info.isFile() ? problemOf(file)
                               : info.exists() ? tr("it is not a regular file")
                                               : tr("file not found");
        return Error{tr("cannot read the file of variables: %1").arg(reason), path, {}};
    }
    const QByteArray text = file.read(mostBytes + 1);
    if (text.size() > mostBytes || text.contains('\0'))
        return Error{tr("this is not a file of variables"), path, tr("Write one NAME=VALUE per line.")};
    auto variables = parseEnvironmentText(QString::fromUtf8(text));
    if (!variables)
        return Error{variables.error().what, path, variables.error().mend};
    return variables;
}

/// Reads the text of msrun's rank table; only the ranks parse it.
static Result<QByteArray> readTableText(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile())
        return Error{tr("the rank table does not exist"), path,
                     tr("Check --rank_table_file, or leave it out.")};
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot read the rank table: %1").arg(problemOf(file)), path, {}};
    QByteArray text = file.read(mostTableBytes + 1);
    if (text.size() > mostTableBytes)
        return Error{tr("the rank table is larger than %1 MiB").arg(mostTableBytes / 1024 / 1024), path,
                     tr("Give the rank table of this launch only.")};
    return text;
}

/// Returns 0 if no port is free.
static int freeLoopbackPort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : 0;
}

static std::optional<Error> problemWithNodes(const LaunchSpec &spec, const Launcher *launcher)
{
    if (!launcher || launcher->nodeRule != NodeRule::OneNode || !spec.nodes.isForNodes())
        return std::nullopt;
    return Error{tr("%1 runs on one node only").arg(spec.launcher),
                 spec.nodes.list.isEmpty() ? u"--transport"_s : u"--nodes"_s,
                 tr("Run %1 on each node, or use another launcher.").arg(spec.launcher)};
}

Result<HostFacts> gatherLaunchFacts(const LaunchSpec &spec, PortUse use)
{
    const Launcher *launcher = findLauncher(spec.launcher);
    if (const auto error = problemWithNodes(spec, launcher))
        return *error;
    HostFacts facts = gatherNodeFacts(spec, spec.nodes.isForNodes() ? PortUse::Look : use);
    if (spec.processes.standalone)
        facts.freePort = freeLoopbackPort();
    if (const auto error = lookUpMaster(spec, facts))
        return *error;
    for (const QString &path : spec.common.envFiles) {
        const auto variables = readEnvironmentFile(absoluteLaunchPath(path, facts));
        if (!variables)
            return variables.error();
        facts.envFiles.insert(path, *variables);
    }
    if (spec.nodes.isForNodes()) {
        const auto transport = chooseTransport(spec.nodes, facts.environment);
        if (!transport)
            return transport.error();
        if (*transport == TransportKind::Slurm && !isInAllocation(facts.environment) &&
            !QFileInfo::exists(systemTool(u"salloc"_s)))
            return Error{tr("salloc, which requests nodes from Slurm, is not installed here"),
                         u"--transport"_s, tr("Run this where Slurm is installed, or select ssh.")};
        const auto nodes = namedNodes(*transport, spec.nodes, facts.environment);
        if (!nodes)
            return nodes.error();
        facts.transport = transportName(*transport, spec.nodes);
        facts.nodes = *nodes;
    }
    const bool takesTable = launcher && haveFieldOf(launcher->rows(), row(at<&LaunchSpec::rankTableFile>()));
    if (takesTable && !launcher->needsRankTable && !spec.rankTableFile.isEmpty()) {
        const auto text = readTableText(absoluteLaunchPath(spec.rankTableFile, facts));
        if (!text && spec.nodes.isForNodes())
            return text.error();
        facts.rankTableText = text ? *text : QByteArray();
    }
    return facts;
}

HostFacts gatherNodeFacts(const LaunchSpec &spec, PortUse use)
{
    HostFacts facts = HostFacts::gather();
    if (!wantedCondaEnvironment(spec, facts.environment).isEmpty())
        facts.condaEnvironments = findCondaEnvironments(spec, facts.environment);
    facts.environmentPython = pythonOfEnvironment(spec, facts.environment);
    QString python = facts.environmentPython;
    if (const QString wanted = wantedCondaEnvironment(spec, facts.environment); !wanted.isEmpty()) {
        const auto conda = chooseCondaEnvironment(wanted, facts);
        python = conda ? conda->directory + u"/bin/python"_s : QString();
    }
    facts.torch = installedTorch(spec, python, facts.environment);
    facts.ports = choosePorts(spec, facts.environment, facts.npuCount, use);
    return facts;
}

Result<LaunchPlan> planNode(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts)
{
    if (const auto error = problemWithHooks(spec.common))
        return *error;
    LaunchGround ground = layGround(spec, facts);
    const QList<Sentence> portNotes = usePorts(ground);
    const Launcher *launcher = findLauncher(ground.spec.launcher);
    if (!launcher || !launcher->plan)
        return launcherCommandLine(ground.spec.launcher).error();
    if (const auto error = problemWithNodes(spec, launcher))
        return *error;
    auto plan = launcher->plan(ground.spec, table, tablePath, ground.facts);
    if (!plan)
        return plan;
    plan->notes << portNotes;
    plan = withCommonOptions(std::move(plan.value()), ground);
    if (!plan)
        return plan;
    completeHooks(plan.value(), spec.common);
    if (hasInventedNpus(spec)) {
        plan->inventedNpuSmi = inRunDirectory(u"/npu-smi"_s);
        plan->notes << Sentence::tr("This is a demo: its NPUs and all their values are invented.");
    }
    if (hasSimulatedRanks(spec))
        plan->notes << Sentence::tr(
            "This is a demo: its ranks are simulated. They only wait; one program writes what all of "
            "them print.");
    return plan;
}

bool needsRankTable(const LaunchSpec &spec)
{
    const Launcher *launcher = findLauncher(spec.launcher);
    return launcher && launcher->needsRankTable;
}

Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts)
{
    if (!facts.transport.isEmpty())
        return planAssumedNodes(spec, table, tablePath, facts);
    auto plan = planNode(spec, table, tablePath, facts);
    if (plan && needsRankTable(spec)) {
        const auto server = findThisServer(table, spec.server, layGround(spec, facts).facts);
        if (server && !server->isOnlyOne)
            plan->notes.prepend(server->sentence());
    }
    return plan;
}

} // namespace rankdeck
