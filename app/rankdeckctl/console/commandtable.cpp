#include "agent/channel/headchannel.h"
#include "device/sampling/devicesampler.h"
#include "launch/options/launchers.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"

namespace rankdeck
{

static Command command(const QString &name, const QString &arguments, int (*run)(const Options &),
                       const QString &summary = {}, const QString &description = {},
                       const std::vector<OptionSection> &sections = {}, const QStringList &examples = {},
                       const std::vector<ExitCode> &exitCodes = {},
                       ArgumentStyle words = ArgumentStyle::Options, const QString &launcher = {})
{
    return {name, arguments, summary, run, description, sections, exitCodes, examples, words, launcher};
}

static CommandOption json()
{
    return option("--json", tr("print JSON, errors too"));
}

static CommandOption quiet()
{
    return option("-q, --quiet", tr("do not print the output of the ranks"));
}

static CommandOption raw()
{
    return option("--raw", tr("send all bytes of the ranks to the terminal, not only text and colours"));
}

static CommandOption repeatable(CommandOption option)
{
    option.isRepeatable = true;
    return option;
}

static CommandOption rankOption(const QString &help)
{
    return option("--rank RANKS", help);
}

static OptionSection options(std::vector<CommandOption> rows)
{
    return {tr("Options"), std::move(rows)};
}

/// The options of launching commands, beside their launcher's.
static std::vector<OptionSection> launchSections()
{
    return {
        {tr("Watching"),
         {option(
              "--detach",
              tr("print the run's name and return: at once, or when all nodes of --nodes have started it")),
          quiet(), raw()}},
        {tr("Start and end"),
         {option("--stop-holders", tr("first stop your runs that use the same devices or port"))}}};
}

static std::vector<ExitCode> launchCodes()
{
    return {{u"0"_s, tr("every rank succeeded; with --detach, the run has started")},
            {u"2"_s, tr("wrong arguments or input, or a node cannot be reached or cannot start its ranks")},
            {u"N"_s, tr("exit code of the rank that failed first; 128 + n for signal n")}};
}

/// Where the nodes of a command are, and how they are reached.
static std::vector<CommandOption> nodeOptions()
{
    std::vector<CommandOption> options;
    for (const char *name : {"--transport", "--transport-command", "--ssh-config", "--node-program"}) {
        const OptionRow &row = *optionRow(commonRows(), QLatin1String(name));
        options.push_back(option(row.usage, tr(row.help)));
    }
    return options;
}

/// How a rank table that was made is written.
static OptionSection outputSection()
{
    return {tr("Output"),
            {option("-o, --output FILE",
                    tr("write to this file; to a folder under the usual name; default: print it")),
             option("--force", tr("replace an existing file")),
             option("--diff", tr("show the changes, write nothing"))}};
}

static CommandGroup launchGroup()
{
    const QString line =
        tr("LAUNCHER is %1, with its own options and command: see \"rankdeckctl LAUNCHER --help\".")
            .arg(anyOf(launcherWords() << u"run"_s));
    std::vector<Command> commands;
    for (const Launcher &launcher : launchers()) {
        const QString name = QString::fromLatin1(launcher.name);
        commands.push_back(command(name, QString::fromUtf8(launcher.arguments), launcherCommand,
                                   tr(launcher.summary), tr(launcher.description), launchSections(),
                                   {QString::fromUtf8(launcher.example)}, launchCodes(),
                                   ArgumentStyle::AsTheyAre, name));
    }
    const std::vector<Command> others{
        command(u"run"_s, u"PROFILE [OPTIONS] [COMMAND…]\n--again RUN [OPTIONS] [COMMAND…]"_s,
                launcherCommand, tr("launch a profile, or a run again"),
                tr("Launches a profile, or a run again, in its working directory and with the present "
                   "environment. Options and a command that you add replace its own; \"rankdeckctl LAUNCHER "
                   "--help\" lists the options of its launcher. PROFILE is a name from \"rankdeckctl profile "
                   "list\", or a file. RUN is a run from \"rankdeckctl list\"."),
                launchSections(), {u"rankdeckctl run bert-8p --detach"_s, u"rankdeckctl run --again last"_s},
                launchCodes(), ArgumentStyle::AsTheyAre, u"run"_s),
        command(u"demo"_s, u"[DEMO]"_s, demoCommand, tr("launch a built-in demo, which needs no NPU"),
                tr("Launches ranks on this machine and watches them. Their NPUs are invented: a stand-in for "
                   "npu-smi makes their values up, and they are marked wherever they are shown. Without "
                   "DEMO, the first of the list."),
                {options(
                    {option("--list", tr("list the demos, start nothing")),
                     option("--speed N", tr("let the training script run N times as fast, 1 to 100"), u"1"_s),
                     option("--detach", tr("print the run's name and return")), quiet(),
                     option("--json", tr("with --list: print JSON"))})},
                {u"rankdeckctl demo --list"_s, u"rankdeckctl demo training --detach"_s}, launchCodes()),
        command(u"plan"_s, u"LAUNCHER…"_s, planCommand, tr("show what a launch would start"),
                tr("Prints each process of the launch with its environment, directory, log and cpus, without "
                   "starting it.\n%1 The options below may also stand among the launcher's.")
                    .arg(line),
                {options({json(), option("--script", tr("print a shell script that does the same"))})},
                {u"rankdeckctl plan msrun --worker_num=8 --local_worker_num=8 train.py"_s,
                 u"rankdeckctl plan --json processes --nproc 2 -- python3 train.py"_s},
                {}, ArgumentStyle::CommandLine),
        command(
            u"preflight"_s, u"LAUNCHER…"_s, preflightCommand, tr("check that a launch would work"),
            tr("Checks a launch on all its nodes without starting it. Each node checks the plan and its rank "
               "table, variables, interpreter, script, disk space, limits, ports, and who uses its devices. "
               "Then the ranks test their connections, in pairs and in collective operations. Where "
               "hccn_tool is installed, it tests the network of the NPUs.\n%1")
                .arg(line),
            {options({repeatable(option("--import MODULE",
                                        tr("check that Python imports this module on each node"))),
                      option("--limit SECONDS", tr("end all checks after this time"), u"30"_s),
                      option("--json", tr("print JSON, errors too; also among the launcher's options"))})},
            {u"rankdeckctl preflight --import torch torchrun --nproc-per-node 8 train.py"_s},
            {{u"0"_s, tr("every check passed")},
             {u"1"_s, tr("a check failed")},
             {u"N"_s, tr("128 + n when signal n ended it")}},
            ArgumentStyle::CommandLine),
        command(u"import"_s, u"COMMAND…"_s, importCommand,
                tr("turn a command line of another launcher into Rankdeck's"),
                tr("Takes a command line of any launcher, as words or as one quoted text, or a script as one "
                   "text. Prints the rankdeckctl command line for the same launch, and what differs."),
                {options({option("--save PROFILE", tr("also save the launch as this profile")), json()})},
                {u"rankdeckctl import torchrun --nproc_per_node=8 train.py"_s}, {},
                ArgumentStyle::CommandLine)};
    commands.insert(commands.end(), others.begin(), others.end());
    return {tr("Launch"), commands};
}

static CommandGroup watchGroup()
{
    return {
        tr("Watch"),
        {command(u"list"_s, {}, listCommand, tr("list live and past runs"),
                 tr("Lists runs, live ones first, then the newest."),
                 {options({repeatable(option("--state STATE,…",
                                             tr("show only these states: live, ended, starting, running, "
                                                "stopping, succeeded, failed, stopped, lost, unknown"))),
                           option("--limit N", tr("show the first N runs")), json()})},
                 {u"rankdeckctl list --state live,failed --limit 10"_s}),
         command(
             u"adopt"_s, u"[PID|JOB]"_s, adoptCommand, tr("watch ranks that were started outside Rankdeck"),
             tr("Makes a run of a launcher, a rank or a Slurm job of yours that runs already, and prints its "
                "new lines. PID is the launcher, whose ranks are found below it, or a rank; JOB is a Slurm "
                "job, e.g. slurm:42. Nothing is started, and nothing is signalled unless you ask for it with "
                "\"rankdeckctl signal\" or \"rankdeckctl stop --kill\". \"rankdeckctl stop\" ends the "
                "watching, not the ranks. Ctrl-C ends this command, the watching goes on."),
             {options(
                 {option(
                      "--name NAME",
                      tr("find it by the name of its program or script, or by a piece of its command line")),
                  option("--stall-after SECONDS",
                         tr("report a rank as stalled when it is silent for longer than this, and than is "
                            "usual for it; 0: never"),
                         u"120"_s),
                  option("--detach", tr("print the run's name and return")), quiet(), raw()})},
             {u"rankdeckctl adopt 4711"_s, u"rankdeckctl adopt --name train.py --detach"_s,
              u"rankdeckctl adopt slurm:42"_s},
             {{u"1"_s, tr("everything has ended, and nothing tells how")},
              {u"N"_s, tr("exit code of the rank that failed first or of the Slurm job, if it is told")}}),
         command(
             u"attach"_s, u"[RUN]"_s, attachCommand, tr("print a run's new lines, type to its ranks"),
             tr("Prints the lines of all ranks until the run ends. Ctrl-C ends this command, not the run. "
                "With --rank, your input goes to the terminals of these ranks."),
             {options({option("-n, --tail N", tr("start with the last N lines of each log")),
                       rankOption(tr(
                           "type to these ranks: 3, 0,4-7 or all; one rank alone gets the whole terminal")),
                       option("--fold", tr("with --rank: print a line of several ranks once")),
                       option("--json", tr("print a JSON object for each line, errors too; not with --rank")),
                       raw()})},
             {u"rankdeckctl attach"_s, u"rankdeckctl attach last --rank 0"_s},
             {{u"N"_s, tr("the run's exit code")}}),
         command(u"top"_s, u"[RUN]"_s, topCommand, tr("watch runs full-screen in this terminal"),
                 tr("Shows the ranks of a run, with state, step, NPU use and memory, and a log that is "
                    "followed: the chosen rank's, or all merged and filtered. Without RUN, the list of runs; "
                    "the run itself where one is live. The key h shows the keys, q and Ctrl-C end this "
                    "command, not the run. Without colours where NO_COLOR is set."),
                 {}, {u"rankdeckctl top"_s, u"rankdeckctl top last"_s}),
         command(
             u"replay"_s, u"RUN|PATH|BUNDLE"_s, replayCommand,
             tr("play a past run again, full-screen in this terminal"),
             tr("Shows a run as \"rankdeckctl top\" does, but as it was at a time that passes: states, "
                "steps, NPUs and logs as far as they were known then. Space plays and pauses, < and > go to "
                "the next failure, stall or note, 0 to 9 to a tenth of the run, h shows all keys. Logs alone "
                "(PATH) are replayed by the time stamps of their lines. Nothing is started or written."),
             {options(
                 {option("--at PLACE",
                         tr("begin there and pause: seconds since its start (90, 1:30, 1:02:03), a part "
                            "(50%), failure, stall, end, or a date and time (2026-01-31T14:03:59)")),
                  option("--speed N", tr("play N times as fast, 1 to 1000"), u"1"_s),
                  option("--json", tr("print what was known there as JSON; without --at, at the end"))})},
             {u"rankdeckctl replay last --speed 10"_s, u"rankdeckctl replay last --at failure"_s}),
         command(
             u"logs"_s, u"[RUN|PATH|BUNDLE]"_s, logsCommand,
             tr("print logs of a run, of any launcher, or of a bundle"),
             tr("Prints the logs of a run, of any launcher at PATH (a directory or one log), or of a report "
                "bundle. Each line begins with its rank. A line without a time stamp or level takes those of "
                "the line before it."),
             {{tr("Which logs"),
               {option("--open PATH", tr("read PATH even if a run has this name")),
                rankOption(
                    tr("print these ranks: 3, 0,4-7 or all; one rank alone is printed without its name")),
                option("--scheduler", tr("print the scheduler's log")),
                option("--stderr", tr("print standard error only, where it has its own file")),
                option("--attempt N",
                       tr("print the logs of attempt N, counted from 0, instead of the newest")),
                option("-n, --tail N", tr("print only the last N lines of each log")),
                option("-f, --follow", tr("keep printing new lines until the run ends"))}},
              {tr("In which order"),
               {option("--merge", tr("merge all logs by time stamp")),
                option("--fold", tr("merge, and print a line of several ranks once, with their numbers"))}},
              {tr("Which lines"),
               {repeatable(option("--grep PATTERN", tr("print lines that match any of these"))),
                option("--all-match", tr("print lines that match all of them")),
                repeatable(option("--exclude PATTERN", tr("leave out lines that match"))),
                option("--ignore-case", tr("ignore upper and lower case")),
                option("--fixed-strings",
                       tr("take patterns as plain text, not as regular expressions (RE2)")),
                option("--level LEVEL",
                       tr("print lines of this level or worse: debug, info, warning, error or critical")),
                option("--since TIME", tr("print lines from this time on: 14:22, \"2024-12-26 14:22:26\", or "
                                          "10m (s, h, d) ago"))}},
              {tr("Output"),
               {option("--json", tr("print a JSON object for each line, errors too")),
                option("--color WHEN", tr("auto (on a terminal, unless NO_COLOR is set), always or never"),
                       u"auto"_s),
                raw()}}},
             {u"rankdeckctl logs --merge --level error"_s,
              u"rankdeckctl logs ./log --rank 0-3 --grep loss --tail 20"_s}),
         command(u"progress"_s, u"[RUN|PATH|BUNDLE]"_s, progressCommand,
                 tr("show step, loss and remaining time of each rank"),
                 tr("Reads the training progress of each rank from its log: logs of a run, of any launcher "
                    "at PATH, or of a report bundle."),
                 {options({json(), option("--csv", tr("print the curves of loss and step time")),
                           option("-f, --follow", tr("print a line at each change until the run ends")),
                           option("--progress-pattern REGEX",
                                  tr("find steps and losses with these named groups, e.g. (?P<step>\\d+), "
                                     "instead of the launch's own pattern"))})},
                 {u"rankdeckctl progress --follow"_s}),
         command(u"compare"_s, u"RUN RUN…"_s, compareCommand,
                 tr("show how runs differ: end, times, progress, options"),
                 tr("Prints state, exit code, times and progress of two or more runs side by side, and the "
                    "options, commands and variables that differ."),
                 {options({json()})}, {u"rankdeckctl compare first-run second-run"_s}),
         command(u"wait"_s, u"[RUN]"_s, waitCommand, tr("wait for a run's end"),
                 tr("Waits until a run has ended and returns its exit code. Prints nothing on standard "
                    "output without --json."),
                 {options({option("--timeout SECONDS", tr("give up after this time")),
                           option("--json", tr("print how each process ended, errors too"))})},
                 {u"rankdeckctl wait last --timeout 3600"_s},
                 {{u"124"_s, tr("the time of --timeout is up")}, {u"N"_s, tr("the run's exit code")}})}};
}

static CommandGroup diagnoseGroup()
{
    return {
        tr("Diagnose"),
        {command(u"report"_s, u"[RUN|PATH|BUNDLE]"_s, reportCommand,
                 tr("say which rank failed first, and why"),
                 tr("Reports the first failure of a run, of any launcher's logs at PATH, or of a report "
                    "bundle: the rank, the cause and the evidence."),
                 {options(
                     {json(),
                      option("--html",
                             tr("print an HTML page with curves, ranks and events, with secrets masked")),
                      option("-o, --output FILE", tr("with --html: write the page into this file")),
                      option("--bundle FILE", tr("write a report bundle for a colleague into FILE.tar.gz: "
                                                 "logs, verdict and settings, with secrets masked")),
                      option("--ascend-fd FILE", tr("write the logs into FILE.tar.gz as \"ascend-fd parse\" "
                                                    "takes them, with secrets masked")),
                      option("--max-size MB", tr("with --bundle and --ascend-fd: size limit of the file"))})},
                 {u"rankdeckctl report"_s, u"rankdeckctl report last --html -o report.html"_s,
                  u"rankdeckctl report last --bundle bug.tar.gz"_s}),
         command(u"explain"_s, u"CODE|LINE|PATH|BUNDLE…"_s, explainCommand,
                 tr("explain an error code or a line, or find known errors in logs"),
                 tr("Explains error codes of HCCL, CANN, MindSpore and torch_npu, a line that you paste, or "
                    "every known error in logs: a file, a directory of logs, a report bundle, or - for "
                    "standard input. What exists as a file is read; anything else is a code or a line."),
                 {options({json(), option("--why", tr("say what else was known there, and why it was set "
                                                      "aside"))})},
                 {u"rankdeckctl explain EI0006"_s, u"rankdeckctl explain log/worker_0.log"_s,
                  u"rankdeckctl explain --why 'RuntimeError: … error code is 507035'"_s},
                 {{u"1"_s, tr("no known error was found")}}),
         command(u"collectives"_s, u"[RUN|PATH]"_s, collectivesCommand,
                 tr("say which rank did not come to which collective"),
                 tr("Reads what the flight recorders of torch or torch_npu have dumped, one file for each "
                    "rank: for each process group the last collective that all completed, who waits, who is "
                    "missing, and where calls, sizes or types differ. PATH is a folder of such files, or a "
                    "report bundle."),
                 {options({json()})}, {u"rankdeckctl collectives /tmp/hccl-traces"_s}),
         command(
             u"dump"_s, u"[RUN]"_s, dumpCommand, tr("show the call stacks of a live run"),
             tr("Prints the call stacks of a live run's processes. Processes with the same stack are "
                "grouped."),
             {options({rankOption(
                           tr("print the stacks of these ranks: 3, 0,4-7 or all; default: of all processes")),
                       json()})},
             {u"rankdeckctl dump --rank 0-3"_s}, {{u"1"_s, tr("a process gave no stack")}}),
         command(u"debug"_s, u"[RUN] [TOOL]"_s, debugCommand,
                 tr("attach a debugger to a rank, in this terminal"),
                 tr("Attaches TOOL to a rank of a live run: gdb (the default), py-spy-dump, py-spy-top or "
                    "strace. The rank continues when you quit the tool."),
                 {options({option("--rank RANK", tr("attach to this rank; required"))})},
                 {u"rankdeckctl debug --rank 3"_s, u"rankdeckctl debug last py-spy-dump --rank 0"_s},
                 {{u"1"_s, tr("rankdeckctl cannot attach the tool")}}),
         command(u"open"_s, u"PATH|BUNDLE"_s, openCommand,
                 tr("list the logs of any launcher or bundle, and the first failure"),
                 tr("Lists the ranks that have logs at PATH (a directory, or one log of all ranks) or in a "
                    "report bundle, and names the rank that failed first. \"rankdeckctl report PATH\" and "
                    "\"rankdeckctl logs PATH\" show more."),
                 {options({json()})}, {u"rankdeckctl open ./log"_s})}};
}

static CommandGroup manageGroup()
{
    return {
        tr("Manage runs and profiles"),
        {command(u"stop"_s, u"[RUN]"_s, stopCommand, tr("stop a run or a part of it"),
                 tr("Sends SIGTERM to a run, and SIGKILL after its grace period. With --rank, --node or "
                    "--scheduler it stops only these processes; the others continue. Without RUN, exactly "
                    "one run must be live."),
                 {options({option("--kill", tr("send SIGKILL immediately")),
                           rankOption(tr("stop only these ranks: 3, 0,4-7 or all")),
                           option("--node NODE", tr("stop only the processes of this node")),
                           option("--scheduler", tr("stop only the scheduler")),
                           option("--yes",
                                  tr("do not ask before processes are killed that Rankdeck did not start")),
                           json()})},
                 {u"rankdeckctl stop"_s, u"rankdeckctl stop last --rank 3 --kill"_s},
                 {{u"0"_s, tr("the processes have ended, or had ended before")},
                  {u"1"_s, tr("a process is still alive")}}),
         command(u"signal"_s, u"[RUN] SIGNAL"_s, signalCommand, tr("send a signal to ranks"),
                 tr("Sends INT, TERM, KILL, USR1, USR2, STOP or CONT to the ranks of a live run. A rank that "
                    "the signal ends counts as failed; to stop ranks without a failure, use \"rankdeckctl "
                    "stop\". Without RUN, exactly one run must be live."),
                 {options({rankOption(tr("send it only to these ranks: 3, 0,4-7 or all")), json()})},
                 {u"rankdeckctl signal USR1 --rank 0"_s}, {{u"1"_s, tr("a rank did not get the signal")}}),
         command(u"restart"_s, u"[RUN]"_s, restartCommand, tr("start ranks of a live run again"),
                 tr("Starts ranks of a live run again, with the same command, variables and log, while the "
                    "others continue. A rank that still runs is ended first: SIGTERM, and SIGKILL after the "
                    "grace period. Only the process is started. The process groups of HCCL and gloo do not "
                    "take a rank back: the script must form them again.\nIt needs a run that goes on without "
                    "the rank: it ended with 0, was stopped by \"rankdeckctl stop --rank\", or failed in a "
                    "launch with --no-destroy. Ranks that another launcher started (wrap, adopt) cannot be "
                    "started again. Without RUN, exactly one run must be live."),
                 {options({rankOption(tr("start these ranks again: 3, 0,4-7 or all; required"))})},
                 {u"rankdeckctl restart --rank 3"_s}, {{u"1"_s, tr("a rank was not started")}}),
         command(u"keep"_s, u"[DAYS|forever]"_s, keepCommand, tr("show or set how long ended runs are kept"),
                 tr("Sets how many days Rankdeck keeps a run after its end, or keeps runs forever. Without "
                    "arguments, shows the present setting and the runs that are older. Rankdeck deletes "
                    "older runs when a run ends and when the window opens."),
                 {options({option("--apply", tr("delete the older runs now")),
                           option("--dry-run", tr("with DAYS: only list the runs that it would delete")),
                           json()})},
                 {u"rankdeckctl keep 30 --dry-run"_s}),
         command(u"delete"_s, u"RUN…"_s, deleteCommand, tr("delete runs that have ended"),
                 tr("Deletes the directories of runs that have ended, after asking you."),
                 {options({option("--logs", tr("also delete their logs in other directories")),
                           option("--yes", tr("do not ask")),
                           option("--dry-run", tr("list what it would delete, delete nothing")), json()})},
                 {u"rankdeckctl delete last --yes"_s},
                 {{u"1"_s, tr("rankdeckctl could not delete a run, or you answered no")}}),
         command(u"profile list"_s, {}, profileListCommand, tr("list your profiles"),
                 tr("Lists the launches that you saved under a name."), {options({json()})},
                 {u"rankdeckctl profile list"_s}),
         command(u"profile show"_s, u"PROFILE"_s, profileShowCommand, tr("print a profile"),
                 tr("Prints a profile's file and its command line. PROFILE is a name from \"rankdeckctl "
                    "profile list\", or a file if it has a / or ends in .json."),
                 {options({json()})}, {u"rankdeckctl profile show bert-8p"_s}),
         command(
             u"profile save"_s, u"PROFILE LAUNCHER…"_s, profileSaveCommand, tr("save a launch under a name"),
             tr("Saves a launch as a profile; \"rankdeckctl run PROFILE\" launches it. LAUNCHER is %1, with "
                "its own options and command: see \"rankdeckctl LAUNCHER --help\".")
                 .arg(anyOf(launcherWords())),
             {options({option("--force", tr("replace a profile of this name; may also follow PROFILE"))})},
             {u"rankdeckctl profile save bert-8p processes --nproc 8 -- python3 bert.py"_s}, {},
             ArgumentStyle::CommandLine),
         command(u"profile remove"_s, u"PROFILE"_s, profileRemoveCommand, tr("delete a profile"),
                 tr("Deletes a profile's file."), {}, {u"rankdeckctl profile remove bert-8p"_s})}};
}

static CommandGroup machineGroup()
{
    std::vector<CommandOption> testOptions{
        option("--nodes NODES", tr("comma-separated host names, addresses or ssh aliases; in a Slurm "
                                   "allocation also Slurm's short forms, and by default all its nodes"))};
    for (const CommandOption &option : nodeOptions())
        testOptions.push_back(option);
    testOptions.push_back(json());
    std::vector<CommandOption> trustOptions = nodeOptions();
    trustOptions.push_back(option("--yes", tr("do not ask")));
    return {
        tr("Nodes and devices"),
        {command(
             u"nodes test"_s, {}, testNodesCommand, tr("connect to each node as a launch would"),
             tr("Connects to each node and prints its Rankdeck version, clock, NPUs and free disk space."),
             {options(testOptions)}, {u"rankdeckctl nodes test --nodes node1,node2"_s},
             {{u"0"_s, tr("all nodes are usable")}, {u"1"_s, tr("a node is not usable")}}),
         command(u"nodes trust"_s, u"NODE"_s, trustNodeCommand, tr("show a node's ssh host key and trust it"),
                 tr("Shows the fingerprint of a node's ssh host key, asks whether you trust it, and saves it "
                    "for Rankdeck only."),
                 {options(trustOptions)}, {u"rankdeckctl nodes trust node1"_s},
                 {{u"1"_s, tr("you did not trust the key")}}),
         command(
             u"devices"_s, u"[RUN]"_s, devicesCommand, tr("show the NPUs of this machine, or of a run"),
             tr("Without RUN, shows the NPUs of this machine: numbers, health, load, memory, temperature, "
                "power, and the processes on them with their run.\nWith a live RUN, shows the NPU of each "
                "rank on all its nodes, the usage of the rank's process tree, and other processes on that "
                "NPU."),
             {options({option("--watch [SECONDS]",
                              tr("repeat after this time, or later if a call takes longer"), u"2"_s),
                       option("--json", tr("print JSON, errors too; with --watch one object per line")),
                       option("--prometheus", tr("print metrics for Prometheus")),
                       option("--csv", tr("with RUN, also an ended one: print the recorded samples")),
                       option("--source SOURCE", tr("npu-smi (the program) or dcmi (the library libdcmi.so); "
                                                    "default: the one installed, npu-smi first"))}),
              {{}, {{QLatin1String(readDcmiOption), {}, {}}}}},
             {u"rankdeckctl devices --watch 5"_s}, {{u"1"_s, tr("rankdeckctl could not read any NPU")}}),
         command(
             u"collective"_s, {}, collectiveCommand,
             tr("one rank of a self-test of the network between ranks"),
             tr("Tests the connections between hosts, and collective operations. Launch it with one process "
                "per rank. Rank and number of ranks come from RANK_ID and RANK_SIZE, RANK and WORLD_SIZE, or "
                "SLURM_PROCID and SLURM_NTASKS. The ranks meet at MASTER_ADDR and MASTER_PORT (127.0.0.1 and "
                "29500; under Slurm the first host and a port of the step).\nFirst each pair of ranks "
                "measures latency and bandwidth over TCP. With more than 32 ranks it measures pairs on "
                "different hosts, and on a host each rank with the next; with more than 128 ranks one rank "
                "per host. Then all ranks, halves of them and pairs run barrier, broadcast, and allreduce "
                "sum and max. Each rank checks each result, and prints each event as a line on standard "
                "output."),
             {options(
                 {option("--sizes N,…", tr("bytes of each rank's data, e.g. 4,64K,1M")),
                  option("--groups N,…", tr("ranks per group; default: all, half of up to 32, and two")),
                  option("--no-pairs", tr("do not measure pairs")),
                  option("--no-collectives", tr("do not run collective operations")),
                  option("--rounds N", tr("repeat the test this many times; 0: until you end it"), u"1"_s),
                  option("--pace MS", tr("make each step last at least this long, so that you can watch it"),
                         u"0"_s),
                  option("--timeout SECONDS", tr("time limit of each step"), u"30"_s),
                  repeatable(
                      option("--address ADDRESS", tr("test this address of this host from the other hosts"))),
                  option("--store STORE", tr("stdio: meet over standard input and output, for the program "
                                             "that started the ranks"))})},
             {u"rankdeckctl processes --nproc 8 -- rankdeckctl collective"_s,
              u"srun -N 2 --ntasks-per-node 4 rankdeckctl collective"_s},
             {{u"1"_s, tr("a test failed")}})}};
}

static CommandGroup rankTableGroup()
{
    return {
        tr("Rank tables"),
        {command(u"ranktable check"_s, u"FILE…"_s, checkRankTablesAction, tr("check rank tables for errors"),
                 tr("Lists the errors of rank tables with their place and fix."),
                 {options({option("--chip CHIP",
                                  tr("also check the rules for this chip: 910, 910b, 910_93, 950 or 310p")),
                           json()})},
                 {u"rankdeckctl ranktable check --chip 910b rank_table.json"_s},
                 {{u"0"_s, tr("no errors")}, {u"1"_s, tr("a table has errors")}}),
         command(u"ranktable show"_s, u"FILE"_s, showRankTableAction,
                 tr("list a rank table's servers and ranks"),
                 tr("Lists the servers of a rank table, each with its ranks and devices."),
                 {options({json()})}, {u"rankdeckctl ranktable show rank_table.json"_s}),
         command(
             u"ranktable convert"_s, u"FILE"_s, convertRankTableAction,
             tr("turn template 2 into version 1.0, or add super pods"),
             tr("Turns a rank table of template 2 into version 1.0, or adds super pods (1.2)."),
             {options({option("--to VERSION", tr("1.0 or 1.2; default: 1.2 with --super-pod, otherwise 1.0")),
                       repeatable(option("--super-pod ID=SERVER[,SERVER…]",
                                         tr("servers of a super pod by their server_id"))),
                       repeatable(option("--super-device-id SERVER/DEVICE=ID",
                                         tr("for a device whose entry has no super_device_id")))}),
              outputSection()},
             {u"rankdeckctl ranktable convert old.json --output new.json"_s}),
         command(u"ranktable merge"_s, u"FILE FILE…"_s, mergeRankTablesAction,
                 tr("merge the rank tables of several servers"),
                 tr("Merges the rank tables of several servers into one."),
                 {options({option("--keep-order",
                                  tr("number the ranks in the order of the arguments, as merge_hccl.py does; "
                                     "default: in the order of server_id, as MindSpore requires"))}),
                  outputSection()},
                 {u"rankdeckctl ranktable merge a.json b.json --output both.json"_s}),
         command(
             u"ranktable subset"_s, u"FILE"_s, subsetOfRankTableAction,
             tr("keep some devices or servers of a rank table"),
             tr("Keeps some devices or servers of a rank table, and numbers the ranks again."),
             {options({option("--devices DEVICES", tr("devices to keep, e.g. 0-3,6 or [0,8); default: all")),
                       repeatable(option("--server ID", tr("server to keep; default: all")))}),
              outputSection()},
             {u"rankdeckctl ranktable subset rank_table.json --devices 0-3"_s}),
         command(
             u"ranktable generate"_s, u"[FILE…]"_s, generateRankTableAction,
             tr("make a rank table of this host's NPUs, or one for serving"),
             tr("Makes a rank table of this host's NPUs. With --prefill and --decode, makes the global table "
                "(server_group_list) of a MindIE service: group 0 is the coordinator, group 1 the "
                "controller, then one group per instance. Its devices are those of the FILEs, in their "
                "order, else this host's."),
             {options(
                 {option("--devices DEVICES", tr("e.g. 0-7 or 0,2,4"), u"[0,8)"_s),
                  option("--server-id ADDRESS", tr("address of this host; default: its first IPv4 address")),
                  repeatable(
                      option("--device-ip IP[,IP…]",
                             tr("one address for each device; default: from hccn_tool or /etc/hccn.conf"))),
                  option("--host-nic-ip", tr("add host_nic_ip, as hccl_tools.py does")),
                  option("--prefill N", tr("instances for prefill")),
                  option("--decode M", tr("instances for decode")),
                  option("--prefill-devices K",
                         tr("NPUs of each prefill instance; default: all that are left, divided evenly")),
                  option("--decode-devices K",
                         tr("NPUs of each decode instance; default: all that are left, divided evenly")),
                  option("--coordinator ADDRESS", tr("MindIE's coordinator; default: the first server")),
                  option("--controller ADDRESS", tr("MindIE's controller; default: the first server")),
                  option("-o, --output FILE",
                         tr("write to this file; to a folder as hccl_<n>p_<devices>_<server>.json")),
                  option("--force", tr("replace an existing file"))})},
             {u"rankdeckctl ranktable generate --devices 0-3 --output ./"_s,
              u"rankdeckctl ranktable generate --prefill 2 --decode 2 servers.json"_s}),
         command(
             u"ranktable init"_s, {}, initRankTableAction,
             tr("convert the platform's rank table, print its variables"),
             tr("Converts the platform's rank table and prints its variables, as lines for a shell. Prints "
                "on standard error which server this host is, and why."),
             {options({option("--server ID",
                              tr("server of the table that this host is, by server_id or pod_name; default: "
                                 "found by the platform's variables, the host's addresses and its name")),
                       option("--json", tr("print an object of the variables; errors too")),
                       option("--null", tr("print NAME=VALUE, each followed by a zero byte"))})},
             {u"eval \"$(rankdeckctl ranktable init)\""_s}, {{u"3"_s, tr("there is no rank table")}}),
         command(u"ranktable wait"_s, u"[FILE]"_s, waitForRankTableAction,
                 tr("wait until a rank table is completed"),
                 tr("Waits until a rank table is completed, also while its file is missing or half written. "
                    "Without FILE, waits for the table that davincirun would read."),
                 {options({option("--timeout SECONDS", tr("give up after this time"), u"1800"_s)})},
                 {u"rankdeckctl ranktable wait rank_table.json --timeout 60"_s},
                 {{u"0"_s, tr("the table is completed")},
                  {u"1"_s, tr("the time of --timeout is up")},
                  {u"N"_s, tr("128 + n when signal n ended it")}})}};
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
         {command(u"supervise"_s, u"DIRECTORY"_s, superviseCommand),
          command(u"agent"_s, {}, agentCommand, {}, {},
                  {options({{QLatin1String(guardedOption.data()), {}, {}},
                            {QLatin1String(rejoinOption.data()), u"PATH"_s, {}}})}),
          command(u"__complete"_s, {}, completeCommand, {}, {}, {}, {}, {}, ArgumentStyle::AsTheyAre),
          command(u"__table"_s, {}, tableCommand)}}};
    return groups;
}

} // namespace rankdeck
