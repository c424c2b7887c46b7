#include "launch/nodes/planlaunch.h"

#include "launch/nodes/nodesplan.h"
#include "launch/options/launchers.h"
#include "launch/planning/commonplan.h"
#include "launch/planning/hooks.h"
#include "launch/planning/launchbasics.h"
#include "launch/planning/planners.h"
#include "launch/text/environmentrules.h"
#include "launch/text/nodelist.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace rankdeck
{

/// More than any environment can hold.
constexpr qint64 mostBytes = 2 * 1024 * 1024;
/// A rank table that goes to each node.
constexpr qint64 mostTableBytes = 16 * 1024 * 1024;

static Result<QMap<QString, QString>> readEnvironmentFile(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        const QString reason = QFileInfo(path).isDir()                ? tr("it is a directory")
                               : file.error() == QFileDevice::NoError ? tr("there is no such file")
                                                                      : file.errorString();
        return Error{tr("the file of variables cannot be read: %1").arg(reason), path, {}};
    }
    const QByteArray text = file.read(mostBytes + 1);
    if (text.size() > mostBytes || text.contains('\0'))
        return Error{tr("this is no file of variables"), path, tr("Write one NAME=VALUE a line.")};
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
        return Error{tr("the rank table cannot be read: %1").arg(file.errorString()), path, {}};
    QByteArray text = file.read(mostTableBytes + 1);
    if (text.size() > mostTableBytes)
        return Error{tr("the rank table has more than %1 MiB").arg(mostTableBytes / 1024 / 1024), path,
                     tr("Name the rank table of this launch alone.")};
    return text;
}

static Result<LaunchPlan> planOf(const LaunchGround &ground, const RankTable &table, const QString &tablePath)
{
    const QString &launcher = ground.spec.launcher;
    if (launcher == QLatin1String("davincirun"))
        return planDavincirun(ground.spec, table, tablePath, ground.facts);
    if (launcher == QLatin1String("msrun"))
        return planMsrun(ground.spec, ground.facts);
    if (launcher == QLatin1String("processes"))
        return planProcesses(ground.spec, ground.facts);
    return launcherCommandLine(launcher).error();
}

Result<HostFacts> gatherLaunchFacts(const LaunchSpec &spec)
{
    HostFacts facts = gatherNodeFacts(spec);
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
            QStandardPaths::findExecutable(QStringLiteral("salloc")).isEmpty())
            return Error{tr("salloc, which asks Slurm for nodes, is not on this machine"),
                         QStringLiteral("--transport"), tr("Start this where Slurm is, or choose ssh.")};
        const auto nodes = namedNodes(*transport, spec.nodes, facts.environment);
        if (!nodes)
            return nodes.error();
        facts.transport = transportWord(*transport);
        facts.nodes = *nodes;
        if (spec.launcher == QLatin1String("msrun") && !spec.rankTableFile.isEmpty()) {
            const auto text = readTableText(absoluteLaunchPath(spec.rankTableFile, facts));
            if (!text)
                return text.error();
            facts.rankTableText = *text;
        }
    }
    return facts;
}

HostFacts gatherNodeFacts(const LaunchSpec &spec)
{
    HostFacts facts = HostFacts::gather();
    if (!wantedCondaEnvironment(spec, facts.environment).isEmpty())
        facts.condaEnvironments = findCondaEnvironments(spec, facts.environment);
    return facts;
}

Result<LaunchPlan> planNode(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts)
{
    if (const auto error = problemWithHooks(spec.common))
        return *error;
    const LaunchGround ground = layGround(spec, facts);
    auto plan = planOf(ground, table, tablePath);
    if (!plan)
        return plan;
    plan = withCommonOptions(std::move(plan.value()), ground);
    if (plan)
        completeHooks(plan.value(), spec.common);
    return plan;
}

bool needsRankTable(const LaunchSpec &spec)
{
    return spec.launcher == QLatin1String("davincirun");
}

Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts)
{
    return facts.transport.isEmpty() ? planNode(spec, table, tablePath, facts)
                                     : planAssumedNodes(spec, table, tablePath, facts);
}

} // namespace rankdeck
