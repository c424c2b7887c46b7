#include "launch/planning/launchbasics.h"
#include "launch/planning/planners.h"

namespace rankdeck
{

static std::optional<Error> problemWithWrap(const LaunchSpec &spec)
{
    const CommonOptions &common = spec.common;
    const QString mend = tr("Leave it out, or use another launcher.");
    const auto refused = [&](const char *option) {
        return Error{tr("the wrapped command starts the ranks, so one rank cannot be changed"),
                     QLatin1String(option), mend};
    };
    if (!common.rankEnvironment.isEmpty())
        return refused("--rank-env");
    if (!common.wrappers.isEmpty())
        return refused("--wrap");
    if (common.terminals != "none"_L1)
        return refused("--tty");
    return std::nullopt;
}

Result<LaunchPlan> planWrap(const LaunchSpec &spec, const HostFacts &facts)
{
    if (const auto error = problemWithBasics(spec))
        return *error;
    if (const auto error = problemWithWrap(spec))
        return *error;
    LaunchPlan plan = planBeginning(u"wrap"_s, spec);
    plan.thisNode = facts.hostName;
    plan.rankTable.status = u"completed"_s;

    ProcessPlan process;
    process.role = Role::Console;
    process.rank = Rank(0);
    process.node = plan.thisNode;
    process.device = ProcessPlan::noDevice;
    process.argv = spec.command;
    process.workDir = absoluteWorkDir(spec, facts);
    const QString logDir = absoluteLogDir(spec, facts);
    process.logFile = logDir + u"/console.log"_s;
    process.makeDirectories << logDir;
    // Otherwise a Python rank that is killed loses its last lines.
    const QString unbuffered = u"PYTHONUNBUFFERED"_s;
    if (!facts.environment.contains(unbuffered))
        process.setVariables.insert(unbuffered, u"1"_s);
    process.setVariables.insert(spec.environment);
    process.setVariables.insert(QLatin1String(runFileVariable), inRunDirectory(u"/run.json"_s));
    plan.processes.push_back(std::move(process));
    return plan;
}

} // namespace rankdeck
