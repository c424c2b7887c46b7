#include "launch/exchange/launchimport.h"

#include "launch/exchange/packagelines.h"
#include "launch/exchange/shellscript.h"
#include "launch/exchange/torchrunvariables.h"
#include "launch/options/launchers.h"
#include "launch/planning/launchbasics.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <memory>

namespace rankdeck
{

namespace
{

/// Options that only torchrun has.
struct TorchrunOptions {
    QString endpoint; ///< --rdzv-endpoint.
    QString nnodes;
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
    LaunchCommandLine line = processesCommandLine();
    line.helpName = QStringLiteral("torchrun");
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
        return option.name == QLatin1String("--nnodes") || option.name == QLatin1String("--function");
    });
    text("--nnodes", "N|MIN:MAX", &TorchrunOptions::nnodes, tr("nodes of the launch; of two the larger (1)"));
    text("--logs-specs", "NAME", &TorchrunOptions::logsSpecs, tr("only \"default\""));
    text("--rdzv-endpoint", "HOST:PORT", &TorchrunOptions::endpoint,
         tr("taken as --master-addr and --master-port"));
    flag("--module", &TorchrunOptions::runsModule, tr("the script is a Python module"));
    flag("--no-python", &TorchrunOptions::runsProgram, tr("the script is a program, not a Python file"));
    flag("--use-env", &TorchrunOptions::usesEnvironment, tr("torch.distributed.launch: no --local_rank"));
    for (const char *name : {"--rdzv-backend", "--rdzv-id", "--rdzv-conf", "--monitor-interval",
                             "--local-addr", "--event-log-handler"})
        leaveOut(name, "VALUE");
    for (const char *name : {"--duplicate-stdout-filters", "--duplicate-stderr-filters"})
        text(name, "TEXT", &TorchrunOptions::filters,
             tr("left out, with a note: rankdeckctl logs --grep filters the whole logs"));
    leaveOut("--run-path", "");
    leaveOut("--enable-tiered-parallel-tcpstore", "VALUE"); // Of torch_npu_run.
    line.synonym.remove(QStringLiteral("--nproc-per-node"));
    for (LaunchOption &option : line.own) {
        if (option.name == QLatin1String("--nproc"))
            option.name = QStringLiteral("--nproc-per-node");
        if (option.name != QLatin1String("--node-rank"))
            continue;
        option.read = [options, read = option.read](LaunchSpec &spec, const QString &given) {
            options->hasNodeRank = true;
            return read(spec, given);
        };
    }
    line.synonym.insert(QStringLiteral("-m"), QStringLiteral("--module"));
    return line;
}

/// N or MIN:MAX.
std::optional<Error> takeNodes(ImportedLaunch &imported, const QString &text)
{
    if (text.isEmpty())
        return std::nullopt;
    const QString option = QStringLiteral("--nnodes");
    const QStringList parts = text.split(QLatin1Char(':'));
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
    imported.spec.processes.masterAddr = endpoint.section(QLatin1Char(':'), 0, 0);
    if (endpoint.contains(QLatin1Char(':'))) {
        const auto port =
            readWholeNumber(endpoint.section(QLatin1Char(':'), 1), QStringLiteral("--rdzv-endpoint"));
        if (!port)
            return port.error();
        imported.spec.processes.masterPort = *port;
    }
    imported.notes << tr("--rdzv-endpoint %1 sets MASTER_ADDR and MASTER_PORT: ranks connect there. There is "
                         "no rendezvous to number them.")
                          .arg(endpoint);
    return std::nullopt;
}

/// A variable where the script should be holds the options, and a shell would have put them there.
std::optional<Error> problemWithVariable(const QStringList &command)
{
    const QString word = command.value(0);
    if (!word.startsWith(QLatin1Char('$')))
        return std::nullopt;
    return Error{tr("the script is a shell variable, which is not expanded here"), word,
                 tr("Replace it with its value: echo \"%1\" shows it.").arg(word)};
}

/// The command that torchrun starts for a script, a module or a program.
QStringList commandOf(const QStringList &words, const TorchrunOptions &options, bool passesLocalRank)
{
    QStringList command;
    if (!options.runsProgram)
        command << QStringLiteral("python3") << QStringLiteral("-u");
    if (options.runsModule)
        command << QStringLiteral("-m");
    command << words.first();
    if (passesLocalRank)
        command << QStringLiteral("--local_rank=${local_rank}");
    return command + words.mid(1);
}

/// Options of Rankdeck that may stand beside torchrun's.
struct Beside {
    LaunchOptions options;        ///< Every launcher's.
    QStringList switches;         ///< See LaunchCommandLine::parse().
    QStringList *found = nullptr; ///< The same.
};

/// Reads torchrun's options and a script, which may be missing, and leaves what concerns the script to
/// `options`.
Result<ImportedLaunch> readTorchrun(const QStringList &arguments, TorchrunOptions &options,
                                    const Beside &beside = {})
{
    ImportedLaunch imported;
    const auto read = std::make_shared<TorchrunOptions>();
    LaunchCommandLine line = torchrunCommandLine(read);
    line.common = beside.options;
    const auto spec = line.parse(arguments, beside.switches, beside.found);
    options = *read;
    if (!spec)
        return spec.error();
    imported.spec = *spec;
    if (const auto error = takeNodes(imported, options.nnodes))
        return *error;
    if (const auto error = takeEndpoint(imported, options.endpoint))
        return *error;
    if (!options.filters.isEmpty())
        imported.notes
            << tr("--duplicate-stdout-filters and --duplicate-stderr-filters are omitted: no filtered copy "
                  "of the logs is written. Filter the whole logs: rankdeckctl logs RUN --merge "
                  "--grep \"%1\".")
                   .arg(options.filters.split(QLatin1Char(',')).join(QLatin1Char('|')));
    if (!options.logsSpecs.isEmpty() && options.logsSpecs != QLatin1String("default"))
        return Error{tr("\"%1\" is a plugin of torch, which Rankdeck does not load").arg(options.logsSpecs),
                     QStringLiteral("--logs-specs"), tr("Leave it out.")};
    for (const QString &option : std::as_const(options.leftOut))
        imported.notes << tr("%1 is omitted: it has no counterpart here.").arg(option);
    return imported;
}

/// Returns the launch of launcher "processes" that does what torchrun would do with `arguments`.
/// @param isOldLauncher `torch.distributed.launch`, which hands the local rank to the script as an argument.
/// @param variables torchrun's options by variable, which `arguments` win over.
/// @param ownNode the rank of this node, for a launch of several that a rendezvous would number; less than 0:
/// such a launch is refused.
/// Source: torch.distributed.run and .launch (1.13 and 2.9). Fails for an option that torchrun does not have
/// or a value that it would refuse, and if there is no script.
Result<ImportedLaunch> importTorchrun(const QStringList &arguments, bool isOldLauncher,
                                      const TorchrunVariables &variables, int ownNode,
                                      const Beside &beside = {})
{
    TorchrunOptions options;
    auto read = readTorchrun(variables.words + arguments, options, beside);
    if (!read)
        return read;
    ImportedLaunch imported = std::move(read.value());
    const QStringList words = imported.spec.command;
    if (words.isEmpty())
        return Error{tr("missing script"), QStringLiteral("training_script"),
                     tr("Give it after the options.")};
    if (const auto error = problemWithVariable(words))
        return *error;
    if (options.runsModule && options.runsProgram)
        return Error{tr("--module needs Python, but --no-python excludes it"), QStringLiteral("--module"),
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
            QStringLiteral("--node-rank"),
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

/// NAME=VALUE words at the front, after an optional "env".
QMap<QString, QString> takeVariables(QStringList &words)
{
    static const QRegularExpression assignment(QStringLiteral("^([A-Za-z_][A-Za-z0-9_]*)=(.*)$"),
                                               QRegularExpression::DotMatchesEverythingOption);
    QMap<QString, QString> variables;
    if (words.value(0) == QLatin1String("env"))
        words.removeFirst();
    while (!words.isEmpty()) {
        const auto match = assignment.match(words.first());
        if (!match.hasMatch())
            break;
        variables.insert(match.captured(1), match.captured(2));
        words.removeFirst();
    }
    return variables;
}

/// Everything from the first word on that only a shell understands.
QStringList takeShellPart(QStringList &words)
{
    static const QRegularExpression shell(QStringLiteral("^([0-9]*[<>].*|&>.*|\\||\\|\\||&|&&|;)$"));
    const auto first =
        std::ranges::find_if(words, [](const QString &word) { return shell.match(word).hasMatch(); });
    const QStringList part(first, words.end());
    words.erase(first, words.end());
    return part;
}

bool isPython(const QString &word)
{
    static const QRegularExpression python(QStringLiteral("^python(3(\\.\\d+)?)?$"));
    return python.match(QFileInfo(word).fileName()).hasMatch();
}

/// The launcher's own words are taken off the front. Empty: none that is known.
QString takeLauncher(QStringList &words)
{
    static const QMap<QString, QString> modules{
        {QStringLiteral("torch.distributed.run"), QStringLiteral("torchrun")},
        {QStringLiteral("torch.distributed.launch"), QStringLiteral("torch.distributed.launch")},
        {QStringLiteral("mindspore.parallel.cluster.run"), QStringLiteral("msrun")},
    };
    const QString program = QFileInfo(words.value(0)).fileName();
    if (isPython(program)) {
        const auto module = words.indexOf(QStringLiteral("-m"));
        const bool isModule = module > 0 && modules.contains(words.value(module + 1));
        if (QFileInfo(words.value(1)).fileName() == QLatin1String("davincirun.py")) {
            words = words.mid(2);
            return QStringLiteral("davincirun");
        }
        if (!isModule)
            return {};
        const QString launcher = modules.value(words.value(module + 1));
        words = words.mid(module + 2);
        return launcher;
    }
    if (program == QLatin1String("rankdeckctl") || program == QLatin1String("rankdeck")) {
        const QString launcher = words.value(1);
        words = words.mid(2);
        const bool isKnown = launcherNames().contains(launcher) || launcher == QLatin1String("torchrun");
        return isKnown ? launcher : QString();
    }
    words = words.mid(1);
    if (program == QLatin1String("torch_npu_run")) // torchrun with another store.
        return QStringLiteral("torchrun");
    const bool isPeer = program == QLatin1String("msrun") || program == QLatin1String("torchrun") ||
                        program == QLatin1String("davincirun");
    return isPeer ? program : QString();
}

/// Returns the rank of this node in its step of Slurm.
int nodeInSlurm(const QProcessEnvironment &environment, int otherwise)
{
    bool isNumber = false;
    const int node = environment.value(QStringLiteral("SLURM_NODEID")).toInt(&isNumber);
    return isNumber && node >= 0 ? node : otherwise;
}

/// Takes "srun" and its options off a line whose next word is a launcher that is read. Returns false if it
/// is not such a line.
bool takeSrun(QStringList &words, const std::function<bool(const QStringList &)> &isRead)
{
    if (QFileInfo(words.value(0)).fileName() != QLatin1String("srun"))
        return false;
    // Of an option without "=" it is not said whether it has a value: the launcher ends them.
    for (qsizetype at = 1; at < words.size(); ++at) {
        const QStringList rest = words.mid(at);
        if (rest.first().startsWith(QLatin1Char('-')) || !isRead(rest))
            continue;
        words = rest;
        return true;
    }
    return false;
}

/// Returns the launch that has `words` start the ranks themselves.
/// @param reasons a sentence for each word that is not understood.
ImportedLaunch wrapped(const QStringList &words, const QMap<QString, QString> &variables,
                       const QStringList &reasons)
{
    ImportedLaunch imported;
    imported.spec = wrapDefaults();
    imported.spec.command = words;
    imported.spec.environment = variables;
    imported.notes = reasons;
    imported.notes << tr("So the command is wrapped: its own launcher starts the ranks, and Rankdeck watches "
                         "over them.");
    imported.isWrapped = true;
    return imported;
}

/// Returns a sentence for each option that a launcher's line has and `problemOf` does not know.
QStringList unknownOptions(QStringList words, const QString &launcher,
                           const std::function<std::optional<Error>(const QStringList &)> &problemOf)
{
    QStringList sentences;
    for (auto error = problemOf(words); error && error->what == tr("unknown option");
         error = problemOf(words)) {
        const auto at = std::ranges::find_if(words, [&](const QString &word) {
            return word == error->where || word.startsWith(error->where + QLatin1Char('='));
        });
        if (at == words.end())
            break;
        sentences << tr("%1: Rankdeck knows no such option of %2.").arg(error->where, launcher);
        const auto value = std::next(at);
        const bool hasValue = *at == error->where && value != words.end() &&
                              std::next(value) != words.end() && !value->startsWith(QLatin1Char('-')) &&
                              !value->endsWith(QLatin1String(".py"));
        words.erase(at, hasValue ? std::next(value) : value);
    }
    return sentences;
}

bool isOwnProgram(const QString &program)
{
    const QString name = QFileInfo(program).fileName();
    return name == QLatin1String("rankdeckctl") || name == QLatin1String("rankdeck");
}

} // namespace

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
    for (const char *option : {"--module", "--no-python", "--run-path"}) // The command says so.
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

/// Reads a line whose launcher is known. `words` are those behind it.
static Result<ImportedLaunch> importKnown(const QString &program, const QString &launcher,
                                          const QStringList &words, QMap<QString, QString> &variables,
                                          const QProcessEnvironment &environment)
{
    if (launcher.startsWith(QLatin1String("torch"))) {
        QProcessEnvironment all = environment;
        for (auto it = variables.begin(); it != variables.end(); ++it)
            all.insert(it.key(), it.value());
        const TorchrunVariables own = torchrunVariables(all);
        for (const QString &name : own.names)
            variables.remove(name);
        return importTorchrun(words, launcher != QLatin1String("torchrun"), own, nodeInSlurm(environment, 0),
                              {isOwnProgram(program) ? torchrunCommandLine().common : LaunchOptions(), {}});
    }
    const auto spec = launcherCommandLine(launcher)->parse(words);
    if (!spec)
        return spec.error();
    if (const auto error = problemWithVariable(spec->command))
        return *error;
    return ImportedLaunch{*spec, {}};
}

/// Reads the words of one command, without its variables and what is for a shell.
static Result<ImportedLaunch> importCommand(const QStringList &command, QMap<QString, QString> variables,
                                            const QProcessEnvironment &environment)
{
    const auto ofPackage = launcherLineOfPackage(command, variables);
    if (!ofPackage)
        return ofPackage.error();
    if (*ofPackage && !(*ofPackage)->unread.isEmpty())
        return wrapped(command, variables, (*ofPackage)->unread);
    QStringList words = command;
    const QMap<QString, QString> given = variables;
    if (*ofPackage) {
        words = (*ofPackage)->words;
        variables = (*ofPackage)->variables;
    }
    const QString program = words.value(0);
    const QString launcher = takeLauncher(words);
    if (launcher.isEmpty() && (program.isEmpty() || isOwnProgram(program)))
        return Error{tr("not a command line of msrun, torchrun or davincirun"), program,
                     tr("Begin with the launcher's name.")};
    if (launcher.isEmpty()) {
        if (const auto error = problemWithVariable(command))
            return *error;
        return wrapped(command, given, {tr("%1: this is no launcher that Rankdeck reads.").arg(program)});
    }
    auto imported = importKnown(program, launcher, words, variables, environment);
    if (!imported) {
        const QStringList unknown = unknownOptions(words, launcher, [&](const QStringList &some) {
            const auto read = importKnown(program, launcher, some, variables, environment);
            return read ? std::nullopt : std::optional(read.error());
        });
        if (unknown.isEmpty() || isOwnProgram(program))
            return imported;
        return wrapped(command, given, unknown);
    }
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        if (!imported->spec.environment.contains(it.key()))
            imported->spec.environment.insert(it.key(), it.value());
    }
    if (*ofPackage)
        imported->notes << (*ofPackage)->notes;
    return imported;
}

/// Returns true if the words begin with a launcher that is read.
static bool isReadLauncher(const QStringList &words)
{
    QStringList rest = words;
    return !takeLauncher(rest).isEmpty();
}

Result<ImportedLaunch> importCommandWords(const QStringList &commandLine,
                                          const QProcessEnvironment &environment)
{
    QStringList words = commandLine;
    const QMap<QString, QString> variables = takeVariables(words);
    while (words.value(0) == QLatin1String("nohup") || words.value(0) == QLatin1String("exec"))
        words.removeFirst();
    const QStringList shellPart = takeShellPart(words);
    const bool hasSrun = takeSrun(words, isReadLauncher);
    auto imported = importCommand(words, variables, environment);
    if (!imported)
        return imported;
    if (hasSrun)
        imported->notes << tr("srun is omitted: this starts the ranks of one node. For all nodes of the "
                              "allocation give --transport slurm and no --nnodes.");
    if (!shellPart.isEmpty())
        imported->notes << tr("\"%1\" is omitted: it is for a shell.").arg(shellPart.join(QLatin1Char(' ')));
    return imported;
}

namespace
{

/// Whether a line has what a shell has to carry out before the launcher starts.
bool isScript(const QString &text)
{
    static const QRegularExpression signs(QStringLiteral("\\n|;|&&|\\$"));
    QString line = text.trimmed();
    line.remove(QStringLiteral("\\\n"));
    return line.contains(signs);
}

bool launches(const QStringList &commandLine)
{
    QStringList words = commandLine;
    while (words.value(0) == QLatin1String("nohup") || words.value(0) == QLatin1String("exec"))
        words.removeFirst();
    takeSrun(words, isReadLauncher);
    // Some count with these variables alone, which may be exported.
    const auto ofPackage =
        launcherLineOfPackage(words, {{QStringLiteral("NPROC_PER_NODE"), QStringLiteral("1")}});
    return !ofPackage || *ofPackage || !takeLauncher(words).isEmpty();
}

/// A loop that starts a rank in each turn, as davincirun does by a rank table, or else as "processes" does.
Result<ImportedLaunch> importLoop(const ShellLaunch &shell)
{
    static const QStringList ofRanks{QStringLiteral("DEVICE_ID"),  QStringLiteral("RANK_ID"),
                                     QStringLiteral("RANK_SIZE"),  QStringLiteral("RANK"),
                                     QStringLiteral("LOCAL_RANK"), QStringLiteral("WORLD_SIZE")};
    QStringList words = shell.words;
    takeShellPart(words);
    ImportedLaunch imported;
    const QString table = shell.variables.value(QStringLiteral("RANK_TABLE_FILE"));
    if (table.isEmpty()) {
        imported.spec = processesDefaults();
        imported.spec.processes.nproc = int(shell.loop.size());
        imported.notes << tr("The loop is read as %n ranks: RANK, LOCAL_RANK and WORLD_SIZE tell them apart.",
                             "The loop is read as one rank.", int(shell.loop.size()));
    } else {
        imported.spec.rankTableFile = table;
        imported.notes
            << tr("The loop is read as a launch by the rank table %1, which gives each rank its device.")
                   .arg(table);
    }
    // In a folder of the rank's own.
    for (QString &word : words) {
        if (word.startsWith(QLatin1String("../")))
            word.remove(0, 3);
    }
    imported.spec.command = words;
    imported.spec.environment = shell.variables;
    for (const QString &name : ofRanks)
        imported.spec.environment.remove(name);
    imported.spec.environment.remove(QStringLiteral("RANK_TABLE_FILE"));
    if (shell.usesLoop)
        imported.notes
            << tr("Check the command: a value in it is that of the first rank, %1. Have the program read "
                  "DEVICE_ID or RANK_ID instead.")
                   .arg(joinCommandLine(words));
    return imported;
}

} // namespace

Result<ImportedLaunch> importCommandLine(const QString &line, const QProcessEnvironment &environment)
{
    if (isScript(line)) {
        const auto shell = readShellScript(line, environment, launches);
        if (!shell && !isUnreadForm(shell.error()))
            return shell.error();
        if (!shell || !*shell) {
            const QString reason =
                shell ? tr("The script starts no launcher that Rankdeck reads.") : shell.error().sentence();
            return wrapped({QStringLiteral("bash"), QStringLiteral("-c"), line.trimmed()}, {}, {reason});
        }
        if (*shell) {
            QStringList words;
            for (auto its = (*shell)->variables.cbegin(); its != (*shell)->variables.cend(); ++its)
                words << its.key() + QLatin1Char('=') + its.value();
            auto imported = (*shell)->loop.isEmpty()
                                ? importCommandWords(words + (*shell)->words, environment)
                                : importLoop(**shell);
            if (!imported)
                return imported;
            if (!(*shell)->workDir.isEmpty() && imported->spec.workDir == LaunchSpec().workDir)
                imported->spec.workDir = (*shell)->workDir;
            imported->notes << (*shell)->notes;
            if (imported->notes.isEmpty() &&
                asksForShell(joinCommandLine((*shell)->words).remove(QLatin1Char('\''))))
                imported->notes << tr("$, ~ and * are passed on literally: no shell expands them.");
            return imported;
        }
    }
    const auto words = splitCommandLine(line);
    if (!words)
        return words.error();
    auto imported = importCommandWords(*words, environment);
    if (imported && asksForShell(line) && imported->notes.isEmpty())
        imported->notes << tr("$, ~ and * are passed on literally: no shell expands them.");
    return imported;
}

} // namespace rankdeck
