#include "agent/toolorder.h"

#include "agent/stacks/stacktools.h"
#include "run/worker.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

struct ToolWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ToolOrder)
};

QString obstacle(const ProcessPlan &looked, const RankState &rank, const RunState &state,
                 const QString &directory)
{
    const QString who = rankName(looked);
    if (rank.phase == RankPhase::Waiting)
        return ToolWords::tr("Nothing can be attached to %1: it has not been started yet.").arg(who);
    if (rank.phase == RankPhase::Unknown || state.unreached.contains(looked.node))
        return ToolWords::tr("Nothing can be attached to %1: %2 is not reached.").arg(who, looked.node);
    if (rank.phase != RankPhase::Running || state.phase != RunPhase::Running)
        return ToolWords::tr("Nothing can be attached to %1: it has ended, or is being ended.").arg(who);
    // Its terminal is read from a log that must be seen from here.
    const bool isShared = state.plan->transport.isEmpty() || looked.logFile.startsWith(directory);
    if (!looked.copiedFrom.join(QString()).isEmpty() || !isShared)
        return ToolWords::tr(
                   "Nothing can be attached to %1 from here: %2 shares no folder with this machine. "
                   "Run this there: gdb -p %3.")
            .arg(who, looked.node)
            .arg(rank.pid);
    return {};
}

} // namespace

ToolOrder toolOrder(const ToolRequest &request, const RunState &state, const QString &directory)
{
    const auto index = static_cast<std::size_t>(request.process);
    const ProcessPlan &looked = state.plan->processes[index];
    const ToolKind kind = toolKind(request.name).value_or(toolKinds().front());
    ToolOrder order;
    order.plan =
        toolPlan(kind, looked, state.ranks[index].pid, directory, static_cast<int>(state.tools.size()) + 1);
    if (state.attempt > 0)
        order.plan.logFile.insert(order.plan.logFile.lastIndexOf(QLatin1Char('.')),
                                  QStringLiteral("-attempt-%1").arg(state.attempt));
    order.problem = obstacle(looked, state.ranks[index], state, directory);
    return order;
}

QString toolObstacle(const ProcessPlan &tool, const QString &searchPath, int ptraceScope, bool mayTrace)
{
    const QString program = tool.argv.value(0);
    if (findProgram(program, tool.workDir, searchPath).errorNumber != 0) {
        QString package;
        for (const ToolKind &kind : toolKinds()) {
            if (kind.command.first() == program)
                package = kind.package;
        }
        return ToolWords::tr("%1 is not installed on %2: %3.").arg(program, tool.node, package);
    }
    if (ptraceScope >= 3)
        return ToolWords::tr("%1 may not look into a process on %2: kernel.yama.ptrace_scope is 3 there, "
                             "which only a restart with another value changes.")
            .arg(program, tool.node);
    if (ptraceScope >= 1 && !mayTrace)
        return ToolWords::tr("%1 may not look into a process that it has not started on %2: "
                             "kernel.yama.ptrace_scope is %3 there. As root: sysctl "
                             "kernel.yama.ptrace_scope=0.")
            .arg(program, tool.node)
            .arg(ptraceScope);
    return {};
}

bool hasTracingCapability(const QByteArray &status)
{
    constexpr int sysPtrace = 19; // capabilities(7)
    const QByteArray key = "\nCapEff:";
    const qsizetype at = status.indexOf(key);
    if (at < 0)
        return false;
    const qsizetype begin = at + key.size();
    const quint64 bits =
        status.mid(begin, status.indexOf('\n', begin) - begin).trimmed().toULongLong(nullptr, 16);
    return ((bits >> sysPtrace) & 1) != 0;
}

} // namespace rankdeck
