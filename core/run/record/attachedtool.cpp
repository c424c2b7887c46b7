#include "run/record/attachedtool.h"

#include "launch/plan/launchplan.h"

#include <algorithm>

namespace rankdeck
{

std::vector<ToolKind> toolKinds()
{
    const QString pid = u"{pid}"_s;
    const QString gdb = u"gdb"_s;
    const QString pySpy = u"py-spy"_s;
    const QString strace = u"strace"_s;
    const QString pySpyPackage = u"pip install py-spy"_s;
    // gdb without its licence text, and without questions between pages or before it exits.
    return {
        {gdb,
         {gdb, u"-q"_s, u"-iex"_s, u"set pagination off"_s, u"-iex"_s, u"set confirm off"_s, u"-p"_s, pid},
         u"apt install gdb"_s,
         tr("debugger; the rank is paused while it waits for commands")},
        {u"py-spy-dump"_s,
         {pySpy, u"dump"_s, u"--pid"_s, pid},
         pySpyPackage,
         tr("current stack of its Python threads")},
        {u"py-spy-top"_s,
         {pySpy, u"top"_s, u"--pid"_s, pid},
         pySpyPackage,
         tr("time profile of its Python threads")},
        {strace, {strace, u"-f"_s, u"-p"_s, pid}, u"apt install strace"_s, tr("its system calls, live")},
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
    tool.argv.replaceInStrings(u"{pid}"_s, QString::number(pid));
    tool.workDir = looked.workDir;
    const QString folder = runDirectory + u"/tools"_s;
    tool.makeDirectories << folder;
    tool.logFile = u"%1/%2-rank-%3-%4.log"_s.arg(folder, kind.name).arg(looked.rank.value).arg(number);
    tool.hasTerminal = true;
    tool.setVariables.insert(u"TERM"_s, u"xterm-256color"_s);
    // py-spy is often installed beside the rank's interpreter.
    for (const char *name : {"PATH", "LD_LIBRARY_PATH"}) {
        const auto own = looked.setVariables.constFind(QLatin1String(name));
        if (own != looked.setVariables.cend())
            tool.setVariables.insert(own.key(), *own);
    }
    return tool;
}

std::optional<ProcessPlan> toolFromText(const QString &text)
{
    const auto tool = processFromText(text);
    return tool && tool->role == Role::Tool && !tool->argv.isEmpty() ? tool : std::nullopt;
}

} // namespace rankdeck
