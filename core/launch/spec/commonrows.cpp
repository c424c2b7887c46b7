#include "launch/spec/optionrows.h"

namespace rankdeck
{

OptionRows commonRows()
{
    using enum OptionTopic;
    static constexpr char asInherited[] = QT_TR_NOOP("as inherited");
    static constexpr OptionRow rows[] = {
        row(at<&LaunchSpec::name>(), "--name NAME", StartAndEnd,
            QT_TR_NOOP("name of the run (the script's name)"), QT_TR_NOOP("Run &name"),
            QT_TR_NOOP("Name of the run in the run list."), QT_TR_NOOP("the script's name")),
        row(at<&CommonOptions::before>(), "--before COMMAND", StartAndEnd,
            QT_TR_NOOP("run a command before the first process starts; may be repeated"),
            QT_TR_NOOP("Before"),
            QT_TR_NOOP("Commands to run on each node before the first rank, one per line.")),
        row(at<&CommonOptions::after>(), "--after COMMAND", StartAndEnd,
            QT_TR_NOOP("run a command after the last process has ended; may be repeated"),
            QT_TR_NOOP("After"), QT_TR_NOOP("Commands to run after the last rank has ended.")),
        row(at<&CommonOptions::ports>(), "--ports auto|fixed", StartAndEnd,
            QT_TR_NOOP("auto: where a port that the launcher would use by itself is taken, use a free one, "
                       "reserved for the run; fixed: keep the launcher's own (auto)"),
            QT_TR_NOOP("Ports"),
            QT_TR_NOOP("auto: where a port that the launcher would use by itself is taken, a free one is "
                       "used, reserved for the run; fixed: the launcher's own.")),
        row(at<&CommonOptions::neededHbmMb>("needs_hbm_mb"), "--needs-hbm MB", StartAndEnd,
            QT_TR_NOOP("HBM that must be free on each rank's NPU before the start"), QT_TR_NOOP("HBM needed"),
            QT_TR_NOOP("Memory that must be free on each rank's NPU before the start."), from(0, 1 << 20),
            QT_TR_NOOP("not checked"))
            .withUnit(QT_TR_NOOP(" MB")),
        row(at<&LaunchSpec::graceSeconds>(), "--grace SECONDS", StartAndEnd,
            QT_TR_NOOP("time between SIGTERM and SIGKILL (%1)"), QT_TR_NOOP("Gr&ace"),
            QT_TR_NOOP("Time between SIGTERM and SIGKILL."), from(0, 3600)),
        row(at<&LaunchSpec::workDir>(), "--work-dir DIR", Environment,
            QT_TR_NOOP("working directory of every process (./)"), QT_TR_NOOP("&Work directory"),
            QT_TR_NOOP("Directory in which every rank starts."), QT_TR_NOOP("the current directory")),
        row(at<&CommonOptions::condaEnv>(), "--conda-env NAME", Environment,
            QT_TR_NOOP("conda environment, by name or directory"), QT_TR_NOOP("Conda en&vironment"),
            QT_TR_NOOP("Name or directory of the conda environment."), QT_TR_NOOP("none")),
        row(at<&LaunchSpec::environment>("environment"), "--env NAME=VALUE", Environment,
            QT_TR_NOOP("set a variable for every process; may be repeated"), QT_TR_NOOP("&Environment"),
            QT_TR_NOOP("One NAME=value per line; overrides what the launcher sets."), "GLOG_v=2"),
        row(at<&CommonOptions::envFiles>("env_files"), "--env-file FILE", Environment,
            QT_TR_NOOP("read variables from a file, one NAME=VALUE per line; may be repeated"),
            QT_TR_NOOP("Environment files"),
            QT_TR_NOOP("Files with NAME=VALUE lines, one file per line; later files win.")),
        row(at<&CommonOptions::unsetVariables>(), "--unset-env NAME", Environment,
            QT_TR_NOOP("unset a variable in all processes; may be repeated"), QT_TR_NOOP("Unset"),
            QT_TR_NOOP("Variables to unset, separated by spaces."), "http_proxy MS_ROLE"),
        row(at<&CommonOptions::rankEnvironment>(), "--rank-env RANK:NAME=VALUE", Environment,
            QT_TR_NOOP("set a variable for one rank; may be repeated"), QT_TR_NOOP("Rank variables"),
            QT_TR_NOOP("One RANK:NAME=value per line; overrides the environment."), "0:GLOG_v=1"),
        row(at<&CommonOptions::bindCore>(), "--bind-core True|False|JSON", Environment,
            QT_TR_NOOP("bind ranks to cpus: {\"device0\":[\"0-10\"],…} (False)"), QT_TR_NOOP("Bind to CPUs"),
            QT_TR_NOOP("Cpus of each rank: False, True for equal shares, or {\"device0\":[\"0-10\"]} by "
                       "local rank.")),
        row(at<&CommonOptions::nice>(), "--nice N", Environment,
            QT_TR_NOOP("added to the processes' nice level, -20 to 19 (0)"), QT_TR_NOOP("Nice"),
            QT_TR_NOOP("-20 to 19; a higher value means a lower priority."), from(-20, 19)),
        row(at<&CommonOptions::memoryLimitMiB>("memory_limit_mib"), "--memory-limit SIZE", Environment,
            QT_TR_NOOP("address space of each process, e.g. 512M or 64G"), QT_TR_NOOP("Memory limit"),
            QT_TR_NOOP("Most address space for each process."), from(0), asInherited)
            .withUnit(QT_TR_NOOP(" MiB")),
        row(at<&CommonOptions::openFiles>(), "--open-files N", Environment,
            QT_TR_NOOP("limit of open files per process"), QT_TR_NOOP("Open files"),
            QT_TR_NOOP("Most file descriptors for each process."), from(0), asInherited),
        row(at<&CommonOptions::umask>(), "--umask OCTAL", Environment,
            QT_TR_NOOP("file mode bits that are taken away, e.g. 027"), QT_TR_NOOP("Umask"),
            QT_TR_NOOP("Octal, 000 to 777."), from(-1, 0777), asInherited),
        row(at<&NodeOptions::list>("list"), "--nodes LIST", Nodes, QT_TR_NOOP("run on these nodes: a,b,c"),
            QT_TR_NOOP("No&des"),
            QT_TR_NOOP("Hosts, addresses or ssh aliases, separated by commas; the first is node 0. In a "
                       "Slurm allocation, ranges such as n[1-4] work too."),
            QT_TR_NOOP("this node only")),
        row(at<&NodeOptions::transport>(), "--transport TRANSPORT", Nodes,
            QT_TR_NOOP("connect to nodes by auto, local, ssh or slurm, or to containers: docker:NAME, "
                       "podman:NAME, kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME; {node} "
                       "stands for each of --nodes (auto)"),
            QT_TR_NOOP("Transport"),
            QT_TR_NOOP(
                "auto: Slurm inside an allocation, otherwise ssh. slurm: requests an allocation if there is "
                "none. Or type a container: docker:NAME, podman:NAME, kubectl:[NAMESPACE/]POD[:CONTAINER], "
                "ssh:HOST+docker:NAME. {node} stands for each node."))
            .withChoices("auto|local|ssh|slurm|…"),
        row(at<&NodeOptions::transportCommand>(), "--transport-command COMMAND", Nodes,
            QT_TR_NOOP("connect to nodes by a program that starts the words after its own there, e.g. "
                       "\"enroot exec {node}\""),
            QT_TR_NOOP("Transport command"),
            QT_TR_NOOP("A program that starts the words after its own on a node, in place of a transport."),
            "enroot exec {node}"),
        row({}, "--slurm", Nodes, QT_TR_NOOP("the same as --transport slurm")),
        row(at<&NodeOptions::sshConfig>(), "--ssh-config FILE", Nodes,
            QT_TR_NOOP("use this file as ssh's configuration"), QT_TR_NOOP("ssh config"),
            QT_TR_NOOP("File to use instead of ssh's own configuration."), QT_TR_NOOP("ssh's own")),
        row(at<&NodeOptions::program>("program"), "--node-program PATH", Nodes,
            QT_TR_NOOP("path of rankdeckctl on the nodes (from their PATH, else a copy)"),
            QT_TR_NOOP("Program there"), QT_TR_NOOP("Path of rankdeckctl on the nodes."),
            QT_TR_NOOP("rankdeckctl in their PATH, else a copy")),
        row(at<&NodeOptions::slurmOptions>(), "--slurm-options WORDS", Nodes,
            QT_TR_NOOP("of salloc, where the launch makes its own allocation, e.g. \"-p npu -t 60\""),
            QT_TR_NOOP("Slurm options"),
            QT_TR_NOOP("Options for salloc, if the launch requests its own allocation."),
            "-p npu -t 2:00:00"),
        row(at<&NodeOptions::slurmWaitSeconds>(), "--slurm-wait SECONDS", Nodes,
            QT_TR_NOOP("limit of the wait for Slurm's nodes (%1)"), QT_TR_NOOP("Wait for Slurm"),
            QT_TR_NOOP("Time limit for Slurm to allocate the nodes."), from(1, 2592000)),
        row(at<&NodeOptions::silenceSeconds>("silence"), "--node-timeout SECONDS", Nodes,
            QT_TR_NOOP("consider a node lost when it does not respond for this long (%1)"),
            QT_TR_NOOP("Node timeout"),
            QT_TR_NOOP("A node that does not respond for this long is considered lost."), from(5, 3600)),
        row(at<&NodeOptions::mirror>(), "--no-mirror", Nodes,
            QT_TR_NOOP("do not copy logs from nodes without a shared file system, unless they are opened"),
            QT_TR_NOOP("Copy the nodes' logs here"),
            QT_TR_NOOP("For nodes without a shared file system. Otherwise only logs that you open and logs "
                       "of failed ranks are copied.")),
        row(at<&CommonOptions::terminals>(), "--tty RANKS", Terminal,
            QT_TR_NOOP("give ranks a terminal, for debuggers: all, none or 0-3,7 (%1)"),
            QT_TR_NOOP("Terminals"),
            QT_TR_NOOP("Ranks with a terminal to type into, e.g. for debuggers: all, none or 0-3,7."),
            "none"),
        row(at<&CommonOptions::wrappers>(), "--wrap RANKS:COMMAND", Terminal,
            QT_TR_NOOP("start ranks by a program, e.g. 0:gdb; %1, or any command; may be repeated"),
            QT_TR_NOOP("Wrappers"),
            QT_TR_NOOP("Run ranks under another program: one RANKS:COMMAND per line, or pick one with Add."),
            "0:gdb"),
        row(at<&CommonOptions::promptPattern>(), "--prompt-pattern REGEX", Terminal,
            QT_TR_NOOP("pattern of your debugger's prompt; pdb, ipdb, gdb and python are built in"),
            QT_TR_NOOP("Prompt"),
            QT_TR_NOOP("Regular expression for the prompt of your own debugger. Rankdeck knows pdb, ipdb, "
                       "gdb and python."),
            "\\(mydbg\\) "),
        row(at<&CommonOptions::dumpSignal>(), "--dump-signal NAME", Terminal,
            QT_TR_NOOP("the program writes its stacks at this signal (faulthandler.register), e.g. USR1"),
            QT_TR_NOOP("Dump signal"),
            QT_TR_NOOP("Signal that the program passed to faulthandler.register(): USR1, USR2, HUP or QUIT."),
            QT_TR_NOOP("none")),
        row(at<&CommonOptions::flightRecorder>(), "--flight-recorder auto|on|off", Terminal,
            QT_TR_NOOP("have torch and torch_npu record each rank's collectives; auto: where Python has one "
                       "of them. An old torch_npu ignores it; torch's monitor may abort a rank that is "
                       "silent for ten minutes and twice --stall-after (auto)"),
            QT_TR_NOOP("Flight recorder"),
            QT_TR_NOOP("Has torch and torch_npu record each rank's collectives: auto (where Python has one "
                       "of them), on or off. An old torch_npu ignores it; torch's monitor may abort a rank "
                       "that is silent for ten minutes and twice \"Stalled after\".")),
        row(at<&CommonOptions::takesEvidence>("takes_evidence"), "--no-evidence", Terminal,
            QT_TR_NOOP("take neither stacks nor recorders' dumps at a stall or before a failed run is ended"),
            QT_TR_NOOP("Take evidence"),
            QT_TR_NOOP("Takes stacks and dumps of flight recorders at a stall, and before a failed run is "
                       "ended: five seconds at most.")),
        row(at<&CommonOptions::progressPattern>(), "--progress-pattern REGEX", Watching,
            QT_TR_NOOP("find steps and losses in the logs by named groups, (?P<step>\\d+)"),
            QT_TR_NOOP("Progress pattern"),
            QT_TR_NOOP(
                "Regular expression for steps and losses that Rankdeck does not find itself. Its groups are "
                "named epoch, epochs, step, steps, loss, step_time_ms or step_time_s, throughput."),
            "step (?P<step>\\d+) loss (?P<loss>\\S+)"),
        row(at<&CommonOptions::stallAfterSeconds>(), "--stall-after SECONDS", Watching,
            QT_TR_NOOP("report a rank as stalled when it is silent for longer than this, and than is usual "
                       "for it; 0: never (%1)"),
            QT_TR_NOOP("Stalled after"),
            QT_TR_NOOP("Reports a rank as stalled when it prints nothing for this long, and for longer than "
                       "is usual for it."),
            from(0, 604800), QT_TR_NOOP("never"))
            .withPreference(QT_TR_NOOP("A rank is s&talled after:")),
        row(at<&CommonOptions::sampleEverySeconds>(), "--sample-every SECONDS", Watching,
            QT_TR_NOOP("sample NPUs and processes continuously; 0: only while shown (%1)"),
            QT_TR_NOOP("Sample every"),
            QT_TR_NOOP("Samples NPUs and processes continuously, for complete history and alarms. Otherwise "
                       "only while a window shows them."),
            from(0, 3600), QT_TR_NOOP("while shown"))
            .withPreference(QT_TR_NOOP("&Sample NPUs every:")),
        row(at<&LaunchSpec::raiseOnFailure>("raise_on_failure"), "--no-raise", Watching,
            QT_TR_NOOP("do not open the error dialog automatically"),
            QT_TR_NOOP("Show error dialog on fail&ure"),
            QT_TR_NOOP("Open the error dialog automatically when a rank fails."))};
    return rows;
}

} // namespace rankdeck
