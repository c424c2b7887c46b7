#include "launch/exchange/torchrunimport.h"

#include "base/listcomma.h"
#include "launch/options/launchers.h"
#include "launch/text/commandline.h"

#include <memory>

namespace rankdeck
{

constexpr char valueOptions[] =
    "--nnodes --nproc-per-node --rdzv-backend --rdzv-endpoint --rdzv-id --rdzv-conf --max-restarts "
    "--monitor-interval --start-method --event-log-handler --role --log-dir --redirects --tee "
    "--local-ranks-filter --node-rank --master-addr --master-port --local-addr --logs-specs --numa-binding "
    "--signals-to-handle --shutdown-timeout --log-line-prefix-template --duplicate-stdout-filters "
    "--duplicate-stderr-filters";
constexpr char switchOptions[] = "--standalone --module --no-python --run-path --virtual-local-rank";

static QString variableOf(const QString &option)
{
    return u"PET_"_s + option.mid(2).replace('-'_L1, '_'_L1).toUpper();
}

void TorchrunVariables::drop(const QString &word)
{
    const auto at = words.indexOf(word);
    if (at < 0)
        return;
    words.removeAt(at);
    names.removeAt(at);
}

QString TorchrunVariables::note() const
{
    return names.isEmpty() ? QString()
                           : tr("Taken from variables, as torchrun does: %1.").arg(names.join(nameComma()));
}

TorchrunVariables torchrunVariables(const QProcessEnvironment &environment)
{
    TorchrunVariables found;
    const auto addValue = [&](const QString &option, const QString &name) {
        const QString value = environment.value(name);
        if (value.isEmpty())
            return;
        found.words << option + '='_L1 + value;
        found.names << name;
    };
    addValue(u"--shutdown-timeout"_s, u"TORCH_ELASTIC_SHUTDOWN_TIMEOUT"_s); // What comes behind it wins.
    for (const QString &option : namesIn(valueOptions))
        addValue(option, variableOf(option));
    for (const QString &option : namesIn(switchOptions)) {
        const QString name = variableOf(option);
        if (environment.value(name).toInt() == 0)
            continue;
        found.words << option;
        found.names << name;
    }
    return found;
}

namespace
{

/// Options that only torchrun has.
struct TorchrunOptions {
    QString endpoint; ///< --rdzv-endpoint.
    QString nnodes;
    QString runId; ///< --rdzv-id.
    QString shutdownTimeout;
    QString completedShell;
    QString logsSpecs;
    QString filters;          ///< --duplicate-stdout-filters, --duplicate-stderr-filters.
    bool runsModule = false;  ///< -m
    bool runsProgram = false; ///< --no-python
    bool usesEnvironment = false;
    bool hasNodeRank = false;
    QStringList leftOut; ///< Options that have no counterpart.
};

LaunchOption quiet(const QString &name, const QString &valueName, const QString &help,
                   const std::function<void(const QString &)> &take)
{
    return {name, valueName, help,
            [take](LaunchSpec &, const QString &text) -> std::optional<Error> {
                take(text);
                return std::nullopt;
            },
            [](const LaunchSpec &) {
                return QStringList();
            }};
}

/// The command line of "processes" with torchrun's other options, which are read into `options`.
LaunchCommandLine torchrunCommandLine(const std::shared_ptr<TorchrunOptions> &options)
{
    LaunchCommandLine line = *launcherCommandLine(u"processes"_s);
    line.helpName = u"torchrun"_s;
    line.commandName = tr("the script");
    const auto text = [&](const char *name, const char *value, QString TorchrunOptions::*field,
                          const QString &help) {
        line.own.push_back(quiet(QLatin1String(name), QLatin1String(value), help,
                                 [options, field](const QString &given) { (*options).*field = given; }));
    };
    const auto flag = [&](const char *name, bool TorchrunOptions::*field, const QString &help) {
        line.own.push_back(quiet(QLatin1String(name), {}, help,
                                 [options, field](const QString &) { (*options).*field = true; }));
    };
    const auto leaveOut = [&](const char *name, const char *value) {
        const QString option = QLatin1String(name);
        line.own.push_back(quiet(option, QLatin1String(value), tr("left out, with a note"),
                                 [options, option](const QString &) { options->leftOut << option; }));
    };
    // One takes more than a number, the other is Rankdeck's.
    std::erase_if(line.own, [](const LaunchOption &option) {
        return option.name == "--nnodes"_L1 || option.name == "--function"_L1;
    });
    text("--nnodes", "N|MIN:MAX", &TorchrunOptions::nnodes, tr("nodes of the launch; of two the larger (1)"));
    text("--rdzv-id", "ID", &TorchrunOptions::runId, tr("taken as TORCHELASTIC_RUN_ID"));
    text("--shutdown-timeout", "SECONDS", &TorchrunOptions::shutdownTimeout, tr("taken as --grace"));
    text("--print-completion", "SHELL", &TorchrunOptions::completedShell,
         tr("refused: rankdeckctl completion SHELL"));
    text("--logs-specs", "NAME", &TorchrunOptions::logsSpecs, tr("only \"default\""));
    text("--rdzv-endpoint", "HOST:PORT", &TorchrunOptions::endpoint,
         tr("taken as --master-addr and --master-port"));
    flag("--module", &TorchrunOptions::runsModule, tr("the script is a Python module"));
    flag("--no-python", &TorchrunOptions::runsProgram, tr("the script is a program, not a Python file"));
    flag("--use-env", &TorchrunOptions::usesEnvironment, tr("torch.distributed.launch: no --local_rank"));
    for (const char *name :
         {"--rdzv-backend", "--rdzv-conf", "--monitor-interval", "--local-addr", "--event-log-handler"})
        leaveOut(name, "VALUE");
    for (const char *name : {"--duplicate-stdout-filters", "--duplicate-stderr-filters"})
        text(name, "TEXT", &TorchrunOptions::filters,
             tr("left out, with a note: rankdeckctl logs --grep filters the whole logs"));
    leaveOut("--run-path", "");
    leaveOut("--enable-tiered-parallel-tcpstore", "VALUE"); // Option of torch_npu_run.
    line.synonym.remove(u"--nproc-per-node"_s);
    for (LaunchOption &option : line.own) {
        if (option.name == "--nproc"_L1)
            option.name = u"--nproc-per-node"_s;
        if (option.name != "--node-rank"_L1)
            continue;
        option.read = [options, read = option.read](LaunchSpec &spec, const QString &given) {
            options->hasNodeRank = true;
            return read(spec, given);
        };
    }
    line.synonym.insert(u"-m"_s, u"--module"_s);
    return line;
}

/// N or MIN:MAX.
std::optional<Error> takeNodes(ImportedLaunch &imported, const QString &text)
{
    if (text.isEmpty())
        return std::nullopt;
    const QString option = u"--nnodes"_s;
    const QStringList parts = text.split(':'_L1);
    const auto least = readWholeNumber(parts.first(), option);
    if (!least)
        return least.error();
    const auto most = readWholeNumber(parts.last(), option);
    if (!most)
        return most.error();
    if (parts.size() > 2 || *least < 1 || *least > *most)
        return Error{tr("\"%1\" is not a number of nodes").arg(text), option,
                     tr("Write a number from 1, or minimum and maximum, e.g. 1:4.")};
    imported.spec.processes.nnodes = *most;
    if (*least != *most)
        imported.notes
            << tr("--nnodes %1 is read as %2: the number of nodes is fixed here.").arg(text).arg(*most);
    return std::nullopt;
}

std::optional<Error> takeEndpoint(ImportedLaunch &imported, const QString &endpoint)
{
    if (endpoint.isEmpty())
        return std::nullopt;
    imported.spec.processes.masterAddr = endpoint.section(':'_L1, 0, 0);
    if (endpoint.contains(':'_L1)) {
        const auto port = readWholeNumber(endpoint.section(':'_L1, 1), u"--rdzv-endpoint"_s);
        if (const auto error = setFrom(imported.spec.processes.masterPort, port))
            return error;
    }
    imported.notes << tr("--rdzv-endpoint %1 sets MASTER_ADDR and MASTER_PORT: ranks connect there. There is "
                         "no rendezvous to number them.")
                          .arg(endpoint);
    return std::nullopt;
}

/// The command that torchrun starts for a script, a module or a program.
QStringList commandOf(const QStringList &words, const TorchrunOptions &options, bool passesLocalRank)
{
    QStringList command;
    if (!options.runsProgram)
        command << u"python3"_s << u"-u"_s;
    if (options.runsModule)
        command << u"-m"_s;
    command << words.first();
    if (passesLocalRank)
        command << u"--local_rank=${local_rank}"_s;
    return command + words.mid(1);
}

/// Reads torchrun's options and a script, which may be missing, and leaves what concerns the script to
/// `options`.
Result<ImportedLaunch> readTorchrun(const QStringList &arguments, TorchrunOptions &options,
                                    const OwnOptions &own = {})
{
    ImportedLaunch imported;
    const auto read = std::make_shared<TorchrunOptions>();
    LaunchCommandLine line = torchrunCommandLine(read);
    line.common = own.options;
    const auto spec = line.parse(arguments, own.switches, own.found);
    options = *read;
    if (!spec)
        return spec.error();
    imported.spec = *spec;
    if (const auto error = takeNodes(imported, options.nnodes))
        return *error;
    if (const auto error = takeEndpoint(imported, options.endpoint))
        return *error;
    if (!options.completedShell.isEmpty())
        return Error{tr("torchrun's completion is not Rankdeck's"), u"--print-completion"_s,
                     tr("Run: rankdeckctl completion %1").arg(options.completedShell)};
    if (!options.shutdownTimeout.isEmpty()) {
        const auto seconds = readWholeNumber(options.shutdownTimeout, u"--shutdown-timeout"_s);
        if (const auto error = setFrom(imported.spec.graceSeconds, seconds))
            return *error;
    }
    if (!options.runId.isEmpty() && !imported.spec.processes.standalone)
        imported.spec.environment.insert(u"TORCHELASTIC_RUN_ID"_s, options.runId);
    if (!options.filters.isEmpty())
        imported.notes
            << tr("--duplicate-stdout-filters and --duplicate-stderr-filters are omitted: no filtered copy "
                  "of the logs is written. Filter the whole logs: rankdeckctl logs RUN --merge "
                  "--grep \"%1\".")
                   .arg(options.filters.split(','_L1).join('|'_L1));
    if (!options.logsSpecs.isEmpty() && options.logsSpecs != "default"_L1)
        return Error{tr("\"%1\" is a plugin of torch, which Rankdeck does not load").arg(options.logsSpecs),
                     u"--logs-specs"_s, tr("Leave it out.")};
    for (const QString &option : std::as_const(options.leftOut))
        imported.notes << tr("%1 is omitted: it has no counterpart here.").arg(option);
    return imported;
}

} // namespace

std::optional<Error> problemWithScript(const QStringList &command)
{
    const QString word = command.value(0);
    if (!word.startsWith('$'_L1))
        return std::nullopt;
    return Error{tr("the script is a shell variable, which is not expanded here"), word,
                 tr("Replace it with its value: echo \"%1\" shows it.").arg(word)};
}

Result<ImportedLaunch> importTorchrun(const QStringList &arguments, bool isOldLauncher,
                                      const TorchrunVariables &variables, int ownNode, const OwnOptions &own)
{
    TorchrunOptions options;
    auto read = readTorchrun(variables.words + arguments, options, own);
    if (!read)
        return read;
    ImportedLaunch imported = std::move(read.value());
    const QStringList words = imported.spec.command;
    if (words.isEmpty())
        return Error{tr("missing script"), u"training_script"_s, tr("Give it after the options.")};
    if (const auto error = problemWithScript(words))
        return *error;
    if (options.runsModule && options.runsProgram)
        return Error{tr("--module needs Python, but --no-python excludes it"), u"--module"_s,
                     tr("Remove one of the two.")};
    // torchrun's rendezvous numbers the nodes; as node 0 each of them would start the same ranks.
    const bool isNumbered = options.endpoint.isEmpty() || options.hasNodeRank;
    if (!isNumbered && imported.spec.processes.nnodes > 1 && ownNode >= 0) {
        imported.spec.processes.nodeRank = ownNode;
        imported.notes
            << tr("No rendezvous numbers the nodes here: this is node %1. Launch node 0 on the host "
                  "of --rdzv-endpoint, and the others with --node-rank 1, 2 and so on.")
                   .arg(ownNode);
    } else if (!isNumbered && imported.spec.processes.nnodes > 1)
        return Error{
            tr("the command is for %1 nodes, but does not name this one; no rendezvous numbers them here")
                .arg(imported.spec.processes.nnodes),
            u"--node-rank"_s,
            tr("Add --node-rank 0 on the node of --rdzv-endpoint, 1 on the next, and so on.")};
    const bool passesLocalRank = isOldLauncher && !options.usesEnvironment;
    imported.spec.command = commandOf(words, options, passesLocalRank);
    if (passesLocalRank)
        imported.notes << tr(
            "The script gets --local_rank, as torch.distributed.launch hands it over; newer ones "
            "spell it --local-rank.");
    if (const QString note = variables.note(); !note.isEmpty())
        imported.notes << note;
    return imported;
}

int nodeInSlurm(const QProcessEnvironment &environment, int otherwise)
{
    bool isNumber = false;
    const int node = environment.value(u"SLURM_NODEID"_s).toInt(&isNumber);
    return isNumber && node >= 0 ? node : otherwise;
}

LaunchCommandLine torchrunCommandLine()
{
    return torchrunCommandLine(std::make_shared<TorchrunOptions>());
}

Result<ImportedLaunch> readTorchrunLaunch(const QStringList &arguments,
                                          const QProcessEnvironment &environment, const QStringList &switches,
                                          QStringList *found)
{
    return importTorchrun(arguments, false, torchrunVariables(environment), nodeInSlurm(environment, -1),
                          {torchrunCommandLine().common, switches, found});
}

Result<ImportedLaunch> processesFromVariables(const QProcessEnvironment &environment)
{
    TorchrunVariables variables = torchrunVariables(environment);
    for (const char *option : {"--module", "--no-python", "--run-path"}) // The command itself shows these.
        variables.drop(QLatin1String(option));
    TorchrunOptions options;
    for (qsizetype index = 0; index < variables.words.size(); ++index) {
        TorchrunOptions one;
        if (const auto read = readTorchrun({variables.words[index]}, one); !read)
            return Error{read.error().what, variables.names[index], read.error().mend};
    }
    auto imported = readTorchrun(variables.words, options);
    if (const QString note = variables.note(); imported && !note.isEmpty())
        imported->notes << note;
    return imported;
}

} // namespace rankdeck
