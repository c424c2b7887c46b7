#include "agent/adoption/adoption.h"
#include "agent/messages/processorders.h"
#include "base/listcomma.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/runs/runconsole.h"
#include "rankdeckctl/runs/terminalconsole.h"
#include "run/strays/leftovers.h"
#include "run/workers/adoptedrun.h"

#include <QSet>

#include <unistd.h>

namespace rankdeck
{

namespace
{

/// Requests something of processes of a run and waits until there is an answer for each.
class AnswerWatcher : public RunWatcher
{
public:
    using RequestFor = std::function<Request(const QList<int> &processes)>;

    /// @param processes empty: all ranks that run.
    /// @param answers the member of RankState that gets them.
    AnswerWatcher(const QString &runDirectory, QList<int> processes, RequestFor requestFor,
                  RequestAnswers RankState::*answers)
        : RunWatcher(runDirectory)
        , m_processes(std::move(processes))
        , m_requestFor(std::move(requestFor))
        , m_answers(answers)
    {
    }

    /// Return, once watch() has returned, the processes for which it was done, and the others' problems.
    const QList<int> &done() const { return m_done; }
    const QStringList &problems() const { return m_problems; }

protected:
    void request(RunClient &client, const RunState &state) override
    {
        if (m_processes.isEmpty()) {
            for (const int process : runningProcesses(state)) {
                if (state.planOf(process)->role == Role::Worker)
                    m_processes << process;
            }
        }
        m_due = {m_processes.begin(), m_processes.end()};
        client.request(m_requestFor(m_processes));
    }
    bool update(const RunState &state, const RunState *before) override
    {
        const QSet<int> due = m_due;
        for (const int process : due) {
            const auto index = std::size_t(process);
            const RequestAnswers &answers = state.ranks[index].*m_answers;
            const QString label = state.plan->processes[index].label();
            // A restarted process counts from 0.
            const bool isAnother = before && before->attempt != state.attempt;
            const int known = before ? (before->ranks[index].*m_answers).count : answers.count;
            if (!isAnother && answers.count > known)
                answer(process, answers.problem);
            else if (isAnother || !isLive(state.phase))
                answer(process, tr("%1 ended; the request may not have reached it.").arg(label));
            else if (before && state.unreached.contains(state.plan->processes[index].node))
                answer(process,
                       tr("%1: its node cannot be reached; the request may not have arrived.").arg(label));
        }
        return m_due.isEmpty();
    }

private:
    void answer(int process, const QString &problem)
    {
        m_due.remove(process);
        if (problem.isEmpty())
            m_done << process;
        else
            m_problems << problem;
    }

protected:
    QList<int> m_processes;

private:
    RequestFor m_requestFor;
    RequestAnswers RankState::*m_answers;
    QSet<int> m_due;
    QList<int> m_done;
    QStringList m_problems;
};

/// Requests another start, as soon as there has been a first one.
class RestartWatcher : public AnswerWatcher
{
public:
    /// @param processes not empty.
    RestartWatcher(const QString &runDirectory, const QList<int> &processes)
        : AnswerWatcher(
              runDirectory, processes, [](const QList<int> &asked) { return StartRequest{asked}; },
              &RankState::startAnswers)
    {
    }

protected:
    bool isReady(const RunState &state) const override
    {
        return std::ranges::none_of(m_processes, [&](int process) {
            return state.ranks[std::size_t(process)].phase == RankPhase::Waiting;
        });
    }
};

/// Says what went wrong. Returns the exit code.
int codeOfAnswers(const AnswerWatcher &watcher)
{
    QStringList problems = watcher.problems();
    problems.removeDuplicates();
    for (const QString &problem : std::as_const(problems))
        complain(visibleText(problem));
    if (watcher.done().isEmpty() && problems.isEmpty())
        complain(tr("No rank of the run is alive."));
    return !watcher.done().isEmpty() && problems.isEmpty() ? 0 : 1;
}

/// Requests a tool for a rank, unless one of its kind is attached, and waits until it runs or fails.
class ToolWatcher : public RunWatcher
{
public:
    ToolWatcher(const QString &runDirectory, ToolRequest request)
        : RunWatcher(runDirectory)
        , m_request(std::move(request))
    {
    }

    /// Returns the tool's index, once watch() has returned; -1 if the run has ended or has too many tools.
    int index() const { return m_index; }
    const QString &problem() const { return m_problem; }

protected:
    void request(RunClient &client, const RunState &state) override
    {
        m_known = state.tools.size();
        for (std::size_t place = 0; place < state.tools.size(); ++place) {
            const AttachedTool &tool = state.tools[place];
            if (isOfKind(tool) && tool.state.phase == RankPhase::Running)
                m_index = int(state.ranks.size() + place);
        }
        if (m_index >= 0)
            return;
        if (state.tools.size() >= RunState::mostTools)
            m_problem =
                tr("%1 tools have been attached to this run; no more are possible.").arg(RunState::mostTools);
        else
            client.request(m_request);
    }
    bool update(const RunState &state, const RunState *) override
    {
        for (std::size_t place = m_known; place < state.tools.size() && m_index < 0; ++place) {
            const AttachedTool &tool = state.tools[place];
            if (!isOfKind(tool) || tool.state.phase == RankPhase::Waiting)
                continue;
            m_index = int(state.ranks.size() + place);
            m_problem = tool.problem;
        }
        return m_index >= 0 || !m_problem.isEmpty();
    }

private:
    bool isOfKind(const AttachedTool &tool) const
    {
        return tool.process == m_request.process &&
               tool.plan.label().startsWith(m_request.name + u"-rank-"_s);
    }

    ToolRequest m_request;
    std::size_t m_known = 0; ///< Tools that were there before.
    int m_index = -1;
    QString m_problem;
};

/// Fails if the plan has no such node.
Result<QList<int>> processesOn(const LaunchPlan &plan, const QString &node)
{
    QStringList nodes = listOf(plan.processes, &ProcessPlan::node);
    nodes.removeDuplicates();
    const QList<int> found =
        processesWhere(plan, [&](const ProcessPlan &process) { return process.node == node; });
    if (found.isEmpty())
        return Error{tr("this run started nothing on a node \"%1\"").arg(node), u"--node"_s,
                     tr("Its nodes: %1.").arg(nodes.join(nameComma()))};
    return found;
}

/// Returns the processes that the options choose; empty means the whole run.
Result<QList<int>> chosenProcesses(const LaunchPlan &plan, const Options &options)
{
    const bool byRank = options.hasValue("--rank");
    const bool byNode = options.hasValue("--node");
    const bool scheduler = options.has("--scheduler");
    if (int(byRank) + int(byNode) + int(scheduler) > 1)
        return Error{tr("ranks, a node and the scheduler cannot be combined"), {}, tr("Use one of them.")};
    if (byRank)
        return workersOf(plan, options.value("--rank"));
    if (byNode)
        return processesOn(plan, options.value("--node"));
    QList<int> schedulers = processesWhere(
        plan, [&](const ProcessPlan &process) { return scheduler && process.role == Role::Scheduler; });
    if (scheduler && schedulers.isEmpty())
        return Error{tr("this run started no scheduler here"), u"--scheduler"_s, {}};
    return schedulers;
}

/// Ends what is left of a run whose supervisor is gone: a part of it can no longer be stopped.
int stopLeftovers(const QString &directory, const Options &options)
{
    if (options.hasValue("--rank") || options.hasValue("--node") || options.has("--scheduler"))
        return refuse({tr("this run lost its supervisor, so only all its remaining processes can be ended"),
                       {},
                       tr("Give the run's name alone.")});
    const auto state = RunReader(directory).open();
    if (!state)
        return refuse(state.error());
    for (const Leftover &leftover : leftoversOf(*state))
        say(tr("Ending %1, which remains of %2.")
                .arg(nameOf(leftover.process), state->plan->processes[std::size_t(leftover.rank)].label()));
    if (const auto error = endRun(directory)) {
        complain(visibleText(error->sentence()));
        return 1;
    }
    if (state->plan->adopted) // Its processes go on.
        say(tr("Run %1 had ended already: %2.").arg(state->name, shownWord(RunPhase::Lost)));
    else
        say(tr("No process of %1 is alive on this machine.").arg(state->name));
    return 0;
}

int stopWhole(const QString &directory, bool kill)
{
    RunConsole watcher(directory, {.showLogs = false, .showPast = false});
    QTimer::singleShot(0, &watcher, [&] { kill ? watcher.kill() : watcher.stop(); });
    const int code = watcher.watch();
    // The run's own exit code has been reported already.
    return code == unusableInput ? code : 0;
}

/// Requests the end of some processes of a run and waits until they have ended, while the run goes on.
class StopWatcher : public RunWatcher
{
public:
    /// @param request names processes of the run.
    StopWatcher(const QString &runDirectory, StopRequest request)
        : RunWatcher(runDirectory)
        , m_request(std::move(request))
    {
    }

protected:
    void request(RunClient &client, const RunState &) override { client.request(m_request); }
    bool update(const RunState &state, const RunState *before) override
    {
        // Notes say, for example, what could not be killed, and why.
        for (const QString &note : state.notes.mid(before ? before->notes.size() : state.notes.size()))
            sayNote(note);
        bool haveAllEnded = true;
        for (const int process : std::as_const(m_request.processes)) {
            const auto index = std::size_t(process);
            const RankState &rank = state.ranks[index];
            const QString label = state.plan->processes[index].label();
            if (!before)
                m_pids.insert(process, rank.pid);
            const qint64 pid = m_pids.value(process);
            const bool isAnother = pid != 0 && rank.pid != pid; // It was started again meanwhile.
            haveAllEnded = haveAllEnded && (rank.status || isAnother);
            if (!before && rank.status)
                say(tr("%1 had ended already: %2").arg(label, rank.status->text()));
            else if (before && isAnother && before->ranks[index].pid == pid && !before->ranks[index].status)
                say(tr("%1 (pid: %2) has ended, and was started again.").arg(label).arg(pid));
            else if (before && rank.status && !before->ranks[index].status)
                say(tr("%1 (pid: %2): %3").arg(label).arg(rank.pid).arg(rank.status->text()));
        }
        return haveAllEnded;
    }

private:
    QHash<int, qint64> m_pids; ///< The processes whose end is requested, by index.
    StopRequest m_request;
};

/// Returns the processes of an adopted run that a kill would end. Empty for a job of Slurm.
std::vector<ProcessInfo> killedOf(const RunState &state)
{
    const AdoptedProcess &adopted = *state.plan->adopted;
    if (!adopted.job.isEmpty())
        return {};
    auto top = readProcess(pid_t(adopted.pid));
    if (top && top->startTime != adopted.startTime)
        top.reset();
    std::vector<ProcessInfo> ranks;
    for (const RankState &rank : state.ranks) {
        if (const auto process = readProcess(pid_t(rank.pid)); process && !rank.status)
            ranks.push_back(*process);
    }
    return killedWith(top.value_or(ProcessInfo()), ranks);
}

/// Asks before processes are killed that Rankdeck did not start. Returns an exit code if they live on.
std::optional<int> askBeforeKill(const QString &directory, const Options &options)
{
    if (options.has("--yes"))
        return std::nullopt;
    const auto state = RunReader(directory).open();
    if (!state)
        return refuse(state.error());
    const AdoptedProcess &adopted = *state->plan->adopted;
    const std::vector<ProcessInfo> killed = killedOf(*state);
    say(adopted.job.isEmpty()
            ? tr("This kills %n processes that Rankdeck did not start:",
                 "This kills one process that Rankdeck did not start:", int(killed.size()))
            : tr("This cancels job %1 of Slurm, which Rankdeck did not start.").arg(adopted.job));
    for (const ProcessInfo &process : killed)
        say(u"  "_s + QString::number(process.pid) + u"  "_s +
            visibleText(shortCommand(commandOf(process.pid))));
    if (isatty(STDIN_FILENO) == 0)
        return refuse({tr("this is not a terminal, so nothing was killed"), {}, tr("Give --yes.")});
    if (isConfirmed(tr("Kill them?") + u" [y/N] "_s))
        return std::nullopt;
    say(tr("Nothing was killed."));
    return 1;
}

} // namespace

int signalCommand(const Options &options)
{
    SignalRequest request;
    const QString word = options.positional.last();
    request.number = sendableSignal(word);
    if (request.number == 0)
        return refuse({tr("\"%1\" is not a signal that can be sent").arg(word), u"SIGNAL"_s,
                       tr("Give INT, TERM, KILL, USR1, USR2, STOP or CONT, or its number.")});
    const QString name = options.positional.size() > 1 ? options.positional.first() : QString();
    const auto run =
        chooseLiveRun(runToChange(name), tr("Name a run that is live, see rankdeckctl list --state live."));
    if (!run)
        return refuse(run.error());
    if (options.hasValue("--rank") && options.value("--rank") != "all"_L1) {
        const auto chosen = workersOf(run->record.plan, options.value("--rank"));
        if (!chosen)
            return refuse(chosen.error());
        request.processes = *chosen;
    }
    AnswerWatcher watcher(
        run->directory, request.processes,
        [&](const QList<int> &processes) {
            return SignalRequest{request.number, processes};
        },
        &RankState::signalAnswers);
    if (const int code = watcher.watch(); code != 0)
        return code;
    if (options.has("--json"))
        printJson({{"run", run->record.name},
                   {"signal", request.number},
                   {"sent", watcher.done().size()},
                   {"problems", watcher.problems()}});
    return codeOfAnswers(watcher);
}

int restartCommand(const Options &options)
{
    const auto run = chooseLiveRun(runToChange(options.positional.value(0)),
                                   tr("Only ranks of a live run can be started again."));
    if (!run)
        return refuse(run.error());
    if (!options.hasValue("--rank"))
        return refuse({tr("it is not said which ranks to start again"), u"--rank"_s,
                       tr("Give their numbers, for example --rank 3.")});
    const auto chosen = workersOf(run->record.plan, options.value("--rank"));
    if (!chosen)
        return refuse(chosen.error());
    RestartWatcher watcher(run->directory, *chosen);
    if (const int code = watcher.watch(); code != 0)
        return code;
    for (const int process : watcher.done()) {
        const auto index = std::size_t(process);
        say(tr("%1 (pid: %2): started again")
                .arg(watcher.state().plan->processes[index].label())
                .arg(watcher.state().ranks[index].pid));
    }
    if (!watcher.done().isEmpty())
        say(rejoinHint());
    return codeOfAnswers(watcher);
}

int debugCommand(const Options &options)
{
    // A single word is a tool's name or a run's.
    QStringList words = options.positional;
    const bool isToolAlone = words.size() == 1 && toolKind(words.first());
    const QString name = isToolAlone || words.isEmpty() ? QString() : words.takeFirst();
    const auto kind = toolKind(words.value(0, u"gdb"_s));
    if (!kind)
        return refuse({tr("unknown tool \"%1\"").arg(options.positional.last()), u"TOOL"_s,
                       tr("Give one of %1.").arg(listOf(toolKinds(), &ToolKind::name).join(listComma()))});
    const auto run =
        chooseLiveRun(runGiven(name), tr("Name a run that is live, see rankdeckctl list --state live."));
    if (!run)
        return refuse(run.error());
    const auto chosen = workersOf(run->record.plan, options.value("--rank"));
    if (!chosen || chosen->size() != 1)
        return refuse(!chosen && options.hasValue("--rank")
                          ? chosen.error()
                          : Error{tr("a tool attaches to one rank"), u"--rank"_s,
                                  tr("Give its number, for example --rank 3.")});
    int index = -1;
    {
        // Destroyed before there is a console, whose event loop it would end.
        ToolWatcher watcher(run->directory, {kind->name, chosen->first()});
        if (const int code = watcher.watch(); code != 0)
            return code;
        if (watcher.index() < 0 || !watcher.problem().isEmpty()) {
            complain(watcher.problem().isEmpty() ? tr("The run has ended.") : visibleText(watcher.problem()));
            return 1;
        }
        index = watcher.index();
    }
    return TerminalConsole(run->directory, -1, index).watch();
}

int stopCommand(const Options &options)
{
    const auto run = chooseRun(runToChange(options.positional.value(0)));
    if (!run)
        return refuse(run.error());
    const auto processes = chosenProcesses(run->record.plan, options);
    if (!processes)
        return refuse(processes.error());
    if (currentPhase(run->record) == RunPhase::Lost)
        return stopLeftovers(run->directory, options);
    const bool kill = options.has("--kill");
    if (run->record.plan.adopted && !kill && !processes->isEmpty())
        return refuse({tr("Rankdeck did not start these ranks, so it does not stop them"), run->record.name,
                       tr("Send them a signal with \"rankdeckctl signal\", or use --kill.")});
    const RunPhase phase = currentPhase(run->record);
    if (processes->isEmpty() && !isLive(phase)) {
        say(tr("Run %1 had ended already: %2.").arg(run->record.name, shownWord(phase)));
        return options.has("--json") ? printResults(run->directory, 0) : 0;
    }
    if (run->record.plan.adopted && kill && processes->isEmpty()) {
        if (const auto refused = askBeforeKill(run->directory, options))
            return *refused;
    }
    if (kill && processes->isEmpty() && giveUpRun(run->directory)) {
        say(tr("Run %1 had not begun, and will not begin now.").arg(run->record.name));
        return options.has("--json") ? printResults(run->directory, 0) : 0;
    }
    const int code = processes->isEmpty() ? stopWhole(run->directory, kill)
                                          : StopWatcher(run->directory, {kill, *processes}).watch();
    return options.has("--json") ? printResults(run->directory, code) : code;
}

} // namespace rankdeck
