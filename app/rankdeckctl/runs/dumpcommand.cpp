#include "base/listcomma.h"
#include "diagnosis/stall/stackgroups.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/runs/runchoice.h"

#include <QSet>

namespace rankdeck
{

namespace
{

/// Requests the stacks of processes of a run and waits until there is an answer for each.
class DumpWatcher : public RunWatcher
{
public:
    /// @param processes by index in the plan; empty: all that run.
    DumpWatcher(const QString &runDirectory, QList<int> processes)
        : RunWatcher(runDirectory)
        , m_processes(std::move(processes))
    {
    }

    /// Returns the answers by process, once watch() has returned.
    const QMap<int, StackDump> &answers() const { return m_answers; }

protected:
    void request(RunClient &client, const RunState &state) override
    {
        if (m_processes.isEmpty())
            m_processes = runningProcesses(state);
        m_due = {m_processes.begin(), m_processes.end()};
        client.request(DumpRequest{m_processes});
    }
    bool update(const RunState &state, const RunState *before) override
    {
        for (const StackDump &dump : state.dumps.mid(before ? before->dumps.size() : state.dumps.size())) {
            if (m_due.remove(dump.process))
                m_answers.insert(dump.process, dump);
        }
        return m_due.isEmpty();
    }

private:
    QList<int> m_processes;
    QSet<int> m_due;
    QMap<int, StackDump> m_answers;
};

void printGroups(const DumpWatcher &watcher)
{
    const RunState &state = watcher.state();
    const QList<StackDump> dumps = watcher.answers().values();
    bool isFirst = true;
    for (const StackGroup &group : stackGroups(readStacks(state.directory, lastDumps(dumps)))) {
        if (!std::exchange(isFirst, false))
            print({});
        print(u"== "_s + withColon(namesOf(*state.plan, group.processes), visibleText(group.top)));
        for (const QString &line : group.text.split('\n'_L1))
            print(visibleText(line));
    }
}

void printAsJson(const DumpWatcher &watcher)
{
    const RunState &state = watcher.state();
    QList<JsonText> processes;
    for (const StackDump &dump : watcher.answers()) {
        const auto index = std::size_t(dump.process);
        const ProcessPlan &plan = state.plan->processes[index];
        JsonText json{{"node", plan.node},
                      {"pid", state.ranks[index].pid},
                      {"time", dump.time.toString(Qt::ISODateWithMs)}};
        insertRank(json, plan);
        if (plan.role == Role::Scheduler)
            json.insert("role", "scheduler");
        if (!dump.file.isEmpty())
            json.insert("file", QString(state.directory + '/'_L1 + dump.file));
        else
            json.insert("problem", dump.problem);
        processes << json;
    }
    printJson({{"processes", processes}});
}

} // namespace

int dumpCommand(const Options &options)
{
    const auto run = chooseLiveRun(runGiven(options.positional.value(0)),
                                   tr("What was dumped while it ran is in the folder stacks of its run "
                                      "directory."));
    if (!run)
        return refuse(run.error());
    QList<int> processes;
    if (options.hasValue("--rank")) {
        const auto chosen = workersOf(run->record.plan, options.value("--rank"));
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
            complain(visibleText(dump.problem));
    }
    if (watcher.answers().isEmpty())
        complain(tr("No process of the run is alive."));
    if (options.has("--json"))
        printAsJson(watcher);
    else
        printGroups(watcher);
    return haveAll ? 0 : 1;
}

} // namespace rankdeck
