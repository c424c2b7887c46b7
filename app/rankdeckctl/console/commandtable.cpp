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
    return {
        {tr("Watching"),
         {{u"--detach"_s, {}, tr("return at once and print the run's name")},
          {u"-q, --quiet"_s, {}, tr("do not print the ranks' lines")},
          {u"--raw"_s, {}, tr("let a terminal have all that the ranks write, not only text and colours")}}},
        {tr("Start and end"),
         {{u"--stop-holders"_s, {}, tr("first stop runs of yours that hold the same devices or port")}}}};
}

static std::vector<ExitCode> launchCodes()
{
    return {{u"0"_s, tr("every rank succeeded; with --detach, the run has started")},
            {u"N"_s, tr("the code of the rank that failed first, 128 and its number for a signal")}};
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
    return {
        {u"--transport"_s, u"TRANSPORT"_s,
         tr("how nodes are reached: local, ssh, slurm, or auto: slurm in an allocation, else ssh; this node "
            "alone where no node is named. Containers: docker:NAME, podman:NAME, "
            "kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME, where {node} stands for each of "
            "--nodes"),
         u"auto"_s},
        {u"--transport-command"_s, u"COMMAND"_s,
         tr("a program that starts the words after its own on a node, e.g. \"enroot exec {node}\"")},
        {u"--ssh-config"_s, u"FILE"_s, tr("use this file as ssh's configuration")},
        {u"--node-program"_s, u"FILE"_s,
         tr("rankdeckctl on the nodes; without it, that in their PATH, else a copy of this one in "
            "~/.cache/rankdeck there, which a launch makes")}};
}

/// How a rank table that was made is written.
static OptionSection outputSection()
{
    return {tr("Output"),
            {{u"-o, --output"_s, u"FILE"_s,
              tr("write there instead of to the terminal; into a folder under the usual name")},
             {u"--force"_s, {}, tr("replace a file that is there already")},
             {u"--diff"_s, {}, tr("show what would change, write nothing")}}};
}

static CommandGroup launchGroup()
{
    const QString line =
        tr("LAUNCHER is davincirun, msrun, processes, torchrun or run, with its own options and command: see "
           "\"rankdeckctl LAUNCHER --help\".");
    return {
        tr("Launch"),
        {launcher(
             u"davincirun"_s, u"[OPTIONS] COMMAND…"_s, tr("launch one process for each device of this node"),
             davincirunCommand,
             tr("Waits for the rank table, converts it, starts COMMAND once for each device of this node, "
                "and waits. A .py file is run by the environment's python, and the work directory is "
                "made. Says which server of the rank table this host is, and why. Ctrl-C stops the run."),
             {u"rankdeckctl davincirun --rank-table rank_table.json train.py"_s}),
         launcher(u"msrun"_s, u"[OPTIONS] SCRIPT…"_s, tr("launch as msrun of MindSpore does"), msrunCommand,
                  tr("Starts the scheduler, where this node is the master, and the workers of this node, as "
                     "msrun does. SCRIPT is a .py file, which the environment's python runs, or python, "
                     "python3 or pytest with its arguments. Without --join=True the run's name is printed at "
                     "once and the run is watched in the background; else this waits, and Ctrl-C stops the "
                     "run."),
                  {u"rankdeckctl msrun --worker_num=8 --local_worker_num=8 --join=True train.py"_s}),
         launcher(
             u"torchrun"_s, u"[OPTIONS] SCRIPT…"_s, tr("launch a command line of torchrun"), torchrunCommand,
             tr("Takes torchrun's options, and says what it does otherwise: no rendezvous numbers the "
                "nodes, so each needs --node-rank. The ranks are started as by \"rankdeckctl processes\", "
                "with the environment that torchrun gives them. Ctrl-C stops the run. torchrun's "
                "variables PET_NNODES, PET_NPROC_PER_NODE … count as its options."),
             {u"rankdeckctl torchrun --nproc_per_node=8 train.py --epochs 3"_s}),
         launcher(
             u"processes"_s, u"[OPTIONS] -- COMMAND…\nSPEC.json"_s,
             tr("launch any command as torchrun would"), processesCommand,
             tr("Starts COMMAND once for each local rank with the environment that torchrun gives it, and "
                "waits. ${local_rank} in an argument is the local rank.\n"
                "SPEC.json holds what start_processes of torch takes: name, entrypoint (a program, or a "
                "function of Python as \"module:function\" or \"file.py:function\"), args and envs by "
                "local rank, log_dir …\n"
                "The signals of --signals-to-handle, Ctrl-C, and the end of this command end the ranks; not "
                "with --detach. torchrun's variables PET_NNODES, PET_NPROC_PER_NODE … count as its "
                "options. With --redirects 0 the ranks print to the console alone, as with torchrun; a "
                "log is kept all the same."),
             {u"rankdeckctl processes --nproc 8 -- python3 train.py"_s}),
         launcher(
             u"run"_s, u"PROFILE [OPTIONS] [COMMAND…]\n--again RUN [OPTIONS] [COMMAND…]"_s,
             tr("launch a profile, or a run again"), runCommand,
             tr("Launches what a profile holds, or what a run was, in its working directory and with the "
                "environment of today. Options of its launcher and a command given here win over its own: "
                "beside those below, see \"rankdeckctl LAUNCHER --help\". PROFILE is a name of "
                "\"rankdeckctl profile list\", or a file; RUN is one of \"rankdeckctl list\"."),
             {u"rankdeckctl run bert-8p --detach"_s, u"rankdeckctl run --again last"_s}),
         {.name = u"plan"_s,
          .arguments = u"LAUNCHER…"_s,
          .summary = tr("show what a launch would start"),
          .run = planCommand,
          .description =
              tr("Prints each process with its environment, directory, log and cpus. Starts nothing.\n%1 The "
                 "options below may also stand among the launcher's.")
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
              tr("Starts nothing of the launch. On every node of it: the plan and its rank table, variables "
                 "against their ranges, interpreter, script, room, limits, ports, who holds devices; then "
                 "its "
                 "ranks try each other, in pairs and in collective operations; and the NPUs' own network "
                 "where "
                 "hccn_tool is installed.\n%1")
                  .arg(line),
          .sections = {options(
              {{u"--import"_s, u"MODULE"_s, tr("each node's Python must import it"), {}, true},
               {u"--limit"_s, u"SECONDS"_s, tr("for all of it"), u"30"_s},
               {u"--json"_s, {}, tr("print JSON, errors too; also among the launcher's options")}})},
          .exitCodes = {{u"0"_s, tr("nothing failed")},
                        {u"1"_s, tr("a check failed")},
                        {u"N"_s, tr("128 and the number of the signal that ended it")}},
          .examples = {u"rankdeckctl preflight --import torch torchrun --nproc-per-node 8 train.py"_s},
          .words = Words::CommandLine},
         {.name = u"import"_s,
          .arguments = u"COMMAND…"_s,
          .summary = tr("turn a command line of another launcher into Rankdeck's"),
          .run = importCommand,
          .description = tr(
              "Takes a command line of msrun, torchrun or davincirun, as words or as one quoted text, and "
              "prints that of rankdeckctl which launches the same. Says what differs. The result takes the "
              "options of its launcher: see \"rankdeckctl LAUNCHER --help\"."),
          .sections = {options(
              {{u"--save"_s, u"PROFILE"_s, tr("also keep the launch as a profile")}, json()})},
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
              {{u"--state"_s,
                u"STATE,…"_s,
                tr("only these: live, ended, starting, running, stopping, succeeded, failed, stopped, lost"),
                {},
                true},
               {u"--limit"_s, u"N"_s, tr("the first N of them")},
               json()})},
          .examples = {u"rankdeckctl list --state live,failed --limit 10"_s}},
         {.name = u"attach"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("print a run's lines as they come, type to its ranks"),
          .run = attachCommand,
          .description =
              tr("Prints the lines of all ranks until the run has ended. Ctrl-C ends this command, "
                 "not the run. With --rank, what you type goes to these ranks' terminals."),
          .sections = {options(
              {{u"-n, --tail"_s, u"N"_s, tr("begin with the last N lines of each log")},
               rankOption(tr("type to these ranks: 3, 0,4-7 or all; to a single one in its own terminal")),
               {u"--fold"_s, {}, tr("with --rank: print once what several ranks print alike")},
               {u"--raw"_s,
                {},
                tr("let a terminal have all that the ranks write, not only text and colours")}})},
          .exitCodes = {{u"N"_s, tr("the run's exit code, as that of its launch")}},
          .examples = {u"rankdeckctl attach"_s, u"rankdeckctl attach last --rank 0"_s}},
         {.name = u"logs"_s,
          .arguments = u"[RUN|PATH]"_s,
          .summary = tr("print logs of a run, or of any launcher"),
          .run = logsCommand,
          .description =
              tr("Prints the logs of a run, or those that any launcher left at PATH, whole lines with their "
                 "rank. A line without a time stamp or level has those of the line before it in its log."),
          .sections =
              {{tr("Which logs"),
                {{u"--open"_s, u"PATH"_s, tr("the same as PATH, also for a name without a slash")},
                 rankOption(tr("of these ranks: 3, 0,4-7 or all; a single one is printed without its name")),
                 {u"--scheduler"_s, {}, tr("the scheduler's")},
                 {u"--stderr"_s, {}, tr("standard error alone, where it has a file of its own")},
                 {u"--attempt"_s, u"N"_s, tr("of the Nth attempt, from 0; else of the newest")},
                 {u"-n, --tail"_s, u"N"_s, tr("the last N lines of each log")},
                 {u"-f, --follow"_s, {}, tr("go on with what is added, until the run has ended")}}},
               {tr("In which order"),
                {{u"--merge"_s, {}, tr("all logs in one, by the time stamps of their lines")},
                 {u"--fold"_s, {}, tr("merged, and what several ranks print alike once, with these ranks")}}},
               {tr("Which lines"),
                {{u"--grep"_s, u"PATTERN"_s, tr("those that match any of these"), {}, true},
                 {u"--all-match"_s, {}, tr("those that match all of these")},
                 {u"--exclude"_s, u"PATTERN"_s, tr("not those that match"), {}, true},
                 {u"--ignore-case"_s, {}, tr("upper and lower case are the same")},
                 {u"--fixed-strings"_s, {}, tr("patterns are the text itself, no regular expressions (RE2)")},
                 {u"--level"_s, u"LEVEL"_s, tr("debug, info, warning, error or critical, and worse")},
                 {u"--since"_s, u"TIME"_s,
                  tr("not before 14:22, \"2024-12-26 14:22:26\", or 10m (s, h, d) ago")}}},
               {tr("Output"),
                {{u"--color"_s, u"WHEN"_s,
                  tr("auto (on a terminal, unless NO_COLOR is set), always or never"), u"auto"_s},
                 {u"--raw"_s,
                  {},
                  tr("let a terminal have all that the ranks wrote, not only text and colours")}}}},
          .examples = {u"rankdeckctl logs --merge --level error"_s,
                       u"rankdeckctl logs ./log --rank 0-3 --grep loss --tail 20"_s}},
         {.name = u"progress"_s,
          .arguments = u"[RUN|PATH]"_s,
          .summary = tr("show step, loss and remaining time of each rank"),
          .run = progressCommand,
          .description = tr("Reads how far the ranks' training is from their logs: those of a run, or those "
                            "that any launcher left at PATH."),
          .sections = {options(
              {json(),
               {u"--csv"_s, {}, tr("print the curves of loss and step time")},
               {u"-f, --follow"_s, {}, tr("print a line at each change, until the run has ended")},
               {u"--progress-pattern"_s, u"REGEX"_s,
                tr("finds steps and losses by named groups, (?P<step>\\d+); in place of the launch's "
                   "own")}})},
          .examples = {u"rankdeckctl progress --follow"_s}},
         {.name = u"wait"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("wait for a run's end"),
          .run = waitCommand,
          .description = tr("Waits until a run has ended and returns its exit code. Prints nothing."),
          .sections = {options({{u"--timeout"_s, u"SECONDS"_s, tr("give up after this time")},
                                {u"--json"_s, {}, tr("print how each process ended, errors too")}})},
          .exitCodes = {{u"124"_s, tr("the time of --timeout is up")},
                        {u"N"_s, tr("the run's exit code, as that of its launch")}},
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
          .description =
              tr("Reports the first failure of a run, of the logs that any launcher left at PATH, or "
                 "of a report bundle: the rank, the cause, and the evidence."),
          .sections = {options(
              {json(),
               {u"--html"_s, {}, tr("print HTML")},
               {u"--bundle"_s, u"FILE"_s,
                tr("write all that a colleague needs into FILE.tar.gz, secrets masked")},
               {u"--max-size"_s, u"MB"_s, tr("with --bundle: the largest size of the file")}})},
          .examples = {u"rankdeckctl report"_s, u"rankdeckctl report last --bundle bug.tar.gz"_s}},
         {.name = u"explain"_s,
          .arguments = u"CODE|FILE…"_s,
          .summary = tr("explain an error code, or find known errors in logs"),
          .run = explainCommand,
          .description =
              tr("Explains error codes of HCCL, CANN, MindSpore and torch_npu, or every known error "
                 "in log files. - reads standard input."),
          .sections = {options({json()})},
          .exitCodes = {{u"1"_s, tr("no known error was found")}},
          .examples = {u"rankdeckctl explain EI0006"_s, u"rankdeckctl explain log/worker_0.log"_s}},
         {.name = u"dump"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("show the call stacks of a live run"),
          .run = dumpCommand,
          .description = tr("Prints the call stacks of a live run's processes, equal ones together."),
          .sections = {options(
              {rankOption(tr("of these ranks: 3, 0,4-7 or all; else of all processes")), json()})},
          .exitCodes = {{u"1"_s, tr("some process gave no stack")}},
          .examples = {u"rankdeckctl dump --rank 0-3"_s}},
         {.name = u"debug"_s,
          .arguments = u"[RUN] [TOOL]"_s,
          .summary = tr("attach a debugger to a rank, in this terminal"),
          .run = debugCommand,
          .description =
              tr("Attaches a tool to a rank of a live run: gdb, py-spy-dump, py-spy-top or strace; without "
                 "TOOL, gdb. The rank goes on when the tool has ended."),
          .sections = {options({{u"--rank"_s, u"RANK"_s, tr("the rank; needed")}})},
          .exitCodes = {{u"1"_s, tr("the tool cannot be attached")}},
          .examples = {u"rankdeckctl debug --rank 3"_s, u"rankdeckctl debug last py-spy-dump --rank 0"_s}},
         {.name = u"open"_s,
          .arguments = u"PATH"_s,
          .summary = tr("list the logs of any launcher, and the first failure"),
          .run = openCommand,
          .description =
              tr("Says which ranks logged at PATH, a directory or one log of all ranks, and which "
                 "failed first. \"rankdeckctl report PATH\" and \"rankdeckctl logs PATH\" show more."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl open ./log"_s}}}};
}

static CommandGroup manageGroup()
{
    return {
        tr("Manage runs and profiles"),
        {{.name = u"stop"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("end a run or a part of it"),
          .run = stopCommand,
          .description =
              tr("Ends a run with SIGTERM, and SIGKILL after its time of grace; with an option only "
                 "some processes of it, and the run goes on. Without RUN one run must be live."),
          .sections = {options({{u"--kill"_s, {}, tr("SIGKILL at once")},
                                rankOption(tr("only these ranks: 3, 0,4-7 or all")),
                                {u"--node"_s, u"NODE"_s, tr("only the processes of this node")},
                                {u"--scheduler"_s, {}, tr("only the scheduler")},
                                json()})},
          .exitCodes = {{u"0"_s, tr("it has ended, or had ended already")},
                        {u"1"_s, tr("something of it is still alive")}},
          .examples = {u"rankdeckctl stop"_s, u"rankdeckctl stop last --rank 3 --kill"_s}},
         {.name = u"signal"_s,
          .arguments = u"[RUN] SIGNAL"_s,
          .summary = tr("send a signal to ranks"),
          .run = signalCommand,
          .description = tr(
              "Sends INT, TERM, KILL, USR1, USR2, STOP or CONT to the ranks of a live run. A rank that a "
              "signal ends counts as failed; \"rankdeckctl stop\" ends ranks without that. Without RUN one "
              "run must be live."),
          .sections = {options({rankOption(tr("only to these ranks: 3, 0,4-7 or all")), json()})},
          .exitCodes = {{u"1"_s, tr("some rank did not get the signal")}},
          .examples = {u"rankdeckctl signal USR1 --rank 0"_s}},
         {.name = u"keep"_s,
          .arguments = u"[DAYS|forever]"_s,
          .summary = tr("show or set how long ended runs are kept"),
          .run = keepCommand,
          .description = tr("Without arguments, shows how long runs are kept after their end, and which are "
                            "older. These are deleted when a run ends, or when the window opens."),
          .sections = {options({{u"--apply"_s, {}, tr("delete the older runs now")},
                                {u"--dry-run"_s, {}, tr("with DAYS: only say which runs would be deleted")},
                                json()})},
          .examples = {u"rankdeckctl keep 30 --dry-run"_s}},
         {.name = u"delete"_s,
          .arguments = u"RUN…"_s,
          .summary = tr("delete runs that have ended"),
          .run = deleteCommand,
          .description = tr("Deletes the directories of runs that have ended. Asks first."),
          .sections = {options({{u"--logs"_s, {}, tr("also their logs in other directories")},
                                {u"--yes"_s, {}, tr("do not ask")},
                                {u"--dry-run"_s, {}, tr("say what would be deleted, delete nothing")},
                                json()})},
          .exitCodes = {{u"1"_s, tr("a run could not be deleted, or the answer was no")}},
          .examples = {u"rankdeckctl delete last --yes"_s}},
         {.name = u"profile list"_s,
          .arguments = {},
          .summary = tr("list your profiles"),
          .run = profileListCommand,
          .description = tr("Lists the launches that are kept under a name."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl profile list"_s}},
         {.name = u"profile show"_s,
          .arguments = u"PROFILE"_s,
          .summary = tr("print a profile"),
          .run = profileShowCommand,
          .description =
              tr("Prints a profile's file, and the command line that launches the same. PROFILE is a "
                 "name of \"rankdeckctl profile list\", or a file: what has a / or ends in .json."),
          .sections = {options({json()})},
          .examples = {u"rankdeckctl profile show bert-8p"_s}},
         {.name = u"profile save"_s,
          .arguments = u"PROFILE LAUNCHER…"_s,
          .summary = tr("keep a launch under a name"),
          .run = profileSaveCommand,
          .description =
              tr("Keeps a launch as a profile, which \"rankdeckctl run PROFILE\" launches. LAUNCHER "
                 "is davincirun, msrun, processes or torchrun, with its own options and command: "
                 "see \"rankdeckctl LAUNCHER --help\"."),
          .sections = {options({{u"--force"_s, {}, tr("replace a profile of this name; also behind it")}})},
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
         tr("a,b,c: host names, addresses, names of ssh's configuration; in a Slurm allocation its own short "
            "forms, and all its nodes without this option")}};
    for (const CommandOption &option : nodeOptions())
        testOptions.push_back(option);
    testOptions.push_back(json());
    std::vector<CommandOption> trustOptions = nodeOptions();
    trustOptions.push_back({u"--yes"_s, {}, tr("do not ask")});
    return {
        tr("Nodes and devices"),
        {{.name = u"nodes test"_s,
          .arguments = {},
          .summary = tr("try each node as a launch would reach it"),
          .run = testNodesCommand,
          .description = tr("Connects to each node and asks it for its version, clock, NPUs and room."),
          .sections = {options(testOptions)},
          .exitCodes = {{u"0"_s, tr("every node can be used")}, {u"1"_s, tr("a node cannot be used")}},
          .examples = {u"rankdeckctl nodes test --nodes node1,node2"_s}},
         {.name = u"nodes trust"_s,
          .arguments = u"NODE"_s,
          .summary = tr("see a node's ssh host key and trust it"),
          .run = trustNodeCommand,
          .description = tr("Shows the fingerprint of a node's ssh host key, asks whether you trust it, and "
                            "keeps it for Rankdeck alone."),
          .sections = {options(trustOptions)},
          .exitCodes = {{u"1"_s, tr("it is not trusted")}},
          .examples = {u"rankdeckctl nodes trust node1"_s}},
         {.name = u"devices"_s,
          .arguments = u"[RUN]"_s,
          .summary = tr("show the NPUs of this machine, or of a run"),
          .run = devicesCommand,
          .description = tr(
              "Without RUN, the NPUs of this machine: their numbers, health, how busy they are, memory, "
              "temperature, power, and the processes on them, with the run that a process belongs to.\nOf a "
              "live RUN the NPU of each rank, on all its nodes, with what the rank's process tree uses and "
              "who else is on that NPU."),
          .sections = {options(
                           {{u"--watch"_s, u"[SECONDS]"_s,
                             tr("again and again, less often where a call takes long"), u"2"_s},
                            {u"--json"_s, {}, tr("print JSON, with --watch an object a line; errors too")},
                            {u"--prometheus"_s, {}, tr("print text that Prometheus reads")},
                            {u"--csv"_s,
                             {},
                             tr("with RUN, which may have ended: what was kept of all that while somebody "
                                "watched")},
                            {u"--source"_s, u"SOURCE"_s,
                             tr("ask the program npu-smi or, with dcmi, the library libdcmi.so; without it "
                                "whichever is installed, npu-smi first")}}),
                       {{}, {{QLatin1String(readDcmiOption), {}, {}}}}},
          .exitCodes = {{u"1"_s, tr("nothing could be sampled")}},
          .examples = {u"rankdeckctl devices --watch 5"_s}},
         {.name = u"collective"_s,
          .arguments = {},
          .summary = tr("one rank of a self-test of the network between ranks"),
          .run = collectiveCommand,
          .description = tr(
              "Tests the ways between hosts, and collective operations. Start it once a rank, as a launch. "
              "Rank and number of ranks are those of RANK_ID and RANK_SIZE, RANK and WORLD_SIZE, or "
              "SLURM_PROCID and SLURM_NTASKS. The ranks meet at MASTER_ADDR and MASTER_PORT (127.0.0.1 and "
              "29500; under Slurm the first host and a port of the step).\n"
              "First every pair of ranks measures latency and bandwidth over TCP; of more than 32 ranks "
              "only those on different hosts, and on a host each rank with the next; of more than 128 ranks "
              "only one rank a host. Then all ranks, halves of them and pairs do barrier, broadcast, and "
              "allreduce sum and max, and every rank checks every result. Each event is a line on standard "
              "output."),
          .sections = {options(
              {{u"--sizes"_s, u"N,…"_s, tr("bytes of each rank's data, such as 4,64K,1M")},
               {u"--groups"_s, u"N,…"_s, tr("ranks a group; without it all, half of up to 32, and two")},
               {u"--no-pairs"_s, {}, tr("do not measure pairs")},
               {u"--no-collectives"_s, {}, tr("do no collective operations")},
               {u"--rounds"_s, u"N"_s, tr("so many times; 0: until it is ended"), u"1"_s},
               {u"--pace"_s, u"MS"_s, tr("each step lasts at least so long, to be watched"), u"0"_s},
               {u"--timeout"_s, u"SECONDS"_s, tr("how long each step may take"), u"30"_s},
               {u"--address"_s,
                u"ADDRESS"_s,
                tr("an address of this host at which other hosts try it"),
                {},
                true},
               {u"--store"_s, u"STORE"_s,
                tr("stdio: meet over standard input and output, for the program that started the ranks")}})},
          .exitCodes = {{u"1"_s, tr("something was wrong")}},
          .examples = {u"rankdeckctl processes --nproc 8 -- rankdeckctl collective"_s,
                       u"srun -N 2 --ntasks-per-node 4 rankdeckctl collective"_s}}}};
}

static CommandGroup rankTableGroup()
{
    return {
        tr("Rank tables"),
        {{.name = u"ranktable check"_s,
          .arguments = u"FILE…"_s,
          .summary = tr("say what is wrong with rank tables"),
          .run = checkRankTablesAction,
          .description = tr("Says what is wrong with rank tables, and where."),
          .sections = {options({{u"--chip"_s, u"CHIP"_s,
                                 tr("also check what depends on the chip: 910, 910b, 910_93, 950 or 310p")},
                                json()})},
          .exitCodes = {{u"0"_s, tr("there are no errors")}, {u"1"_s, tr("there are errors")}},
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
                                 tr("1.0 or 1.2; without it 1.2 when super pods are given")},
                                {u"--super-pod"_s,
                                 u"ID=SERVER[,SERVER…]"_s,
                                 tr("servers of a super pod by their server_id"),
                                 {},
                                 true},
                                {u"--super-device-id"_s,
                                 u"SERVER/DEVICE=ID"_s,
                                 tr("for a device whose entry has no super_device_id"),
                                 {},
                                 true}}),
                       outputSection()},
          .examples = {u"rankdeckctl ranktable convert old.json --output new.json"_s}},
         {.name = u"ranktable merge"_s,
          .arguments = u"FILE FILE…"_s,
          .summary = tr("make one rank table of those of several servers"),
          .run = mergeRankTablesAction,
          .description = tr("Makes one rank table of those of several servers."),
          .sections = {options({{u"--keep-order"_s,
                                 {},
                                 tr("number the ranks in the order of the arguments, as merge_hccl.py does; "
                                    "without it in the order of server_id, as MindSpore wants it")}}),
                       outputSection()},
          .examples = {u"rankdeckctl ranktable merge a.json b.json --output both.json"_s}},
         {.name = u"ranktable subset"_s,
          .arguments = u"FILE"_s,
          .summary = tr("keep some devices or servers of a rank table"),
          .run = subsetOfRankTableAction,
          .description = tr("Keeps some devices or servers of a rank table, and numbers the ranks again."),
          .sections = {options({{u"--devices"_s, u"DEVICES"_s, tr("such as 0-3,6 or [0,8); without it all")},
                                {u"--server"_s, u"ID"_s, tr("a server to keep; without it all"), {}, true}}),
                       outputSection()},
          .examples = {u"rankdeckctl ranktable subset rank_table.json --devices 0-3"_s}},
         {.name = u"ranktable generate"_s,
          .arguments = {},
          .summary = tr("make a rank table of this host's NPUs"),
          .run = generateRankTableAction,
          .description = tr("Makes a rank table of this host's NPUs."),
          .sections = {options(
              {{u"--devices"_s, u"DEVICES"_s, tr("e.g. 0-7 or 0,2,4"), u"[0,8)"_s},
               {u"--server-id"_s, u"ADDRESS"_s, tr("this host's address; without it its first IPv4 address")},
               {u"--device-ip"_s,
                u"IP[,IP…]"_s,
                tr("one address for each device; without it hccn_tool and /etc/hccn.conf are asked"),
                {},
                true},
               {u"--host-nic-ip"_s, {}, tr("add host_nic_ip, as hccl_tools.py does")},
               {u"-o, --output"_s, u"FILE"_s,
                tr("write there; into a folder as hccl_<n>p_<devices>_<server>.json")},
               {u"--force"_s, {}, tr("replace a file that is there already")}})},
          .examples = {u"rankdeckctl ranktable generate --devices 0-3 --output ./"_s}},
         {.name = u"ranktable init"_s,
          .arguments = {},
          .summary = tr("convert the platform's rank table, print its variables"),
          .run = initRankTableAction,
          .description =
              tr("Converts the platform's rank table and prints the variables that it sets, as lines "
                 "for a shell. Says on standard error which server this host is, and why."),
          .sections = {options(
              {{u"--server"_s, u"ID"_s,
                tr("which server of the table this host is, by server_id or pod_name; without "
                   "it the platform's variables, the host's addresses and its name tell")},
               {u"--json"_s, {}, tr("print an object of the variables; errors too")},
               {u"--null"_s, {}, tr("NAME=VALUE, each ended by a zero byte")}})},
          .exitCodes = {{u"3"_s, tr("there is no rank table")}},
          .examples = {u"eval \"$(rankdeckctl ranktable init)\""_s}},
         {.name = u"ranktable wait"_s,
          .arguments = u"[FILE]"_s,
          .summary = tr("wait until a rank table is completed"),
          .run = waitForRankTableAction,
          .description =
              tr("Waits until a rank table is completed; without FILE, that which davincirun would "
                 "read. A file that is missing or half written is waited for too."),
          .sections = {options({{u"--timeout"_s, u"SECONDS"_s, tr("give up after this time"), u"1800"_s}})},
          .exitCodes = {{u"0"_s, tr("the table is completed")},
                        {u"1"_s, tr("the time is up")},
                        {u"N"_s, tr("128 and the number of the signal that ended it")}},
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
