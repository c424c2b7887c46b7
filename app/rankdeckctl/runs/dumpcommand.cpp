#include "commands.h"
#include "diagnosis/stall/stackgroups.h"
#include "dumpwatcher.h"
#include "json.h"
#include "numberranges.h"
#include "options.h"
#include "output.h"
#include "rankchoice.h"
#include "runchoice.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("dumpcommand", text);
}

QString nameOf(const QList<int> &processes, const LaunchPlan &plan)
{
    QList<int> ranks;
    QStringList parts;
    for (const int process : processes) {
        const ProcessPlan &each = plan.processes[static_cast<std::size_t>(process)];
        if (each.role == Role::Worker)
            ranks << each.rank.value;
        else
            parts << each.label();
    }
    std::sort(ranks.begin(), ranks.end());
    if (!ranks.isEmpty())
        parts.prepend((ranks.size() == 1 ? tr("rank %1") : tr("ranks %1")).arg(numberRanges(ranks)));
    return parts.join(QStringLiteral(", "));
}

void printGroups(const DumpWatcher &watcher)
{
    const RunState &state = watcher.state();
    const QList<StackDump> dumps = watcher.answers().values();
    bool isFirst = true;
    for (const StackGroup &group : stackGroups(readStacks(state.directory, lastDumps(dumps)))) {
        if (!std::exchange(isFirst, false))
            print({});
        print(QStringLiteral("== %1: %2").arg(nameOf(group.processes, *state.plan), visibleText(group.top)));
        for (const QString &line : group.text.split(QLatin1Char('\n')))
            print(visibleText(line));
    }
}

void printAsJson(const DumpWatcher &watcher)
{
    const RunState &state = watcher.state();
    nlohmann::json list = nlohmann::json::array();
    for (const StackDump &dump : watcher.answers()) {
        const auto index = static_cast<std::size_t>(dump.process);
        const ProcessPlan &plan = state.plan->processes[index];
        nlohmann::json entry{{"rank", plan.rank.value},
                             {"node", plan.node},
                             {"pid", state.ranks[index].pid},
                             {"time", dump.time.toString(Qt::ISODateWithMs)}};
        if (plan.role == Role::Scheduler)
            entry["role"] = "scheduler";
        if (!dump.file.isEmpty())
            entry["file"] = QString(state.directory + QLatin1Char('/') + dump.file);
        else
            entry["problem"] = dump.problem;
        list.push_back(std::move(entry));
    }
    print(visibleJson(jsonText(list, 2)));
}

} // namespace

int dumpCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {QStringLiteral("--json")}, {QStringLiteral("--rank")}, 1);
    if (!options)
        return refuse(options.error());
    const auto run = chooseLiveRun(options->positional.first(),
                                   tr("What was dumped while it ran is in the folder stacks of its run "
                                      "directory."));
    if (!run)
        return refuse(run.error());
    QList<int> processes;
    if (options->hasValue("--rank")) {
        const auto chosen = workersOf(run->record.plan, options->value("--rank"));
        if (!chosen)
            return refuse(chosen.error());
        processes = *chosen;
    }
    DumpWatcher watcher(run->directory, processes);
    if (const int code = watcher.watch(); code != 0)
        return code;
    bool haveAll = !watcher.answers().isEmpty();
    for (const StackDump &dump : watcher.answers()) {
        haveAll = haveAll && !dump.file.isEmpty();
        if (dump.file.isEmpty())
            say(QStringLiteral("rankdeckctl: ") + visibleText(dump.problem));
    }
    if (watcher.answers().isEmpty())
        say(QStringLiteral("rankdeckctl: ") + tr("No process of the run is alive."));
    if (options->has("--json"))
        printAsJson(watcher);
    else
        printGroups(watcher);
    return haveAll ? 0 : 1;
}

} // namespace rankdeck
