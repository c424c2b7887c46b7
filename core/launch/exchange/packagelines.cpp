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

/// `arguments`: the command of a rank as one word, then by number the values that the script's usage names.
static Result<LauncherLine> mindformersLine(const QStringList &arguments, QMap<QString, QString> variables)
{
    const auto count = arguments.size();
    if (count != 1 && count != 2 && count != 6 && count != 9)
        return Error{tr("msrun_launcher.sh takes 1, 2, 6 or 9 arguments, not %1").arg(count),
                     QStringLiteral("msrun_launcher.sh"),
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
                                 : QStringList{QStringLiteral("8118"), QStringLiteral("output/msrun_log"),
                                               QStringLiteral("False"), QStringLiteral("7200")};
    const QString suffix = variables.take(QStringLiteral("MF_LOG_SUFFIX"));
    LauncherLine line;
    line.words = QStringList{QStringLiteral("msrun"), QStringLiteral("--bind_core=True"),
                             QStringLiteral("--worker_num=") + workers,
                             QStringLiteral("--local_worker_num=") + localWorkers};
    if (isForNodes && workers != localWorkers)
        line.words << QStringLiteral("--master_addr=") + arguments.at(3)
                   << QStringLiteral("--node_rank=") + arguments.at(5);
    line.words << QStringLiteral("--master_port=") + last.at(0)
               << QStringLiteral("--log_dir=") + last.at(1) +
                      (suffix.isEmpty() ? QString() : QLatin1Char('_') + suffix)
               << QStringLiteral("--join=") + last.at(2)
               << QStringLiteral("--cluster_time_out=") + last.at(3);
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
    line.words << QStringLiteral("torchrun");
    const auto add = [&](const char *option, const QString &value) {
        if (!value.isEmpty())
            line.words << QLatin1String(option) << value;
    };
    variables.remove(QStringLiteral("FORCE_TORCHRUN"));
    const QString rendezvous = taken("RDZV_ID", "");
    const QString least = taken("MIN_NNODES", "");
    const QString most = taken("MAX_NNODES", "");
    const QString nodes = taken("NNODES", "1");
    const QString nodeRank = taken("NODE_RANK", "");
    const QString address = taken("MASTER_ADDR", "");
    const QString port = taken("MASTER_PORT", "");
    const QString restarts = taken("MAX_RESTARTS", "");
    const bool isElastic = !rendezvous.isEmpty();
    const bool isRange = isElastic && !least.isEmpty() && !most.isEmpty();
    add("--nnodes", isRange ? QStringLiteral("%1:%2").arg(least, most) : nodes);
    add("--node_rank", nodeRank);
    add("--nproc_per_node", taken("NPROC_PER_NODE", "auto"));
    if (isElastic) {
        add("--rdzv_id", rendezvous);
        add("--rdzv_endpoint",
            address.isEmpty() || port.isEmpty() ? address : address + QLatin1Char(':') + port);
        add("--max_restarts", restarts);
    } else {
        add("--master_addr", address);
        add("--master_port", port);
    }
    line.words << QStringLiteral("-m") << QStringLiteral("llamafactory.launcher") << arguments;
    line.variables = variables;
    return line;
}

Result<std::optional<LauncherLine>> launcherLineOfPackage(const QStringList &words,
                                                          const QMap<QString, QString> &variables)
{
    const QString program = programName(words.value(0));
    if ((program == QLatin1String("llamafactory-cli") || program == QLatin1String("lmf")) &&
        words.value(1) == QLatin1String("train"))
        return std::optional(llamaFactoryLine(words.mid(2), variables));
    const bool isShell = program == QLatin1String("bash") || program == QLatin1String("sh");
    const qsizetype script = isShell ? 1 : 0;
    if (programName(words.value(script)) != QLatin1String("msrun_launcher.sh"))
        return std::optional<LauncherLine>();
    const auto line = mindformersLine(words.mid(script + 1), variables);
    if (!line)
        return line.error();
    return std::optional(*line);
}

} // namespace rankdeck
