#include "launch/exchange/packagelines.h"

#include "base/tr.h"
#include "launch/text/commandline.h"

#include <QFileInfo>

namespace rankdeck
{

static QString programName(const QString &word)
{
    return QFileInfo(word).fileName();
}

static void addOption(QStringList &words, const char *option, const QString &value)
{
    if (!value.isEmpty())
        words << QLatin1String(option) << value;
}

/// `arguments`: the command of a rank as one word, then by number the values that the script's usage names.
static Result<LauncherLine> mindformersLine(const QStringList &arguments, QMap<QString, QString> variables)
{
    const auto count = arguments.size();
    if (count != 1 && count != 2 && count != 6 && count != 9)
        return Error{tr("msrun_launcher.sh takes 1, 2, 6 or 9 arguments, not %1").arg(count),
                     u"msrun_launcher.sh"_s,
                     tr("Put the command of a rank into quotes: it is the first argument.")};
    const auto command = splitCommandLine(arguments.first());
    if (!command)
        return command.error();
    const bool isForNodes = count == 9;
    const auto optional = [&](qsizetype index, const char *otherwise) {
        return index < count ? arguments.at(index) : QLatin1String(otherwise);
    };
    const QString workers = optional(1, "8");
    const QString localWorkers = isForNodes ? arguments.at(2) : workers;
    // The last four are MASTER_PORT, LOG_DIR, JOIN and CLUSTER_TIME_OUT, with NODE_RANK after the port.
    const QStringList last = isForNodes ? QStringList{arguments.at(4)} + arguments.mid(6)
                             : count == 6
                                 ? arguments.mid(2)
                                 : QStringList{u"8118"_s, u"output/msrun_log"_s, u"False"_s, u"7200"_s};
    const QString suffix = variables.take(u"MF_LOG_SUFFIX"_s);
    LauncherLine line;
    line.words = QStringList{u"msrun"_s, u"--bind_core=True"_s, u"--worker_num="_s + workers,
                             u"--local_worker_num="_s + localWorkers};
    if (isForNodes && workers != localWorkers)
        line.words << u"--master_addr="_s + arguments.at(3) << u"--node_rank="_s + arguments.at(5);
    line.words << u"--master_port="_s + last.at(0)
               << u"--log_dir="_s + last.at(1) + (suffix.isEmpty() ? QString() : '_'_L1 + suffix)
               << u"--join="_s + last.at(2) << u"--cluster_time_out="_s + last.at(3);
    line.words << *command;
    line.variables = variables;
    line.notes << tr(
        "msrun_launcher.sh also puts its package in front of PYTHONPATH; where mindformers is not "
        "installed, do that with --env PYTHONPATH=DIRECTORY.");
    return line;
}

/// `arguments`: those after "train".
static LauncherLine llamaFactoryLine(const QStringList &arguments, QMap<QString, QString> variables)
{
    const auto taken = [&](const char *name, const char *otherwise) {
        const QString value = variables.take(QLatin1String(name));
        return value.isEmpty() ? QString::fromLatin1(otherwise) : value;
    };
    LauncherLine line;
    const QString ray = u"USE_RAY"_s;
    const QStringList isSet{u"1"_s, u"true"_s, u"y"_s};
    if (isSet.contains(variables.value(ray).toLower())) {
        line.unread << tr("%1: ray starts the ranks then.").arg(ray);
        return line;
    }
    variables.remove(u"FORCE_TORCHRUN"_s);
    const QString rendezvous = taken("RDZV_ID", "");
    const QString least = taken("MIN_NNODES", "");
    const QString most = taken("MAX_NNODES", "");
    const QString nodes = taken("NNODES", "1");
    const QString address = taken("MASTER_ADDR", "");
    const QString port = taken("MASTER_PORT", "");
    const QString restarts = taken("MAX_RESTARTS", "");
    const bool isElastic = !rendezvous.isEmpty();
    const bool isRange = isElastic && !least.isEmpty() && !most.isEmpty();
    line.words << u"torchrun"_s;
    addOption(line.words, "--nnodes", isRange ? u"%1:%2"_s.arg(least, most) : nodes);
    addOption(line.words, "--node_rank", taken("NODE_RANK", ""));
    addOption(line.words, "--nproc_per_node", taken("NPROC_PER_NODE", "auto"));
    if (isElastic) {
        addOption(line.words, "--rdzv_id", rendezvous);
        addOption(line.words, "--rdzv_endpoint",
                  address.isEmpty() || port.isEmpty() ? address : address + ':'_L1 + port);
        addOption(line.words, "--max_restarts", restarts);
    } else {
        addOption(line.words, "--master_addr", address);
        addOption(line.words, "--master_port", port);
    }
    line.words << u"-m"_s << u"llamafactory.launcher"_s << arguments;
    line.variables = variables;
    return line;
}

namespace
{

/// The options of a launcher that is read as torchrun: those with a value and those without.
struct PeerOptions {
    QMap<QString, QString> given; ///< By name, with "-" for "_".
    QStringList flags;
    QStringList rest;   ///< From the script on.
    QStringList unread; ///< A sentence for each option that is not read.
};

LauncherLine unreadLine(const QStringList &sentences)
{
    LauncherLine line;
    line.unread = sentences;
    return line;
}

/// @param withValue, flags names with two dashes and "-" for "_", or short ones.
Result<PeerOptions> readPeer(const QString &launcher, const QStringList &arguments,
                             const QStringList &withValue, const QStringList &flags)
{
    PeerOptions options;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString &word = arguments[at];
        if (!word.startsWith('-'_L1)) {
            options.rest = arguments.mid(at);
            break;
        }
        const bool hasValue = word.startsWith("--"_L1) && word.contains('='_L1);
        QString name = hasValue ? word.section('='_L1, 0, 0) : word;
        name.replace('_'_L1, '-'_L1);
        if (flags.contains(name) && !hasValue) {
            options.flags << name;
        } else if (withValue.contains(name)) {
            if (!hasValue && at + 1 >= arguments.size())
                return Error{tr("missing value"), word, {}};
            options.given[name] = hasValue ? word.section('='_L1, 1) : arguments[++at];
        } else {
            options.unread << tr("%1: this option of %2 is not read.").arg(name, launcher);
            // It may have a value. Where options follow, that is not the script.
            const bool hasMore = arguments.value(at + 2).startsWith('-'_L1);
            if (!hasValue && hasMore && !arguments[at + 1].startsWith('-'_L1))
                ++at;
        }
    }
    if (options.rest.isEmpty())
        return Error{tr("missing script"), launcher, tr("Give it after the options.")};
    return options;
}

/// Source: DeepSpeed, deepspeed/launcher/runner.py and launch.py.
Result<LauncherLine> deepspeedLine(const QStringList &arguments, const QMap<QString, QString> &variables)
{
    const QString launcher = u"deepspeed"_s;
    const auto read = readPeer(
        launcher, arguments,
        namesIn("--num-gpus --num-nodes --include --master-port --master-addr --node-rank --hostfile -H"),
        namesIn("--no-python --module --no-local-rank --no-ssh"));
    if (!read)
        return read.error();
    QStringList unread = read->unread;
    const bool isOneNode = read->given.value(u"--num-nodes"_s, u"1"_s) == "1"_L1;
    const bool hasHosts = read->given.contains(u"--hostfile"_s) || read->given.contains(u"-H"_s);
    if (hasHosts || !isOneNode)
        unread << tr("%1: deepspeed for several nodes is not read; ranks of other nodes are not seen. To "
                     "have Rankdeck start them, leave it out and name the nodes with --nodes.")
                      .arg(hasHosts ? u"--hostfile"_s : u"--num_nodes"_s);
    if (!unread.isEmpty())
        return unreadLine(unread);
    LauncherLine line;
    line.variables = variables;
    QString count = read->given.value(u"--num-gpus"_s, u"auto"_s);
    if (const QString include = read->given.value(u"--include"_s); !include.isEmpty()) {
        const QString devices = include.section(':'_L1, 1);
        if (devices.isEmpty() || include.contains('@'_L1))
            return Error{tr("\"%1\" does not name devices of this node").arg(include), u"--include"_s,
                         tr("Write e.g. localhost:0,1.")};
        count = QString::number(devices.split(','_L1).size());
        line.variables.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, devices);
    }
    const bool passesRank =
        !read->flags.contains(u"--no-local-rank"_s) && !read->flags.contains(u"--no-python"_s);
    line.words = passesRank ? QStringList{u"python3"_s, u"-m"_s, u"torch.distributed.launch"_s}
                            : QStringList{u"torchrun"_s};
    addOption(line.words, "--nproc_per_node", count);
    addOption(line.words, "--master_addr", read->given.value(u"--master-addr"_s));
    addOption(line.words, "--master_port", read->given.value(u"--master-port"_s));
    for (const QString &flag : {u"--no-python"_s, u"--module"_s}) {
        if (read->flags.contains(flag))
            line.words << flag;
    }
    line.words << read->rest;
    line.notes << tr("deepspeed is read as torchrun: Rankdeck starts the ranks itself.");
    return line;
}

/// Source: Accelerate, commands/launch.py.
Result<LauncherLine> accelerateLine(const QStringList &arguments, const QMap<QString, QString> &variables)
{
    const QString launcher = u"accelerate"_s;
    const auto read = readPeer(launcher, arguments,
                               namesIn("--num-processes --num-machines --machine-rank --main-process-ip "
                                       "--main-process-port --mixed-precision --gpu-ids --dynamo-backend"),
                               namesIn("--multi-gpu -m --module --no-python"));
    if (!read)
        return read.error();
    QStringList unread = read->unread;
    if (!read->given.contains(u"--num-processes"_s))
        unread << tr("--num_processes: it is not given, and accelerate's own configuration is not read.");
    if (!unread.isEmpty())
        return unreadLine(unread);
    const auto numberOf = [&](const char *name, int otherwise) {
        const QString text = read->given.value(QLatin1String(name));
        return text.isEmpty() ? otherwise : text.toInt();
    };
    const int machines = numberOf("--num-machines", 1);
    const int processes = numberOf("--num-processes", 0);
    if (processes < 1 || machines < 1 || processes % machines != 0)
        return Error{tr("the number of ranks is not said, or cannot be shared by the machines"),
                     u"--num_processes"_s, tr("Give it: accelerate's own configuration is not read.")};
    LauncherLine line;
    line.variables = variables;
    line.words << u"torchrun"_s;
    addOption(line.words, "--nnodes", QString::number(machines));
    addOption(line.words, "--nproc_per_node", QString::number(processes / machines));
    addOption(line.words, "--node_rank", read->given.value(u"--machine-rank"_s));
    addOption(line.words, "--master_addr", read->given.value(u"--main-process-ip"_s));
    addOption(line.words, "--master_port", read->given.value(u"--main-process-port"_s));
    for (const QString &flag : read->flags) {
        if (flag != "--multi-gpu"_L1)
            line.words << flag;
    }
    const QString precision = read->given.value(u"--mixed-precision"_s);
    if (!precision.isEmpty())
        line.variables.insert(u"ACCELERATE_MIXED_PRECISION"_s, precision);
    const QString dynamo = read->given.value(u"--dynamo-backend"_s);
    if (!dynamo.isEmpty())
        line.variables.insert(u"ACCELERATE_DYNAMO_BACKEND"_s, dynamo.toUpper());
    const QString devices = read->given.value(u"--gpu-ids"_s);
    if (!devices.isEmpty() && devices != "all"_L1)
        line.variables.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, devices);
    line.words << read->rest;
    line.notes << tr(
        "accelerate is read as torchrun: Rankdeck starts the ranks itself. Its configuration file is not "
        "read.");
    return line;
}

/// Source: Open MPI, mpirun(1).
Result<LauncherLine> mpirunLine(const QStringList &arguments, QMap<QString, QString> variables)
{
    QStringList words = arguments;
    // Two values each.
    for (qsizetype at = 0; at + 2 < words.size();) {
        const bool isSetting = words[at] == "--mca"_L1 || words[at] == "-mca"_L1;
        if (isSetting)
            words.remove(at, 3);
        else
            ++at;
    }
    for (qsizetype at = 0; at + 1 < words.size();) {
        if (words[at] != "-x"_L1) {
            ++at;
            continue;
        }
        const QString setting = words[at + 1];
        if (setting.contains('='_L1))
            variables.insert(setting.section('='_L1, 0, 0), setting.section('='_L1, 1));
        words.remove(at, 2);
    }
    const QStringList counts = namesIn("-n -np -c --np");
    const auto read =
        readPeer(u"mpirun"_s, words,
                 counts + namesIn("--output-filename --bind-to -bind-to --map-by -map-by --rank-by"),
                 namesIn("--allow-run-as-root --merge-stderr-to-stdout --tag-output --oversubscribe "
                         "--report-bindings"));
    if (!read)
        return read.error();
    QString count;
    for (const QString &name : counts)
        count = read->given.value(name, count);
    QStringList unread = read->unread;
    if (count.isEmpty())
        unread << tr("-n: it is not given, so mpirun counts the ranks.");
    if (read->rest.contains(u":"_s))
        unread << tr("\":\": several programs of one mpirun are not read.");
    if (!unread.isEmpty())
        return unreadLine(unread);
    LauncherLine line;
    line.variables = variables;
    line.words = QStringList{u"torchrun"_s, u"--no-python"_s, u"--nproc_per_node"_s, count};
    line.words << read->rest;
    for (auto its = read->given.cbegin(); its != read->given.cend(); ++its) {
        if (!counts.contains(its.key()))
            line.notes << tr("%1 is omitted: it has no counterpart here.").arg(its.key());
    }
    line.notes << tr(
        "mpirun is read as torchrun: ranks get RANK, LOCAL_RANK and WORLD_SIZE, and no variables of MPI. A "
        "program that needs MPI: rankdeckctl wrap -- mpirun …");
    return line;
}

/// Source: ms-swift, swift/cli/main.py.
LauncherLine swiftLine(const QStringList &words, QMap<QString, QString> variables)
{
    LauncherLine line;
    line.words << u"torchrun"_s << u"--no-python"_s;
    const std::pair<const char *, const char *> names[] = {{"NNODES", "--nnodes"},
                                                           {"NODE_RANK", "--node_rank"},
                                                           {"NPROC_PER_NODE", "--nproc_per_node"},
                                                           {"MASTER_ADDR", "--master_addr"},
                                                           {"MASTER_PORT", "--master_port"}};
    for (const auto &[name, option] : names)
        addOption(line.words, option, variables.take(QLatin1String(name)));
    line.words << words;
    line.variables = variables;
    line.notes << tr("swift is read as torchrun: Rankdeck starts the ranks itself.");
    return line;
}

/// The one of mindnlp: --nnodes and --nproc_per_node in place of numbers of workers.
std::optional<LauncherLine> otherMsrunLine(const QStringList &words, const QMap<QString, QString> &variables)
{
    LauncherLine line{QStringList{words.value(0)}, variables, {}};
    int nodes = 1;
    int perNode = 0;
    qsizetype at = 1;
    for (; at < words.size() && words[at].startsWith("--"_L1); ++at) {
        const QString name = words[at].section('='_L1, 0, 0).replace('_'_L1, '-'_L1);
        const bool hasValue = words[at].contains('='_L1);
        const QString value = hasValue ? words[at].section('='_L1, 1) : words.value(at + 1);
        if (name == "--nnodes"_L1)
            nodes = value.toInt();
        else if (name == "--nproc-per-node"_L1)
            perNode = value.toInt();
        else
            line.words << (hasValue ? QStringList{words[at]} : QStringList{words[at], value});
        at += hasValue ? 0 : 1;
    }
    if (perNode < 1 || nodes < 1)
        return std::nullopt;
    line.words << u"--worker_num=%1"_s.arg(nodes * perNode) << u"--local_worker_num=%1"_s.arg(perNode)
               << words.mid(at);
    return line;
}

} // namespace

Result<std::optional<LauncherLine>> launcherLineOfPackage(const QStringList &words,
                                                          const QMap<QString, QString> &variables)
{
    const QString program = programName(words.value(0));
    if ((program == "llamafactory-cli"_L1 || program == "lmf"_L1) && words.value(1) == "train"_L1)
        return std::optional(llamaFactoryLine(words.mid(2), variables));
    const auto asOptional = [](const Result<LauncherLine> &line) -> Result<std::optional<LauncherLine>> {
        if (!line)
            return line.error();
        return std::optional(*line);
    };
    if (program == "deepspeed"_L1)
        return asOptional(deepspeedLine(words.mid(1), variables));
    if (program == "accelerate"_L1 && words.value(1) == "launch"_L1)
        return asOptional(accelerateLine(words.mid(2), variables));
    if (program == "mpirun"_L1 || program == "mpiexec"_L1)
        return asOptional(mpirunLine(words.mid(1), variables));
    // It starts one process for its other commands.
    static const QStringList withTorchrun = namesIn("pt sft rlhf infer");
    if (program == "swift"_L1 && withTorchrun.contains(words.value(1)) &&
        variables.contains(u"NPROC_PER_NODE"_s))
        return std::optional(swiftLine(words, variables));
    if (program == "msrun"_L1)
        return otherMsrunLine(words, variables);
    const bool isShell = program == "bash"_L1 || program == "sh"_L1;
    const qsizetype script = isShell ? 1 : 0;
    if (programName(words.value(script)) != "msrun_launcher.sh"_L1)
        return std::optional<LauncherLine>();
    return asOptional(mindformersLine(words.mid(script + 1), variables));
}

} // namespace rankdeck
