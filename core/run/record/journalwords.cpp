#include "run/record/journalwords.h"

#include "base/listcomma.h"
#include "base/widespaces.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace rankdeck
{

namespace
{

/// One that is written with tr() elsewhere: under what name, the text, and its English singular if it has
/// one. tst_chinese tells when the .ts no longer has it.
struct JournalSentence {
    const char *context;
    const char *text;
    const char *singular = nullptr;
};

constexpr auto journalSentences = std::to_array<JournalSentence>({
    {"rankdeck::RunBook", "Rank %1 failed before rank %2, by the time in its error.json."},
    {"rankdeck::RunNodes", "Slurm allocated other nodes than requested"},
    {"rankdeck::RunNodes", "%1 is connected again."},
    {"rankdeck::RunNodes", "%1: connection lost, trying again since %2: %3."},
    {"rankdeck::SlurmJobWatch", "The Slurm job %1 is %2."},
    {"rankdeck::SlurmJobWatch", "Slurm has forgotten job %1."},
    {"rankdeck::SlurmJobWatch", "The Slurm job %1 was not cancelled: %2"},
    {"rankdeck",
     "Rankdeck follows the Slurm job %1, which it did not start. Stopping the run ends the watching, "
     "not the job."},
    {"rankdeck", "%1 Rank %2 runs on it."},
    {"rankdeck::NodeRun", "The command has ended; the ranks that it started go on."},
    {"rankdeck", "The output of process %1 goes to no file, so it is not shown."},
    {"rankdeck", "Process %1 is rank %2. To watch all ranks, adopt their launcher: process %3."},
    {"rankdeck",
     "Rankdeck watches process %1, which it did not start: %2. Stopping the run ends the watching, "
     "not the process."},
    {"rankdeck", "Device %1 of rank %2 is also used by %3, which is not part of this run."},
    {"rankdeck", "The history of samples has gaps: %1"},
    {"rankdeck", "All ranks have caught up."},
    {"rankdeck", "The ranks that were ahead have ended."},
    {"rankdeck", "Ranks %1 continue.", "Rank %1 continues."},
    {"rankdeck", "AICore of ranks %1 has been at 0 % for %2 s.",
     "AICore of rank %1 has been at 0 % for %2 s."},
    {"rankdeck", "The NPUs of ranks %1 have been at 0 % for %2 s.",
     "The NPU of rank %1 has been at 0 % for %2 s."},
    {"rankdeck", "The NPUs of ranks %1 are busy: they may be computing.",
     "The NPU of rank %1 is busy: it may be computing."},
    {"rankdeck", "%1 To stop it, on %2: %3"},
    {"rankdeck", "%1 of %n flight recorders have dumped their collectives.",
     "%1 of %n flight recorder has dumped its collectives."},
    {"rankdeck", "Ranks %1 are started again on request.", "Rank %1 is started again on request."},
    {"rankdeck", "Only ranks can be started again."},
    {"rankdeck", "%1 cannot be started again: its own launcher started it, not Rankdeck."},
    {"rankdeck", "%1 cannot be started again: the run is not running or is about to end."},
    {"rankdeck", "%1 cannot be started again: it has not been started yet."},
    {"rankdeck", "%1 cannot be started again: no connection to %2."},
    {"rankdeck", "%1 cannot be started again: no process of the run is left on %2. Launch the run again."},
    {"rankdeck::Agent", "It cannot be started again: no process of the run is left on its node."},
    {"rankdeck::WorkerGroup", "%1 cannot be started again: it could not be ended."},
    {"rankdeck", "No stacks of %1: it has ended."},
    {"rankdeck", "No stacks of %1: it has not been started yet."},
    {"rankdeck",
     "No stacks of %1: no connection to %2. Run this there: py-spy dump --pid %3, or eu-stack -p %3."},
    {"rankdeck", "Stacks of ranks %1 requested.", "Stacks of rank %1 requested."},
    {"rankdeck", "Cannot write the stacks of %1 to %2: %3. Free some space there, and try again."},
    {"rankdeck", "No stacks of %1: %2"},
    {"rankdeck", "No stacks of %1: neither py-spy nor gdb nor eu-stack is installed where it runs, and it "
                 "listens to no --dump-signal. Install one of them there, e.g. elfutils for eu-stack."},
    {"rankdeck", "No stacks of %1: %2 failed%3. Try again, or run it there by hand."},
    {"rankdeck", "No stacks of %1: %2 may not inspect the process (%3)."},
    {"rankdeck", "kernel.yama.ptrace_scope is %1 there. As root, set it to 0 with sysctl. Or register "
                 "faulthandler in the program and launch with --dump-signal."},
    {"rankdeck", "Give the container the capability SYS_PTRACE. Or register faulthandler in the program and "
                 "launch with --dump-signal."},
    {"rankdeck", "%1 was left over and got %2"},
    {"rankdeck", "%1 could not be killed: it runs as another user."},
    {"rankdeck", "%1 could not be killed: it hangs in the kernel (state %2)."},
    {"rankdeck", "%1 could not be killed: it hangs in the kernel, in %3 (state %2)."},
    {"rankdeck", "The disk is full: %1 on the file system of %2."},
    {"rankdeck", "The file system of %1 has no inodes left: it contains too many files."},
    {"rankdeck", "Your quota is full on the file system of %1."},
    {"rankdeck", "%1 The run continues, but log lines that do not fit are lost."},
    {"rankdeck", "The file system of %1 has space again (%2). Logs may lack lines from %3 to %4."},
    {"rankdeck", "The run's journal had been removed; Rankdeck wrote it again."},
    {"rankdeck", "The run directory was removed while the run was live. Rankdeck made it again and the run "
                 "goes on, but the logs in it are lost, and so is what is still written to them."},
    {"rankdeck", "Other users had access to the run directory; Rankdeck has removed it."},
    {"rankdeck", "%n events could not be written here.", "One event could not be written here."},
    {"rankdeck", "Rank %1 is %n steps behind.", "Rank %1 is one step behind."},
    {"rankdeck", "Ranks %1 are %n steps behind.", "Ranks %1 are one step behind."},
    {"rankdeck", "No output from ranks %1 since %2; the others continue.",
     "No output from rank %1 since %2; the others continue."},
    {"rankdeck", "All ranks except %1 have been silent since %2: they may wait for these.",
     "All ranks except rank %1 have been silent since %2: they may wait for it."},
    {"rankdeck",
     "Ranks %1 have been paused (SIGSTOP or a debugger) since %2: the others wait for them, silent since %3.",
     "Rank %1 has been paused (SIGSTOP or a debugger) since %2: the others wait for it, silent since %3."},
    {"rankdeck", "Ranks %1 have been silent the longest, since %2; the others have waited since %3.",
     "Rank %1 has been silent the longest, since %2; the others have waited since %3."},
    {"rankdeck", "All ranks have been silent since %1."},
    {"rankdeck", "Rank %1 has been silent since %2."},
    {"rankdeck", "Ranks %1 have made the least progress.", "Rank %1 has made the least progress."},
    {"rankdeck", "When this was noticed, it was %n steps behind.",
     "When this was noticed, it was one step behind."},
    {"rankdeck", "When this was noticed, they were %n steps behind.",
     "When this was noticed, they were one step behind."},
    {"rankdeck", "It is %n steps behind.", "It is one step behind."},
    {"rankdeck", "They are %n steps behind.", "They are one step behind."},
    {"rankdeck", "compiling since %1"},
    {"rankdeck", "silent since %1"},
    {"rankdeck", "usually writes every %1 s"},
    {"rankdeck", "paused since %1"},
    {"rankdeck", "no output since %1"},
    {"rankdeck", "%n steps behind", "%n step behind"},
    {"rankdeck", "Rank %1 failed first"},
    {"rankdeck", "Rank %1 failed"},
    {"rankdeck", "Rank %1 did not arrive"},
    {"rankdeck", "Rank %1 hung at step %2"},
    {"rankdeck", "Rank %1 hung"},
    {"rankdeck", "The command failed"},
    {"rankdeck", "The scheduler failed first"},
    {"rankdeck", "The run failed"},
    {"rankdeck", "All ranks failed alike"},
    {"rankdeck", "It is unclear which rank failed first"},
    {"rankdeck", "It is unclear which rank failed first (%1)"},
    {"rankdeck", "%1 (silent %2 s)"},
    {"rankdeck", "ranks %1 gave up waiting: %2", "rank %1 gave up waiting: %2"},
    {"rankdeck", "Device %1"},
    {"rankdeck", "%1 (invented)"},
    {"rankdeck", "card %1"},
    {"rankdeck", "chip %1"},
    {"rankdeck", "Device %1 (%2)"},
    {"rankdeck", "%1: its health is %2."},
    {"rankdeck", "%1: its health was %2 and is %3."},
    {"rankdeck", "%1: it reports the error 0x%2."},
    {"rankdeck", "%1: %2 more uncorrected bit errors of its memory."},
    {"rankdeck", "%1: the link of its network port is down."},
    {"rankdeck", "%1: the link of its network port is up again."},
    {"rankdeck", "%1: the driver no longer lists it."},
    {"rankdeck", "%1: the driver lists it again."},
    {"rankdeck", "%1: no problems are known any more."},
    {"rankdeck", "the default group"},
    {"rankdeck", "group %1"},
    {"rankdeck", "%1 of %2: all of its ranks have called it, and none has completed it: the network or the "
                 "device does not carry it out."},
    {"rankdeck", "Rank %1 is slow: the others wait %2 ms for it in each collective of %3."},
    {"rankdeck", "gave no dump: ended, stopped, or stuck outside of Python"},
    {"rankdeck", "waits in %1 of %2"},
    {"rankdeck", "is still at %1"},
    {"rankdeck", "%1 wait at %2", "%1 waits at %2"},
    {"rankdeck", "ranks %1", "rank %1"},
    {"rankdeck", "has not called it since %1 #%2%3"},
    {"rankdeck", "has called nothing yet"},
    {"rankdeck", "%1 of %2: %3. Missing: %4."},
    {"rankdeck", "At #%1 of %2 not all ranks call the same collective: %3."},
    {"rankdeck", "At #%1 of %2 sizes or types differ: %3."},
    {"rankdeck", "From #%1 of %2 on, ranks call from other lines; one may have left out a call: %3."},
    {"rankdeck", "Two groups wait for each other: %1 in %2 of %3, %4 in %5 of %6. Call them in the same "
                 "order on all ranks."},
    {"rankdeck", "exit code %1"},
    {"rankdeck", "not started"},
    {"rankdeck", "exit code unknown"},
    {"rankdeck", "signal %1"},
    {"rankdeck",
     "This run will be killed when you log out. To prevent that, run \"loginctl enable-linger\" now."},
    {"rankdeck", "When you log out, logind kills this run with your session (KillUserProcesses=yes). Put "
                 "\"systemd-run --user --scope\" before the command to keep a launch."},
    {"rankdeck",
     "When you log out, logind kills this run with your session (KillUserProcesses=yes). To keep a launch, "
     "run \"loginctl enable-linger\" once, and put \"systemd-run --user --scope\" before the command."},
    {"rankdeck", "killed from outside, often by the kernel when out of memory"},
    {"rankdeck", "invalid memory access (segmentation fault)"},
    {"rankdeck", "access to memory that does not exist (bus error), often a full /dev/shm"},
    {"rankdeck", "it aborted, after an assertion or an error that it could not handle"},
    {"rankdeck", "it ran an instruction that this processor does not support"},
    {"rankdeck", "an arithmetic error, often a division by zero"},
    {"rankdeck", "it was asked to terminate"},
    {"rankdeck", "it was interrupted"},
    {"rankdeck", "broken pipe: the reader is gone"},
    {"rankdeck", "ended by signal %1 (%2)"},
    {"rankdeck", "the process could not be started"},
    {"rankdeck", "the process could not be started: %1"},
    {"rankdeck", "exit code unknown, the error comes from its log"},
    {"rankdeck", "succeeded (exit code 0)"},
    {"rankdeck", "%1: a shell's exit code for a command that may not be executed"},
    {"rankdeck", "%1: a shell's exit code for a command that was not found"},
    {"rankdeck", "%1: a shell's exit code for the end by %2"},
    {"rankdeck", "%1, which was sent to it on request"},
    {"rankdeck", "%1, after %2 was sent to it on request"},
    {"rankdeck", "The run failed: %1"},
    {"rankdeck", "The scheduler failed: %1"},
    {"rankdeck", "The command failed: %1"},
    {"rankdeck", "Rank %1 failed: %2"},
    {"rankdeck", "DEFAULT_CONDA_ENV_NAME selects the conda environment %1 (%2)."},
    {"rankdeck", "Ranks %1 get terminals, which their wrappers need.",
     "Rank %1 gets a terminal, which its wrapper needs."},
    {"rankdeck", "While you debug one rank, the others give up after %1."},
    {"rankdeck", "To debug for longer, launch with --env %1."},
    {"rankdeck", "The workers are not bound to cpus: %n cpus are not enough for %1 workers.",
     "The workers are not bound to cpus: one cpu is not enough for %1 workers."},
    {"rankdeck", "%1 names no cpus for device %2: not bound."},
    {"rankdeck", "Already set, and kept: %1."},
    {"rankdeck", "Cannot write %1, so the converted rank table is in the run directory."},
    {"rankdeck",
     "MA_ALGORITHM_OPERATOR names an archive of operators. This launch does not install it: use --before."},
    {"rankdeck", "The flight recorder keeps variables that are already set: %1."},
    {"rankdeck", "--sim_rank_id is ignored: without --sim_level this is no dry run."},
    {"rankdeck", "This dry run starts one process, rank 0 of %1. Select another rank with --sim_rank_id, or "
                 "all ranks of this node with --sim_rank_id=-1."},
    {"rankdeck", "MS_SIMULATION_LEVEL is set in this environment, so this is a dry run."},
    {"rankdeck", "A dry run starts at most %1 workers per node. Only rank 0 is started."},
    {"rankdeck", "--node_rank %1 is ignored: all workers are on this node."},
    {"rankdeck", "--node_rank is not given: MindSpore numbers the ranks when the cluster forms. Logs are "
                 "numbered by device."},
    {"rankdeck",
     "%1 workers cannot be divided into nodes with %2 workers. Ranks are numbered as if every node had %2."},
    {"rankdeck", "--bind_numa has no effect: this machine has only one NUMA node."},
    {"rankdeck", "--bind_numa does not name device %1: not bound."},
    {"rankdeck",
     "Already set in this environment: %1. This launch overrides or unsets them for its processes."},
    {"rankdeck", "No scheduler is started here: node 0 starts it, and this is node %1."},
    {"rankdeck", "MS_ENABLE_TFT is set, so MS_ENABLE_RECOVERY is 1 in every process, as with msrun. The "
                 "taskd plugin, which then manages msrun's workers, is not used: a failure ends the run."},
    {"rankdeck", "OMP_NUM_THREADS is 1 in every rank, so that %1 ranks do not overload this node. To use "
                 "more, set it yourself."},
    {"rankdeck", "A failure here restarts only the ranks of this node. Other nodes restart their ranks when "
                 "those fail too, if launched with --max-restarts."},
    {"rankdeck", "This host is server %1, because %2."},
    {"rankdeck", "--nproc %1 means %2 here: one rank for each cpu."},
    {"rankdeck", "--nproc %1 means %2 here: one rank for each NPU."},
    {"rankdeck", "The ranks are not bound to cpus: this machine does not report its topology."},
    {"rankdeck", "Some ranks are not bound to cpus: a NUMA node has fewer cpus than ranks."},
    {"rankdeck", "Other logs mention %n ranks whose logs are missing here.",
     "Other logs mention %n rank whose log is missing here."},
    {"rankdeck", "Other processes use %1 of %2 GiB of this card."},
    {"rankdeck", "The command"},
    {"rankdeck", "the command"},
    {"rankdeck", "%1 ended first, without an error in its log."},
    {"rankdeck", "%1 shows its own error; the others show only that they waited for it."},
    {"rankdeck", "Only %1 shows an error."},
    {"rankdeck", "All %1 ranks failed alike, each on its own; no rank is to blame for the others."},
    {"rankdeck", "%1 ranks failed at nearly the same time, each on its own; rank %2 failed first."},
    {"rankdeck", "%1 ranks ended without an error in their logs. Their times do not show which was first."},
    {"rankdeck", "%1 ranks show their own errors. Their times do not show which was first."},
    {"rankdeck", "%1 ranks show their own errors; the error of %2 was first."},
    {"rankdeck", "The log does not name the rank."},
    {"rankdeck", "The log does not say which of the ranks failed."},
    {"rankdeck", "Ranks failed alike, each on its own; no rank is to blame for the others."},
    {"rankdeck", "Rank %1 does not agree with the others, which agree among themselves."},
    {"rankdeck", "Ranks do not agree. The evidence does not show which of them is wrong."},
    {"rankdeck", "Rank %1 never registered with the scheduler; the others waited for it."},
    {"rankdeck", "Ranks %1 never registered with the scheduler; the others waited for them."},
    {"rankdeck", "Other ranks report that rank %1 is gone, and it shows no error of its own."},
    {"rankdeck", "The other ranks wait for rank %1, directly or through each other, and it waits for none."},
    {"rankdeck", "Ranks wait for %1; among these, rank %2 was silent first."},
    {"rankdeck", "Ranks wait for %1, which show no error. The evidence does not tell them apart."},
    {"rankdeck", "Rank %1 came late: the others had given up and closed the connection."},
    {"rankdeck", "Rank %1 came late: it began to wait when the others were giving up."},
    {"rankdeck", "Rank %1 had begun collective operation %2 when others were at %3."},
    {"rankdeck", "Only rank %1 was in %2, the others were in %3."},
    {"rankdeck", "Only rank %1 shows no error; all others waited in vain."},
    {"rankdeck", "Ranks %1 show no error while others waited; rank %2 fell silent first."},
    {"rankdeck", "Ranks %1 show no error while others waited. The evidence does not tell them apart."},
    {"rankdeck",
     "Rank %1 was not in a collective operation when the run was interrupted; the others waited in one."},
    {"rankdeck", "The ranks wait for each other. The evidence does not show which rank caused it."},
    {"rankdeck", "Rank %1 had been silent for %2 s by then."},
    {"rankdeck", "The traceback is from rank %1."},
    {"rankdeck", "its launcher reported its end"},
    {"rankdeck", "CANN has kept the stacks of %1 when it crashed: %2"},
    {"rankdeck", "CANN has kept what %1 was doing when its wait timed out: %2"},
    {"rankdeck", "Fix the command and launch again; no process was started."},
    {"rankdeck", "Fix this and launch again. No process was started."},
    {"rankdeck", "See the run's journal for earlier events."},
    {"rankdeck", "Fix the command and launch again; no training was done."},
    {"rankdeck", "Read the scheduler's log first: without the scheduler the workers cannot find each other."},
    {"rankdeck", "Read the log of the command: it also holds what its ranks printed."},
    {"rankdeck",
     "Read this rank's log first: what the other ranks print after that is mostly a consequence."},
    {"rankdeck", "waiting for rank %1"},
    {"rankdeck", "no error"},
    {"rankdeck", "Rank %1"},
    {"rankdeck", "The scheduler"},
    {"rankdeck", "rank %1"},
    {"rankdeck", "the scheduler"},
    {"rankdeck::Supervisor",
     "All workers have ended, but %1 s later the scheduler has not. It is ended now."},
    {"rankdeck::Supervisor", "Kill was requested."},
    {"rankdeck::Supervisor", "Stop was requested."},
    {"rankdeck::Supervisor",
     "Rankdeck watches no more, as requested. The ranks go on: Rankdeck did not start them."},
    {"rankdeck::ProcessRequests",
     "Nothing was stopped: Rankdeck did not start these ranks. Send them a signal, or kill them."},
    {"rankdeck::Supervisor", "%1 failed (%2): all processes are ended and started again."},
    {"rankdeck::Supervisor", "%1 failed (%2): the other processes are ended."},
    {"rankdeck::Supervisor", "Restart %1 of %2. %3."},
    {"rankdeck::Supervisor",
     "The workers of this node have ended. The scheduler continues: workers of other nodes may need it."},
    {"rankdeck::Supervisor", "%1 cannot start its processes: %2"},
    {"rankdeck::Supervisor", "No process is started on any node."},
    {"rankdeck::Supervisor", "The agent of %1 was asked to end (%2)."},
    {"rankdeck::Supervisor", "%1 ended its processes: %2."},
    {"rankdeck::Supervisor", "Lost node %1 since %2: %3."},
    {"rankdeck::Supervisor", "Lost the agent of %1: %2."},
    {"rankdeck::Supervisor", "The processes of %1 are no longer supervised."},
    {"rankdeck::Supervisor", "The command that launched the run has ended."},
    {"rankdeck::ProcessRequests", "Kill was requested for %1."},
    {"rankdeck::ProcessRequests", "Stop was requested for %1."},
    {"rankdeck::ProcessRequests", "%1 is not started again: its end was requested."},
    {"rankdeck::Supervisor", "The supervisor was paused (SIGSTOP) and now continues."},
    {"rankdeck::Supervisor", "The supervisor got %1."},
    {"rankdeck::Supervisor", "The agent of %1 was paused (SIGSTOP) and now continues."},
    {"rankdeck::Supervisor", "The supervisor has lost its guardian. The run continues."},
    {"rankdeck::AgentLink", "no answer for %1 s"},
    {"rankdeck::LocalTransport", "the agent ended with %1"},
    {"rankdeck::LocalTransport", "the agent could not be started: %1"},
    {"rankdeck::RemoteTransport", "%1 ended with %2"},
    {"rankdeck::LaunchPreparation", "its agent prepared other processes than requested"},
    {"rankdeck::NodeAgents", "The processes on %1 have ended; %2 of their logs are still being copied."},
    {"rankdeck::LogFetch", "The logs on %1 cannot be fetched: %2"},
    {"rankdeck::Agent", "no message from the supervisor for %1 s"},
    {"rankdeck::NodeDumps", "No stacks: the process is not running."},
    {"rankdeck::Agent", "%1 was not sent: the process has ended."},
    {"rankdeck::Agent", "Cannot attach to rank %1: it has ended."},
    {"rankdeck::StackJob", "it wrote no stacks to its log"},
    {"rankdeck", "it took more than %1 s"},
    {"rankdeck::StackJob",
     "These are frames of C. For those of Python, run this where the rank runs: pip install py-spy"},
    {"rankdeck::HookSequence", "Before the launch: %1. Its output is in %2."},
    {"rankdeck::HookSequence", "After the launch: %1. Its output is in %2."},
    {"rankdeck::HookSequence", "A command before the launch failed (%1): %2."},
    {"rankdeck::HookSequence", "A command after the launch failed (%1): %2."},
    {"rankdeck::HookSequence", "A command was ended (%1): %2."},
    {"rankdeck::NodeRun", "Commands after the launch are skipped: there is no time for them."},
    {"rankdeck::WorkerGroup", "%1 is left unchanged: none of %2 is writable."},
    {"rankdeck::WorkerGroup", "%1 is %2; it is removed at the end."},
    {"rankdeck::WorkerGroup", "%1 does not read its input; anything typed until it does is lost."},
    {"rankdeck::WorkerGroup", "%1 continues: this launch does not stop remaining processes."},
    {"rankdeck::WorkerGroup", "%1 could not be removed completely."},
    {"rankdeck::Allocation", "Waiting for Slurm: job %1 is %2."},
    {"rankdeck::Allocation", "Requesting %n nodes from Slurm.", "Requesting a node from Slurm."},
    {"rankdeck::Allocation", "Slurm allocated %1 to this run: job %2."},
    {"rankdeck::NodeProgramTransport", "Copying rankdeckctl to %1 (%2)."},
    {"rankdeck::NodeProgramTransport", "%1: %2. A copy of this machine's rankdeckctl is used instead."},
});

/// A sentence as it is looked for: the text, or its singular.
class JournalPattern
{
public:
    JournalPattern(const JournalSentence &sentence, const QString &form, int number)
        : m_sentence(&sentence)
        , m_number(number)
        , m_letters(form.size())
    {
        static const QRegularExpression placeholder(QStringLiteral("%(\\d|n)"));
        constexpr int fewLetters = 12;
        const bool isShort = form.size() < fewLetters && !form.endsWith(u'.') && !form.endsWith(u')');
        // Nothing in a sentence ends one, unless nothing else is found.
        const QString within = isShort ? QStringLiteral("\\S+") : QStringLiteral("(?:(?!\\. [A-Z]).)+?");
        QString strict;
        QString loose;
        qsizetype end = 0;
        for (auto found = placeholder.globalMatch(form); found.hasNext();) {
            const QRegularExpressionMatch next = found.next();
            const QString before = QRegularExpression::escape(form.mid(end, next.capturedStart() - end));
            const QString name = QLatin1Char('p') + next.captured(1);
            const bool isKnown = m_names.contains(name);
            static const QRegularExpression beginning(QStringLiteral("^ [A-Z]"));
            const bool isSentence = beginning.match(form.mid(next.capturedEnd())).hasMatch();
            const QString what = name == QLatin1String("pn") ? QStringLiteral("\\d+")
                                 : isSentence                ? within + QStringLiteral("\\.")
                                                             : within;
            const QString anything = isShort ? what : QStringLiteral(".+?");
            strict += before + (isKnown ? QStringLiteral("\\k<%1>").arg(name)
                                        : QStringLiteral("(?<%1>%2)").arg(name, what));
            loose += before + (isKnown ? QStringLiteral("\\k<%1>").arg(name)
                                       : QStringLiteral("(?<%1>%2)").arg(name, anything));
            if (!isKnown)
                m_names << name;
            m_letters -= next.capturedLength();
            end = next.capturedEnd();
        }
        const QString rest = QRegularExpression::escape(form.mid(end));
        m_whole.setPattern(QLatin1Char('^') + strict + rest + QLatin1Char('$'));
        m_loose.setPattern(QLatin1Char('^') + loose + rest + QLatin1Char('$'));
        if (form.endsWith(u'.'))
            m_first.setPattern(QLatin1Char('^') + strict + rest + QStringLiteral(" (?<others>.+)$"));
    }

    /// How many letters of it are its own: what says more is looked for first.
    qsizetype letters() const { return m_letters; }
    const QRegularExpression &whole() const { return m_whole; }
    const QRegularExpression &loose() const { return m_loose; }
    const QRegularExpression &first() const { return m_first; }

    QString words(const QRegularExpressionMatch &found, int depth) const;

private:
    const JournalSentence *m_sentence;
    int m_number; ///< What decides the form if the text does not name it.
    qsizetype m_letters;
    QStringList m_names; ///< p1, p2, pn.
    QRegularExpression m_whole;
    QRegularExpression m_loose;
    QRegularExpression m_first; ///< Of several sentences; no pattern if it is not one.
};

const std::vector<JournalPattern> &journalPatterns()
{
    static const std::vector<JournalPattern> patterns = [] {
        std::vector<JournalPattern> all;
        for (const JournalSentence &sentence : journalSentences) {
            all.emplace_back(sentence, QString::fromUtf8(sentence.text), 2);
            if (sentence.singular)
                all.emplace_back(sentence, QString::fromUtf8(sentence.singular), 1);
        }
        std::ranges::stable_sort(all, std::ranges::greater(), &JournalPattern::letters);
        return all;
    }();
    return patterns;
}

std::optional<QString> knownWords(const QString &english, int depth);

/// Returns the words for a name or a headline, a colon, and something; one of them is known.
std::optional<QString> wordsWithColon(const QString &english, int depth)
{
    const QString colon = QStringLiteral(": ");
    const qsizetype end = english.indexOf(colon);
    if (end < 1)
        return std::nullopt;
    const QString before = english.left(end);
    const QString after = english.mid(end + colon.size());
    const auto headline = knownWords(before, depth + 1);
    const auto words = knownWords(after, depth + 1);
    if (!headline && (!words || before.contains(u' ')))
        return std::nullopt;
    return withColon(headline.value_or(before), words.value_or(after));
}

/// Returns the words for what is known as a whole. Sentences may hold others, but not forever.
std::optional<QString> knownWords(const QString &english, int depth)
{
    constexpr int deepest = 4;
    if (depth > deepest)
        return std::nullopt;
    for (const JournalPattern &pattern : journalPatterns()) {
        if (const auto found = pattern.whole().match(english); found.hasMatch())
            return pattern.words(found, depth);
    }
    for (const JournalPattern &pattern : journalPatterns()) {
        if (pattern.first().pattern().isEmpty())
            continue;
        const auto found = pattern.first().match(english);
        if (!found.hasMatch())
            continue;
        if (const auto others = knownWords(found.captured(QStringLiteral("others")), depth + 1))
            return joinedBySpaces({pattern.words(found, depth), *others});
    }
    for (const JournalPattern &pattern : journalPatterns()) {
        if (const auto found = pattern.loose().match(english); found.hasMatch())
            return pattern.words(found, depth);
    }
    return wordsWithColon(english, depth);
}

/// Returns the words for a part of a sentence, or for the known entries of a list of words.
QString partWords(const QString &english, int depth)
{
    if (const auto known = knownWords(english, depth))
        return *known;
    QStringList parts = english.split(QStringLiteral(", "));
    bool isKnown = false;
    for (QString &part : parts) {
        if (const auto known = knownWords(part, depth)) {
            isKnown = true;
            part = *known;
        } else if (part.contains(u' ')) {
            return english;
        }
    }
    return isKnown ? parts.join(nameComma()) : english;
}

QString JournalPattern::words(const QRegularExpressionMatch &found, int depth) const
{
    const QString count =
        m_names.contains(QLatin1String("pn")) ? found.captured(QStringLiteral("pn")) : QString();
    const int number = count.isEmpty() ? m_number : count.toInt();
    const QString text =
        QCoreApplication::translate(m_sentence->context, m_sentence->text, m_sentence->singular, number);
    static const QRegularExpression placeholder(QStringLiteral("%(\\d)"));
    QString words;
    qsizetype end = 0;
    for (auto next = placeholder.globalMatch(text); next.hasNext();) {
        const QRegularExpressionMatch at = next.next();
        const QString name = QLatin1Char('p') + at.captured(1);
        words += text.mid(end, at.capturedStart() - end);
        words += m_names.contains(name) ? partWords(found.captured(name), depth + 1) : at.captured();
        end = at.capturedEnd();
    }
    return words + text.mid(end);
}

} // namespace

QString journalWords(const QString &english)
{
    const JournalSentence &any = journalSentences.front();
    if (english.isEmpty() || QCoreApplication::translate(any.context, any.text) == QLatin1String(any.text))
        return english; // There is no translation.
    return knownWords(english, 0).value_or(english);
}

} // namespace rankdeck
