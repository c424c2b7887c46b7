#include "run/record/attachedtool.h"

#include "base/fields.h"
#include "launch/plan/launchplan.h"

#include <algorithm>

namespace rankdeck
{

std::vector<ToolKind> toolKinds()
{
    const QString pid = QStringLiteral("{pid}");
    const QString gdb = QStringLiteral("gdb");
    const QString pySpy = QStringLiteral("py-spy");
    const QString strace = QStringLiteral("strace");
    const QString pySpyPackage = QStringLiteral("pip install py-spy");
    // gdb without its licence text, and without questions between pages or before it exits.
    return {
        {gdb,
         {gdb, QStringLiteral("-q"), QStringLiteral("-iex"), QStringLiteral("set pagination off"),
          QStringLiteral("-iex"), QStringLiteral("set confirm off"), QStringLiteral("-p"), pid},
         QStringLiteral("apt install gdb"),
         tr("debugger; the rank is paused while it waits for commands")},
        {QStringLiteral("py-spy-dump"),
         {pySpy, QStringLiteral("dump"), QStringLiteral("--pid"), pid},
         pySpyPackage,
         tr("current stack of its Python threads")},
        {QStringLiteral("py-spy-top"),
         {pySpy, QStringLiteral("top"), QStringLiteral("--pid"), pid},
         pySpyPackage,
         tr("time profile of its Python threads")},
        {strace,
         {strace, QStringLiteral("-f"), QStringLiteral("-p"), pid},
         QStringLiteral("apt install strace"),
         tr("its system calls, live")},
    };
}

std::optional<ToolKind> toolKind(const QString &name)
{
    const std::vector<ToolKind> kinds = toolKinds();
    const auto found = std::ranges::find(kinds, name, &ToolKind::name);
    return found == kinds.end() ? std::nullopt : std::optional(*found);
}

ProcessPlan toolPlan(const ToolKind &kind, const ProcessPlan &looked, qint64 pid, const QString &runDirectory,
                     int number)
{
    ProcessPlan tool;
    tool.role = Role::Tool;
    tool.rank = looked.rank;
    tool.localRank = looked.localRank;
    tool.device = looked.device;
    tool.node = looked.node;
    tool.argv = kind.command;
    tool.argv.replaceInStrings(QStringLiteral("{pid}"), QString::number(pid));
    tool.workDir = looked.workDir;
    const QString folder = runDirectory + QStringLiteral("/tools");
    tool.makeDirectories << folder;
    tool.logFile =
        QStringLiteral("%1/%2-rank-%3-%4.log").arg(folder, kind.name).arg(looked.rank.value).arg(number);
    tool.hasTerminal = true;
    tool.setVariables.insert(QStringLiteral("TERM"), QStringLiteral("xterm-256color"));
    // py-spy is often installed beside the rank's interpreter.
    for (const char *name : {"PATH", "LD_LIBRARY_PATH"}) {
        const auto own = looked.setVariables.constFind(QLatin1String(name));
        if (own != looked.setVariables.cend())
            tool.setVariables.insert(own.key(), *own);
    }
    return tool;
}

QString toolText(const ProcessPlan &tool)
{
    LaunchPlan alone;
    alone.processes = {tool};
    return QString::fromUtf8(jsonTextOf(alone));
}

std::optional<ProcessPlan> toolFromText(const QString &text)
{
    const auto alone = fromJsonText<LaunchPlan>(text.toUtf8());
    if (!alone || alone->processes.size() != 1 || alone->processes.front().role != Role::Tool ||
        alone->processes.front().argv.isEmpty())
        return std::nullopt;
    return alone->processes.front();
}

} // namespace rankdeck
