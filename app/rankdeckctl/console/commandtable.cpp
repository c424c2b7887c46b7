#include "agent/channel/headchannel.h"
#include "agent/supervise/guardian.h"
#include "device/sampling/devicesampler.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"

namespace rankdeck
{

static CommandOption json()
{
    return {u"--json"_s, {}, tr("print JSON, errors too")};
}

static CommandOption quiet()
{
    return {u"-q, --quiet"_s, {}, tr("do not print the output of the ranks")};
}

static CommandOption raw()
{
    return {u"--raw"_s, {}, tr("send all bytes of the ranks to the terminal, not only text and colours")};
}

static CommandOption repeatable(CommandOption option)
{
    option.isRepeatable = true;
    return option;
}

static CommandOption rankOption(const QString &help)
{
    return {u"--rank"_s, u"RANKS"_s, help};
}

static OptionSection options(std::vector<CommandOption> rows)
{
    return {tr("Options"), std::move(rows)};
}

/// The options of launching commands, beside their launcher's.
static std::vector<OptionSection> launchSections()
{
    return {{tr("Watching"),
             {{u"--detach"_s,
               {},
               tr("print the run's name and return: at once, or when all nodes of --nodes have started it")},
              quiet(),
              raw()}},
            {tr("Start and end"),
             {{u"--stop-holders"_s, {}, tr("first stop your runs that use the same devices or port")}}}};
}

static std::vector<ExitCode> launchCodes()
{
    return {{u"0"_s, tr("every rank succeeded; with --detach, the run has started")},
            {u"2"_s, tr("wrong arguments or input, or a node cannot be reached or cannot start its ranks")},
            {u"N"_s, tr("exit code of the rank that failed first; 128 + n for signal n")}};
}

static Command launcher(const QString &name, const QString &arguments, const QString &summary,
                        int (*run)(const Options &), const QString &description, const QStringList &examples)
{
    return {.name = name,
            .arguments = arguments,
            .summary = summary,
            .run = run,
            .description = description,
            .sections = launchSections(),
            .exitCodes = launchCodes(),
            .examples = examples,
            .words = Words::AsTheyAre,
            .launcher = name};
}

/// Where the nodes of a command are, and how they are reached.
static std::vector<CommandOption> nodeOptions()
{
    return {{u"--transport"_s, u"TRANSPORT"_s,
             tr("how to reach nodes: local, ssh, slurm, or auto (slurm in an allocation, otherwise ssh; "
                "without named nodes this node alone); containers: docker:NAME, podman:NAME, "
                "kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME, with {node} for each of --nodes"),
             u"auto"_s},
            {u"--transport-command"_s, u"COMMAND"_s,
             tr("program that starts the words after its own on a node, e.g. \"enroot exec {node}\"")},
            {u"--ssh-config"_s, u"FILE"_s, tr("use this ssh configuration file")},
            {u"--node-program"_s, u"FILE"_s,
             tr("path of rankdeckctl on the nodes; default: the one in their PATH, otherwise a copy of this "
                "one in ~/.cache/rankdeck, made by the launch")}};
}

/// How a rank table that was made is written.
static OptionSection outputSection()
{
    return {tr("Output"),
            {{u"-o, --output"_s, u"FILE"_s,
              tr("write to this file; to a folder under the usual name; default: print it")},
             {u"--force"_s, {}, tr("replace an existing file")},
             {u"--diff"_s, {}, tr("show the changes, write nothing")}}};
}

static CommandGroup launchGroup()
{
    const QString line =
        tr("LAUNCHER is davincirun, msrun, processes, wrap, torchrun or run, with its own options "
           "and command: see \"rankdeckctl LAUNCHER --help\".");
    return {
        tr("Launch"),
        {launcher(
             u"davincirun"_s, u"[OPTIONS] COMMAND…"_s, tr("launch one process for each device of this node"),
             davincirunCommand,
             tr("Waits for the rank table, converts it, starts COMMAND once for each device of this node, "
                "and waits. The environment's python runs a .py file. davincirun creates the work directory. "
                "It prints which server of the rank table this host is, and why. Ctrl-C stops the run."),
             {u"rankdeckctl davincirun --rank-table rank_table.json train.py"_s}),
         launcher(u"msrun"_s, u"[OPTIONS] SCRIPT…"_s, tr("launch as msrun of MindSpore does"), msrunCommand,
                  tr("Starts the workers of this node as msrun does, and on the master node the scheduler. "
                     "SCRIPT is a .py file for the environment's python, or python, python3 or pytest with "
                     "its arguments. Without --join=True it prints the run's name and returns, as with "
                     "--detach; Rankdeck watches the run in the background. With --join=True it waits, and "
                     "Ctrl-C stops the run."),
                  {u"rankdeckctl msrun --worker_num=8 --local_worker_num=8 --join=True train.py"_s}),
         launcher(u"torchrun"_s, u"[OPTIONS] SCRIPT…"_s, tr("launch a command line of torchrun"),
                  torchrunCommand,
                  tr("Takes torchrun's options and prints what differs: there is no rendezvous, so each node "
                     "needs --node-rank. It starts the ranks as \"rankdeckctl processes\" does, with "
                     "torchrun's environment. Ctrl-C stops the run. torchrun's variables PET_NNODES, "
                     "PET_NPROC_PER_NODE … count as its options."),
                  {u"rankdeckctl torchrun --nproc_per_node=8 train.py --epochs 3"_s}),
         launcher(u"processes"_s, u"[OPTIONS] -- COMMAND…\nSPEC.json"_s,
                  tr("launch any command as torchrun would"), processesCommand,
                  tr("Starts COMMAND once for each local rank with torchrun's environment, and waits. "
                     "${local_rank} in an argument becomes the local rank.\nSPEC.json holds what "
                     "start_processes of torch takes: name, entrypoint (a program, or a function of Python "
                     "as \"module:function\" or \"file.py:function\"), args and envs by local rank, log_dir "
                     "…\nThe signals of --signals-to-handle, Ctrl-C, and the end of this command end the "
                     "ranks. With --detach the ranks live on. torchrun's variables PET_NNODES, "
                     "PET_NPROC_PER_NODE … count as its options. With --redirects 0 the ranks print to the "
                     "console, as with torchrun; Rankdeck keeps a log too."),
                  {u"rankdeckctl processes --nproc 8 -- python3 train.py"_s}),
         launcher(
             u"wrap"_s, u"[OPTIONS] -- COMMAND…"_s, tr("launch another launcher or a script, and watch it"),
             wrapCommand,
             tr("Starts COMMAND once, such as deepspeed, accelerate, swift, mpirun or a script that starts "
                "ranks, and waits. One log holds the output of COMMAND and its ranks, which are "
                "watched as they are found. When COMMAND ends, Rankdeck ends everything "
                "that it left running, so a script must wait for its ranks. Ctrl-C stops the run."),
             {u"rankdeckctl wrap -- bash run.sh"_s}),
         launcher(u"run"_s, u"PROFILE [OPTIONS] [COMMAND…]\n--again RUN [OPTIONS] [COMMAND…]"_s,
                  tr("launch a profile, or a run again"), runCommand,
                  tr("Launches a profile, or a run again, in its working directory and with the present "
                     "environment. Options and a command that you add replace its own; \"rankdeckctl "
                     "LAUNCHER --help\" lists the options of its launcher. PROFILE is a name from "
                     "\"rankdeckctl profile list\", or a file. RUN is a run from \"rankdeckctl list\"."),
                  {u"rankdeckctl run bert-8p --detach"_s, u"rankdeckctl run --again last"_s}),
         {.name = u"demo"_s,
          .arguments = u"[DEMO]"_s,
          .summary = tr("launch a built-in demo, which needs no NPU"),
          .run = demoCommand,
          .description = tr("Launches ranks on this machine and watches them. Their NPUs are invented: a "
                            "stand-in for npu-smi makes their values up, and they are marked wherever they "
                            "are shown. Without DEMO, the first of the list."),
          .sections = {options(
              {{u"--list"_s, {}, tr("list the demos, start nothing")},
               {u"--speed"_s, u"N"_s, tr("let the training script run N times as fast, 1 to 100"), u"1"_s},
               {u"--detach"_s, {}, tr("print the run's name and return")},
               quiet(),
               {u"--json"_s, {}, tr("with --list: print JSON")}})},
          .exitCodes = launchCodes(),
          .examples = {u"rankdeckctl demo --list"_s, u"rankdeckctl demo training --detach"_s}},
         {.name = u"plan"_s,
          .arguments = u"LAUNCHER…"_s,
          .summary = tr("show what a launch would start"),
          .run = planCommand,
          .description =
              tr("Prints each process of the launch with its environment, directory, log and cpus, without "
                 "starting it.\n%1 The options below may also stand among the launcher's.")
                  .arg(line),
          .sections = {options({json(), {u"--script"_s, {}, tr("print a shell script that does the same")}})},
          .examples = {u"rankdeckctl plan msrun --worker_num=8 --local_worker_num=8 train.py"_s,
                       u"rankdeckctl plan --json processes --nproc 2 -- python3 train.py"_s},
          .words = Words::CommandLine},
         {.name = u"preflight"_s,
          .arguments = u"LAUNCHER…"_s,
          .summary = tr("check that a launch would work"),
          .run = preflightCommand,
          .description =
              tr("Checks a launch on all its nodes without starting it. Each node checks the plan and its "
                 "rank table, variables, interpreter, script, disk space, limits, ports, and who uses its "
                 "devices. Then the ranks test their connections, in pairs and in collective operations. "
                 "Where hccn_tool is installed, it tests the network of the NPUs.\n%1")
                  .arg(line),
          .sections = {options(
              {repeatable(
                   {u"--import"_s, u"MODULE"_s, tr("check that Python imports this module on each node")}),
               {u"--limit"_s, u"SECONDS"_s, tr("end all checks after this time"), u"30"_s},
               {u"--json"_s, {}, tr("print JSON, errors too; also among the launcher's options")}})},
          .exitCodes = {{u"0"_s, tr("every check passed")},
                        {u"1"_s, tr("a check failed")},
                        {u"N"_s, tr("128 + n when signal n ended it")}},
          .examples = {u"rankdeckctl preflight --import torch torchrun --nproc-per-node 8 train.py"_s},
          .words = Words::CommandLine},
         {.name = u"import"_s,
          .arguments = u"COMMAND…"_s,
          .summary = tr("turn a command line of another launcher into Rankdeck's"),
          .run = importCommand,
          .description = tr("Takes a command line of any launcher, as words or as one quoted text, or a "
                            "script as one text. Prints the rankdeckctl command line for the same launch, "
                            "and what differs."),
          .sections = {options(
              {{u"--save"_s, u"PROFILE"_s, tr("also save the launch as this profile")}, json()})},
          .examples = {u"rankdeckctl import torchrun --nproc_per_node=8 train.py"_s},
          .words = Words::CommandLine}}};
}

static CommandGroup watchGroup()
{
    return {
        tr("Watch"),
        {{.name = u"list"_s,
          .arguments = {},
          .summary = tr("list live and past runs"),
          .run = listCommand,
          .description = tr("Lists runs, live ones first, then the newest."),
          .sections = {options(
              {repeatable({u"--state"_s, u"STATE,…"_s,
                           tr("show only these states: live, ended, starting, running, stopping, "
                              "succeeded, failed, stopped, lost, unknown")}),
               {u"--limit"_s, u"N"_s, tr("show the first N runs")},
               json()})},
          .examples = {u"rankdeckctl list --state live,failed --limit 10"_s}},
         {.name = u"adopt"_s,
          .arguments = u"[PID|JOB]"_s,
          .summary = tr("watch ranks that were started outside Rankdeck"),
          .run = adoptCommand,
          .description =
              tr("Makes a run of a launcher, a rank or a Slurm job of yours that runs already, and prints "
                 "its new lines. PID is the launcher, whose ranks are found below it, or a rank; JOB is a "
                 "Slurm job, e.g. slurm:42. Nothing is started, and nothing is signalled unless you ask for "
                 "it with \"rankdeckctl signal\" or \"rankdeckctl stop --kill\". \"rankdeckctl stop\" ends "
                 "the watching, not the ranks. Ctrl-C ends this command, the watching goes on."),
          .sections = {options(
              {{u"--name"_s, u"NAME"_s,
                tr("find it by the name of its program or script, or by a piece of its command "
                   "line")},
               {u"--detach"_s, {}, tr("print the run's name and return")},
               quiet(),
               raw()})},
          .exitCodes = {{u"1"_s, tr("everything has ended, and nothing tells how")},
                        {u"N"_s,
                         tr("exit code of the rank that failed first or of the Slurm job, if it is told")}},
          .examples = {u"rankdeckctl adopt 4711"_s, u"rankdeckctl adopt --name train.py --detach"_s,
                       u"rankdeckctl adopt slurm:42"_s}},
         {.name = u"attach"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("print a run's new lines, type to its ranks"),
          .run = attachCommand,
          .description = tr("Prints the lines of all ranks until the run ends. Ctrl-C ends this command, not "
                            "the run. With --rank, your input goes to the terminals of these ranks."),
          .sections = {options(
              {{u"-n, --tail"_s, u"N"_s, tr("start with the last N lines of each log")},
               rankOption(tr("type to these ranks: 3, 0,4-7 or all; one rank alone gets the whole terminal")),
               {u"--fold"_s, {}, tr("with --rank: print a line of several ranks once")},
               {u"--json"_s, {}, tr("print a JSON object for each line, errors too; not with --rank")},
               raw()})},
          .exitCodes = {{u"N"_s, tr("the run's exit code")}},
          .examples = {u"rankdeckctl attach"_s, u"rankdeckctl attach last --rank 0"_s}},
         {.name = u"top"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("watch runs full-screen in this terminal"),
          .run = topCommand,
          .description = tr(
              "Shows the ranks of a run, with state, step, NPU use and memory, and a log that is followed: "
              "the chosen rank's, or all merged and filtered. Without RUN, the list of runs; the run itself "
              "where one is live. The key h shows the keys, q and Ctrl-C end this command, not the run. "
              "Without colours where NO_COLOR is set."),
          .examples = {u"rankdeckctl top"_s, u"rankdeckctl top last"_s}},
         {.name = u"replay"_s,
          .arguments = u"RUN|PATH|BUNDLE"_s,
          .summary = tr("play a past run again, full-screen in this terminal"),
          .run = replayCommand,
          .description = tr(
              "Shows a run as \"rankdeckctl top\" does, but as it was at a time that passes: states, steps, "
              "NPUs and logs as far as they were known then. Space plays and pauses, < and > go to the next "
              "failure, stall or note, 0 to 9 to a tenth of the run, h shows all keys. Logs alone (PATH) are "
              "replayed by the time stamps of their lines. Nothing is started or written."),
          .sections = {options(
              {{u"--at"_s, u"PLACE"_s,
                tr("begin there and pause: seconds since its start (90, 1:30, 1:02:03), a part (50%), "
                   "failure, stall, end, or a date and time (2026-01-31T14:03:59)")},
               {u"--speed"_s, u"N"_s, tr("play N times as fast, 1 to 1000"), u"1"_s},
               {u"--json"_s, {}, tr("print what was known there as JSON; without --at, at the end")}})},
          .examples = {u"rankdeckctl replay last --speed 10"_s, u"rankdeckctl replay last --at failure"_s}},
         {.name = u"logs"_s,
          .arguments = u"[RUN|PATH|BUNDLE]"_s,
          .summary = tr("print logs of a run, of any launcher, or of a bundle"),
          .run = logsCommand,
          .description = tr("Prints the logs of a run, of any launcher at PATH (a directory or one log), or "
                            "of a report bundle. Each line begins with its rank. A line without a time stamp "
                            "or level takes those of the line before it."),
          .sections =
              {{tr("Which logs"),
                {{u"--open"_s, u"PATH"_s, tr("read PATH even if a run has this name")},
                 rankOption(
                     tr("print these ranks: 3, 0,4-7 or all; one rank alone is printed without its name")),
                 {u"--scheduler"_s, {}, tr("print the scheduler's log")},
                 {u"--stderr"_s, {}, tr("print standard error only, where it has its own file")},
                 {u"--attempt"_s, u"N"_s,
                  tr("print the logs of attempt N, counted from 0, instead of the newest")},
                 {u"-n, --tail"_s, u"N"_s, tr("print only the last N lines of each log")},
                 {u"-f, --follow"_s, {}, tr("keep printing new lines until the run ends")}}},
               {tr("In which order"),
                {{u"--merge"_s, {}, tr("merge all logs by time stamp")},
                 {u"--fold"_s, {}, tr("merge, and print a line of several ranks once, with their numbers")}}},
               {tr("Which lines"),
                {repeatable({u"--grep"_s, u"PATTERN"_s, tr("print lines that match any of these")}),
                 {u"--all-match"_s, {}, tr("print lines that match all of them")},
                 repeatable({u"--exclude"_s, u"PATTERN"_s, tr("leave out lines that match")}),
                 {u"--ignore-case"_s, {}, tr("ignore upper and lower case")},
                 {u"--fixed-strings"_s,
                  {},
                  tr("take patterns as plain text, not as regular expressions (RE2)")},
                 {u"--level"_s, u"LEVEL"_s,
                  tr("print lines of this level or worse: debug, info, warning, error or critical")},
                 {u"--since"_s, u"TIME"_s,
                  tr("print lines from this time on: 14:22, \"2024-12-26 14:22:26\", or 10m (s, h, d) "
                     "ago")}}},
               {tr("Output"),
                {{u"--json"_s, {}, tr("print a JSON object for each line, errors too")},
                 {u"--color"_s, u"WHEN"_s,
                  tr("auto (on a terminal, unless NO_COLOR is set), always or never"), u"auto"_s},
                 raw()}}},
          .examples = {u"rankdeckctl logs --merge --level error"_s,
                       u"rankdeckctl logs ./log --rank 0-3 --grep loss --tail 20"_s}},
         {.name = u"progress"_s,
          .arguments = u"[RUN|PATH|BUNDLE]"_s,
          .summary = tr("show step, loss and remaining time of each rank"),
          .run = progressCommand,
          .description = tr("Reads the training progress of each rank from its log: logs of a run, of any "
                            "launcher at PATH, or of a report bundle."),
          .sections = {options({json(),
                                {u"--csv"_s, {}, tr("print the curves of loss and step time")},
                                {u"-f, --follow"_s, {}, tr("print a line at each change until the run ends")},
                                {u"--progress-pattern"_s, u"REGEX"_s,
                                 tr("find steps and losses with these named groups, e.g. (?P<step>\\d+), "
                                    "instead of the launch's own pattern")}})},
          .examples = {u"rankdeckctl progress --follow"_s}},
         {.name = u"compare"_s,
          .arguments = u"RUN RUN…"_s,
          .summary = tr("show how runs differ: end, times, progress, options"),
          .run = compareCommand,
          .description =
              tr("Prints state, exit code, times and progress of two or more runs side by side, and the "
                 "options, commands and variables that differ."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl compare first-run second-run"_s}},
         {.name = u"wait"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("wait for a run's end"),
          .run = waitCommand,
          .description = tr("Waits until a run has ended and returns its exit code. Prints nothing on "
                            "standard output without --json."),
          .sections = {options({{u"--timeout"_s, u"SECONDS"_s, tr("give up after this time")},
                                {u"--json"_s, {}, tr("print how each process ended, errors too")}})},
          .exitCodes = {{u"124"_s, tr("the time of --timeout is up")}, {u"N"_s, tr("the run's exit code")}},
          .examples = {u"rankdeckctl wait last --timeout 3600"_s}}}};
}

static CommandGroup diagnoseGroup()
{
    return {
        tr("Diagnose"),
        {{.name = u"report"_s,
          .arguments = u"[RUN|PATH|BUNDLE]"_s,
          .summary = tr("say which rank failed first, and why"),
          .run = reportCommand,
          .description = tr("Reports the first failure of a run, of any launcher's logs at PATH, or of a "
                            "report bundle: the rank, the cause and the evidence."),
          .sections = {options(
              {json(),
               {u"--html"_s, {}, tr("print an HTML page with curves, ranks and events, with secrets masked")},
               {u"-o, --output"_s, u"FILE"_s, tr("with --html: write the page into this file")},
               {u"--bundle"_s, u"FILE"_s,
                tr("write a report bundle for a colleague into FILE.tar.gz: logs, verdict "
                   "and settings, with secrets masked")},
               {u"--ascend-fd"_s, u"FILE"_s,
                tr("write the logs into FILE.tar.gz as \"ascend-fd parse\" takes them, with "
                   "secrets masked")},
               {u"--max-size"_s, u"MB"_s, tr("with --bundle and --ascend-fd: size limit of the file")}})},
          .examples = {u"rankdeckctl report"_s, u"rankdeckctl report last --html -o report.html"_s,
                       u"rankdeckctl report last --bundle bug.tar.gz"_s}},
         {.name = u"explain"_s,
          .arguments = u"CODE|PATH|BUNDLE…"_s,
          .summary = tr("explain an error code, or find known errors in logs"),
          .run = explainCommand,
          .description =
              tr("Explains error codes of HCCL, CANN, MindSpore and torch_npu, or every known error in logs: "
                 "a file, a directory of logs, a report bundle, or - for standard input."),
          .sections = {options({json()})},
          .exitCodes = {{u"1"_s, tr("no known error was found")}},
          .examples = {u"rankdeckctl explain EI0006"_s, u"rankdeckctl explain log/worker_0.log"_s}},
         {.name = u"collectives"_s,
          .arguments = u"[RUN|PATH]"_s,
          .summary = tr("say which rank did not come to which collective"),
          .run = collectivesCommand,
          .description = tr(
              "Reads what the flight recorders of torch or torch_npu have dumped, one file for each "
              "rank: for each process group the last collective that all completed, who waits, who is "
              "missing, and where calls, sizes or types differ. PATH is a folder of such files, or a report "
              "bundle."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl collectives /tmp/hccl-traces"_s}},
         {.name = u"dump"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("show the call stacks of a live run"),
          .run = dumpCommand,
          .description = tr(
              "Prints the call stacks of a live run's processes. Processes with the same stack are grouped."),
          .sections = {options(
              {rankOption(tr("print the stacks of these ranks: 3, 0,4-7 or all; default: of all processes")),
               json()})},
          .exitCodes = {{u"1"_s, tr("a process gave no stack")}},
          .examples = {u"rankdeckctl dump --rank 0-3"_s}},
         {.name = u"debug"_s,
          .arguments = u"[RUN] [TOOL]"_s,
          .summary = tr("attach a debugger to a rank, in this terminal"),
          .run = debugCommand,
          .description = tr("Attaches TOOL to a rank of a live run: gdb (the default), py-spy-dump, "
                            "py-spy-top or strace. The rank continues when you quit the tool."),
          .sections = {options({{u"--rank"_s, u"RANK"_s, tr("attach to this rank; required")}})},
          .exitCodes = {{u"1"_s, tr("rankdeckctl cannot attach the tool")}},
          .examples = {u"rankdeckctl debug --rank 3"_s, u"rankdeckctl debug last py-spy-dump --rank 0"_s}},
         {.name = u"open"_s,
          .arguments = u"PATH|BUNDLE"_s,
          .summary = tr("list the logs of any launcher or bundle, and the first failure"),
          .run = openCommand,
          .description = tr("Lists the ranks that have logs at PATH (a directory, or one log of all ranks) "
                            "or in a report bundle, and names the rank that failed first. \"rankdeckctl "
                            "report PATH\" and \"rankdeckctl logs PATH\" show more."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl open ./log"_s}}}};
}

static CommandGroup manageGroup()
{
    return {
        tr("Manage runs and profiles"),
        {{.name = u"stop"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("stop a run or a part of it"),
          .run = stopCommand,
          .description = tr("Sends SIGTERM to a run, and SIGKILL after its grace period. With --rank, --node "
                            "or --scheduler it stops only these processes; the others continue. Without RUN, "
                            "exactly one run must be live."),
          .sections = {options({{u"--kill"_s, {}, tr("send SIGKILL immediately")},
                                rankOption(tr("stop only these ranks: 3, 0,4-7 or all")),
                                {u"--node"_s, u"NODE"_s, tr("stop only the processes of this node")},
                                {u"--scheduler"_s, {}, tr("stop only the scheduler")},
                                {u"--yes"_s,
                                 {},
                                 tr("do not ask before processes are killed that Rankdeck did not "
                                    "start")},
                                json()})},
          .exitCodes = {{u"0"_s, tr("the processes have ended, or had ended before")},
                        {u"1"_s, tr("a process is still alive")}},
          .examples = {u"rankdeckctl stop"_s, u"rankdeckctl stop last --rank 3 --kill"_s}},
         {.name = u"signal"_s,
          .arguments = u"[RUN] SIGNAL"_s,
          .summary = tr("send a signal to ranks"),
          .run = signalCommand,
          .description = tr("Sends INT, TERM, KILL, USR1, USR2, STOP or CONT to the ranks of a live run. A "
                            "rank that the signal ends counts as failed; to stop ranks without a failure, "
                            "use \"rankdeckctl stop\". Without RUN, exactly one run must be live."),
          .sections = {options({rankOption(tr("send it only to these ranks: 3, 0,4-7 or all")), json()})},
          .exitCodes = {{u"1"_s, tr("a rank did not get the signal")}},
          .examples = {u"rankdeckctl signal USR1 --rank 0"_s}},
         {.name = u"restart"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("start ranks of a live run again"),
          .run = restartCommand,
          .description =
              tr("Starts ranks of a live run again, with the same command, variables and log, while the "
                 "others continue. A rank that still runs is ended first: SIGTERM, and SIGKILL after the "
                 "grace period. Only the process is started. The process groups of HCCL and gloo do not "
                 "take a rank back: the script must form them again.\nIt needs a run that goes on without "
                 "the rank: it ended with 0, was stopped by \"rankdeckctl stop --rank\", or failed in a "
                 "launch with --no-destroy. Ranks that another launcher started (wrap, adopt) cannot be "
                 "started again. Without RUN, exactly one run must be live."),
          .sections = {options({rankOption(tr("start these ranks again: 3, 0,4-7 or all; required"))})},
          .exitCodes = {{u"1"_s, tr("a rank was not started")}},
          .examples = {u"rankdeckctl restart --rank 3"_s}},
         {.name = u"keep"_s,
          .arguments = u"[DAYS|forever]"_s,
          .summary = tr("show or set how long ended runs are kept"),
          .run = keepCommand,
          .description = tr("Sets how many days Rankdeck keeps a run after its end, or keeps runs forever. "
                            "Without arguments, shows the present setting and the runs that are older. "
                            "Rankdeck deletes older runs when a run ends and when the window opens."),
          .sections = {options(
              {{u"--apply"_s, {}, tr("delete the older runs now")},
               {u"--dry-run"_s, {}, tr("with DAYS: only list the runs that it would delete")},
               json()})},
          .examples = {u"rankdeckctl keep 30 --dry-run"_s}},
         {.name = u"delete"_s,
          .arguments = u"RUN…"_s,
          .summary = tr("delete runs that have ended"),
          .run = deleteCommand,
          .description = tr("Deletes the directories of runs that have ended, after asking you."),
          .sections = {options({{u"--logs"_s, {}, tr("also delete their logs in other directories")},
                                {u"--yes"_s, {}, tr("do not ask")},
                                {u"--dry-run"_s, {}, tr("list what it would delete, delete nothing")},
                                json()})},
          .exitCodes = {{u"1"_s, tr("rankdeckctl could not delete a run, or you answered no")}},
          .examples = {u"rankdeckctl delete last --yes"_s}},
         {.name = u"profile list"_s,
          .arguments = {},
          .summary = tr("list your profiles"),
          .run = profileListCommand,
          .description = tr("Lists the launches that you saved under a name."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl profile list"_s}},
         {.name = u"profile show"_s,
          .arguments = u"PROFILE"_s,
          .summary = tr("print a profile"),
          .run = profileShowCommand,
          .description = tr("Prints a profile's file and its command line. PROFILE is a name from "
                            "\"rankdeckctl profile list\", or a file if it has a / or ends in .json."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl profile show bert-8p"_s}},
         {.name = u"profile save"_s,
          .arguments = u"PROFILE LAUNCHER…"_s,
          .summary = tr("save a launch under a name"),
          .run = profileSaveCommand,
          .description =
              tr("Saves a launch as a profile; \"rankdeckctl run PROFILE\" launches it. LAUNCHER "
                 "is davincirun, msrun, processes, wrap or torchrun, with its own options and command: "
                 "see \"rankdeckctl LAUNCHER --help\"."),
          .sections = {options(
              {{u"--force"_s, {}, tr("replace a profile of this name; may also follow PROFILE")}})},
          .examples = {u"rankdeckctl profile save bert-8p processes --nproc 8 -- python3 bert.py"_s},
          .words = Words::CommandLine},
         {.name = u"profile remove"_s,
          .arguments = u"PROFILE"_s,
          .summary = tr("delete a profile"),
          .run = profileRemoveCommand,
          .description = tr("Deletes a profile's file."),
          .examples = {u"rankdeckctl profile remove bert-8p"_s}}}};
}

static CommandGroup machineGroup()
{
    std::vector<CommandOption> testOptions{
        {u"--nodes"_s, u"NODES"_s,
         tr("comma-separated host names, addresses or ssh aliases; in a Slurm allocation also Slurm's short "
            "forms, and by default all its nodes")}};
    for (const CommandOption &option : nodeOptions())
        testOptions.push_back(option);
    testOptions.push_back(json());
    std::vector<CommandOption> trustOptions = nodeOptions();
    trustOptions.push_back({u"--yes"_s, {}, tr("do not ask")});
    return {
        tr("Nodes and devices"),
        {{.name = u"nodes test"_s,
          .arguments = {},
          .summary = tr("connect to each node as a launch would"),
          .run = testNodesCommand,
          .description =
              tr("Connects to each node and prints its Rankdeck version, clock, NPUs and free disk space."),
          .sections = {options(testOptions)},
          .exitCodes = {{u"0"_s, tr("all nodes are usable")}, {u"1"_s, tr("a node is not usable")}},
          .examples = {u"rankdeckctl nodes test --nodes node1,node2"_s}},
         {.name = u"nodes trust"_s,
          .arguments = u"NODE"_s,
          .summary = tr("show a node's ssh host key and trust it"),
          .run = trustNodeCommand,
          .description = tr("Shows the fingerprint of a node's ssh host key, asks whether you trust it, and "
                            "saves it for Rankdeck only."),
          .sections = {options(trustOptions)},
          .exitCodes = {{u"1"_s, tr("you did not trust the key")}},
          .examples = {u"rankdeckctl nodes trust node1"_s}},
         {.name = u"devices"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("show the NPUs of this machine, or of a run"),
          .run = devicesCommand,
          .description = tr(
              "Without RUN, shows the NPUs of this machine: numbers, health, load, memory, temperature, "
              "power, and the processes on them with their run.\nWith a live RUN, shows the NPU of each rank "
              "on all its nodes, the usage of the rank's process tree, and other processes on that NPU."),
          .sections = {options(
                           {{u"--watch"_s, u"[SECONDS]"_s,
                             tr("repeat after this time, or later if a call takes longer"), u"2"_s},
                            {u"--json"_s, {}, tr("print JSON, errors too; with --watch one object per line")},
                            {u"--prometheus"_s, {}, tr("print metrics for Prometheus")},
                            {u"--csv"_s, {}, tr("with RUN, also an ended one: print the recorded samples")},
                            {u"--source"_s, u"SOURCE"_s,
                             tr("npu-smi (the program) or dcmi (the library libdcmi.so); default: the one "
                                "installed, npu-smi first")}}),
                       {{}, {{QLatin1String(readDcmiOption), {}, {}}}}},
          .exitCodes = {{u"1"_s, tr("rankdeckctl could not read any NPU")}},
          .examples = {u"rankdeckctl devices --watch 5"_s}},
         {.name = u"collective"_s,
          .arguments = {},
          .summary = tr("one rank of a self-test of the network between ranks"),
          .run = collectiveCommand,
          .description = tr(
              "Tests the connections between hosts, and collective operations. Launch it with one process "
              "per rank. Rank and number of ranks come from RANK_ID and RANK_SIZE, RANK and WORLD_SIZE, or "
              "SLURM_PROCID and SLURM_NTASKS. The ranks meet at MASTER_ADDR and MASTER_PORT (127.0.0.1 and "
              "29500; under Slurm the first host and a port of the step).\nFirst each pair of ranks measures "
              "latency and bandwidth over TCP. With more than 32 ranks it measures pairs on different hosts, "
              "and on a host each rank with the next; with more than 128 ranks one rank per host. Then all "
              "ranks, halves of them and pairs run barrier, broadcast, and allreduce sum and max. Each rank "
              "checks each result, and prints each event as a line on standard output."),
          .sections = {options(
              {{u"--sizes"_s, u"N,…"_s, tr("bytes of each rank's data, e.g. 4,64K,1M")},
               {u"--groups"_s, u"N,…"_s, tr("ranks per group; default: all, half of up to 32, and two")},
               {u"--no-pairs"_s, {}, tr("do not measure pairs")},
               {u"--no-collectives"_s, {}, tr("do not run collective operations")},
               {u"--rounds"_s, u"N"_s, tr("repeat the test this many times; 0: until you end it"), u"1"_s},
               {u"--pace"_s, u"MS"_s, tr("make each step last at least this long, so that you can watch it"),
                u"0"_s},
               {u"--timeout"_s, u"SECONDS"_s, tr("time limit of each step"), u"30"_s},
               repeatable(
                   {u"--address"_s, u"ADDRESS"_s, tr("test this address of this host from the other hosts")}),
               {u"--store"_s, u"STORE"_s,
                tr("stdio: meet over standard input and output, for the program that started the ranks")}})},
          .exitCodes = {{u"1"_s, tr("a test failed")}},
          .examples = {u"rankdeckctl processes --nproc 8 -- rankdeckctl collective"_s,
                       u"srun -N 2 --ntasks-per-node 4 rankdeckctl collective"_s}}}};
}

static CommandGroup rankTableGroup()
{
    return {
        tr("Rank tables"),
        {{.name = u"ranktable check"_s,
          .arguments = u"FILE…"_s,
          .summary = tr("check rank tables for errors"),
          .run = checkRankTablesAction,
          .description = tr("Lists the errors of rank tables with their place and fix."),
          .sections = {options({{u"--chip"_s, u"CHIP"_s,
                                 tr("also check the rules for this chip: 910, 910b, 910_93, 950 or 310p")},
                                json()})},
          .exitCodes = {{u"0"_s, tr("no errors")}, {u"1"_s, tr("a table has errors")}},
          .examples = {u"rankdeckctl ranktable check --chip 910b rank_table.json"_s}},
         {.name = u"ranktable show"_s,
          .arguments = u"FILE"_s,
          .summary = tr("list a rank table's servers and ranks"),
          .run = showRankTableAction,
          .description = tr("Lists the servers of a rank table, each with its ranks and devices."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl ranktable show rank_table.json"_s}},
         {.name = u"ranktable convert"_s,
          .arguments = u"FILE"_s,
          .summary = tr("turn template 2 into version 1.0, or add super pods"),
          .run = convertRankTableAction,
          .description = tr("Turns a rank table of template 2 into version 1.0, or adds super pods (1.2)."),
          .sections = {options({{u"--to"_s, u"VERSION"_s,
                                 tr("1.0 or 1.2; default: 1.2 with --super-pod, otherwise 1.0")},
                                repeatable({u"--super-pod"_s, u"ID=SERVER[,SERVER…]"_s,
                                            tr("servers of a super pod by their server_id")}),
                                repeatable({u"--super-device-id"_s, u"SERVER/DEVICE=ID"_s,
                                            tr("for a device whose entry has no super_device_id")})}),
                       outputSection()},
          .examples = {u"rankdeckctl ranktable convert old.json --output new.json"_s}},
         {.name = u"ranktable merge"_s,
          .arguments = u"FILE FILE…"_s,
          .summary = tr("merge the rank tables of several servers"),
          .run = mergeRankTablesAction,
          .description = tr("Merges the rank tables of several servers into one."),
          .sections = {options({{u"--keep-order"_s,
                                 {},
                                 tr("number the ranks in the order of the arguments, as merge_hccl.py does; "
                                    "default: in the order of server_id, as MindSpore requires")}}),
                       outputSection()},
          .examples = {u"rankdeckctl ranktable merge a.json b.json --output both.json"_s}},
         {.name = u"ranktable subset"_s,
          .arguments = u"FILE"_s,
          .summary = tr("keep some devices or servers of a rank table"),
          .run = subsetOfRankTableAction,
          .description = tr("Keeps some devices or servers of a rank table, and numbers the ranks again."),
          .sections = {options({{u"--devices"_s, u"DEVICES"_s,
                                 tr("devices to keep, e.g. 0-3,6 or [0,8); default: all")},
                                repeatable({u"--server"_s, u"ID"_s, tr("server to keep; default: all")})}),
                       outputSection()},
          .examples = {u"rankdeckctl ranktable subset rank_table.json --devices 0-3"_s}},
         {.name = u"ranktable generate"_s,
          .arguments = u"[FILE…]"_s,
          .summary = tr("make a rank table of this host's NPUs, or one for serving"),
          .run = generateRankTableAction,
          .description = tr(
              "Makes a rank table of this host's NPUs. With --prefill and --decode, makes the global table "
              "(server_group_list) of a MindIE service: group 0 is the coordinator, group 1 the "
              "controller, then one group per instance. Its devices are those of the FILEs, in their "
              "order, else this host's."),
          .sections = {options(
              {{u"--devices"_s, u"DEVICES"_s, tr("e.g. 0-7 or 0,2,4"), u"[0,8)"_s},
               {u"--server-id"_s, u"ADDRESS"_s, tr("address of this host; default: its first IPv4 address")},
               repeatable({u"--device-ip"_s, u"IP[,IP…]"_s,
                           tr("one address for each device; default: from hccn_tool or /etc/hccn.conf")}),
               {u"--host-nic-ip"_s, {}, tr("add host_nic_ip, as hccl_tools.py does")},
               {u"--prefill"_s, u"N"_s, tr("instances for prefill")},
               {u"--decode"_s, u"M"_s, tr("instances for decode")},
               {u"--prefill-devices"_s, u"K"_s,
                tr("NPUs of each prefill instance; default: all that are left, divided evenly")},
               {u"--decode-devices"_s, u"K"_s,
                tr("NPUs of each decode instance; default: all that are left, divided evenly")},
               {u"--coordinator"_s, u"ADDRESS"_s, tr("MindIE's coordinator; default: the first server")},
               {u"--controller"_s, u"ADDRESS"_s, tr("MindIE's controller; default: the first server")},
               {u"-o, --output"_s, u"FILE"_s,
                tr("write to this file; to a folder as hccl_<n>p_<devices>_<server>.json")},
               {u"--force"_s, {}, tr("replace an existing file")}})},
          .examples = {u"rankdeckctl ranktable generate --devices 0-3 --output ./"_s,
                       u"rankdeckctl ranktable generate --prefill 2 --decode 2 servers.json"_s}},
         {.name = u"ranktable init"_s,
          .arguments = {},
          .summary = tr("convert the platform's rank table, print its variables"),
          .run = initRankTableAction,
          .description = tr("Converts the platform's rank table and prints its variables, as lines for a "
                            "shell. Prints on standard error which server this host is, and why."),
          .sections = {options(
              {{u"--server"_s, u"ID"_s,
                tr("server of the table that this host is, by server_id or pod_name; default: found by the "
                   "platform's variables, the host's addresses and its name")},
               {u"--json"_s, {}, tr("print an object of the variables; errors too")},
               {u"--null"_s, {}, tr("print NAME=VALUE, each followed by a zero byte")}})},
          .exitCodes = {{u"3"_s, tr("there is no rank table")}},
          .examples = {u"eval \"$(rankdeckctl ranktable init)\""_s}},
         {.name = u"ranktable wait"_s,
          .arguments = u"[FILE]"_s,
          .summary = tr("wait until a rank table is completed"),
          .run = waitForRankTableAction,
          .description = tr("Waits until a rank table is completed, also while its file is missing or half "
                            "written. Without FILE, waits for the table that davincirun would read."),
          .sections = {options({{u"--timeout"_s, u"SECONDS"_s, tr("give up after this time"), u"1800"_s}})},
          .exitCodes = {{u"0"_s, tr("the table is completed")},
                        {u"1"_s, tr("the time of --timeout is up")},
                        {u"N"_s, tr("128 + n when signal n ended it")}},
          .examples = {u"rankdeckctl ranktable wait rank_table.json --timeout 60"_s}}}};
}

const std::vector<CommandGroup> &commandGroups()
{
    static const std::vector<CommandGroup> groups{
        launchGroup(),
        watchGroup(),
        diagnoseGroup(),
        manageGroup(),
        machineGroup(),
        rankTableGroup(),
        {{},
         {{.name = u"supervise"_s, .arguments = u"DIRECTORY"_s, .summary = {}, .run = superviseCommand},
          {.name = u"agent"_s,
           .arguments = {},
           .summary = {},
           .run = agentCommand,
           .sections = {options({{QLatin1String(guardedOption.data()), {}, {}},
                                 {QLatin1String(rejoinOption.data()), u"PATH"_s, {}}})}},
          {.name = u"__complete"_s,
           .arguments = {},
           .summary = {},
           .run = completeCommand,
           .words = Words::AsTheyAre},
          {.name = u"__table"_s, .arguments = {}, .summary = {}, .run = tableCommand}}}};
    return groups;
}

} // namespace rankdeck
