#include "launch/planning/hooks.h"

#include "launch/plan/launchplan.h"
#include "launch/plan/planvariables.h"
#include "launch/spec/launcheroptions.h"

#include <QSet>

namespace rankdeck
{

/// Variables that identify a rank, and the platform's channels, which davincirun turns into
/// an older form for the ranks while a hook that fetches data needs them as they are.
static bool isForRanksOnly(const QString &variable)
{
    static const QSet<QString> names{
        u"RANK"_s,       u"LOCAL_RANK"_s,
        u"ROLE_RANK"_s,  u"TORCHELASTIC_ERROR_FILE"_s,
        u"RANK_ID"_s,    u"DEVICE_ID"_s,
        u"MS_ROLE"_s,    u"ASCEND_DEVICE_ID"_s,
        u"MS_NODE_ID"_s, u"ASCEND_PROCESS_LOG_PATH"_s,
        u"MA_INPUTS"_s,  u"NPU_COLLECT_PATH"_s,
        u"MA_OUTPUTS"_s, u"MSRUN_CPU_LIST"_s,
    };
    return names.contains(variable);
}

static QStringList commonlyRemoved(const std::vector<ProcessPlan> &processes)
{
    QStringList common;
    for (const QString &name : processes.front().removeVariables) {
        if (!isForRanksOnly(name) && std::ranges::all_of(processes, [&](const ProcessPlan &process) {
                return process.removeVariables.contains(name);
            }))
            common << name;
    }
    return common;
}

static void complete(std::vector<ProcessPlan> &hooks, const QList<QStringList> &commands, const QString &when,
                     const std::vector<ProcessPlan> &processes)
{
    for (const QStringList &command : commands)
        hooks.push_back(hook(command));
    const QString logs = inRunDirectory(u"/logs"_s);
    for (ProcessPlan &hook : hooks) {
        hook.workDir = processes.front().workDir;
        hook.setVariables = commonVariables(processes);
        erase_if(hook.setVariables,
                 [](QMap<QString, QString>::iterator variable) { return isForRanksOnly(variable.key()); });
        hook.setVariables.insert(QLatin1String(hookVariable), when);
        hook.removeVariables = commonlyRemoved(processes);
        hook.logFile = u"%1/%2.log"_s.arg(logs, when);
        hook.makeDirectories = QStringList{logs};
        if (processes.front().makeDirectories.contains(hook.workDir))
            hook.makeDirectories << hook.workDir;
    }
}

ProcessPlan hook(const QStringList &argv)
{
    ProcessPlan process;
    process.role = Role::Hook;
    process.device = ProcessPlan::noDevice;
    process.argv = argv;
    return process;
}

std::optional<Error> problemWithHooks(const CommonOptions &options)
{
    for (const auto &[commands, option] :
         {std::pair(&options.before, "--before"), {&options.after, "--after"}}) {
        for (const QStringList &command : *commands) {
            if (command.value(0).isEmpty())
                return Error{tr("no command to run"), QString::fromLatin1(option),
                             tr("Give a program and its arguments, or omit the option.")};
        }
    }
    return std::nullopt;
}

void completeHooks(LaunchPlan &plan, const CommonOptions &options)
{
    if (plan.processes.empty())
        return;
    complete(plan.before, options.before, u"before"_s, plan.processes);
    complete(plan.after, options.after, u"after"_s, plan.processes);
}

} // namespace rankdeck
