#include "launch/exchange/launchimport.h"

#include "launch/options/launchers.h"
#include "launch/planning/launchbasics.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Options that only torchrun has.
struct TorchrunOptions {
    QString endpoint; ///< --rdzv-endpoint.
    QString nnodes;
    QString nproc;
    bool runsModule = false;  ///< -m
    bool runsProgram = false; ///< --no-python
    bool usesEnvironment = false;
    bool isStandalone = false;
    QStringList leftOut; ///< Options that have no counterpart.
};

LaunchOption quiet(const QString &name, const QString &valueName,
                   const std::function<void(const QString &)> &take)
{
    return {name,
            valueName,
            {},
            [take](LaunchSpec &, const QString &text) -> std::optional<Error> {
                take(text);
                return std::nullopt;
            },
            [](const LaunchSpec &) {
                return QStringList();
            }};
}

/// The command line of "processes" with torchrun's other options, which are read into `options`.
LaunchCommandLine torchrunCommandLine(TorchrunOptions &options)
{
    LaunchCommandLine line = processesCommandLine();
    line.common.clear();
    const QString value = QStringLiteral("VALUE");
    const auto text = [&](const char *name, QString TorchrunOptions::*field) {
        line.own.push_back(quiet(QLatin1String(name), value,
                                 [&options, field](const QString &given) { options.*field = given; }));
    };
    const auto flag = [&](const char *name, bool TorchrunOptions::*field) {
        line.own.push_back(
            quiet(QLatin1String(name), {}, [&options, field](const QString &) { options.*field = true; }));
    };
    // These two take more than a number.
    std::erase_if(line.own, [](const LaunchOption &option) {
        return option.name == QLatin1String("--nnodes") || option.name == QLatin1String("--nproc");
    });
    text("--nnodes", &TorchrunOptions::nnodes);
    text("--nproc", &TorchrunOptions::nproc);
    text("--rdzv-endpoint", &TorchrunOptions::endpoint);
    flag("--standalone", &TorchrunOptions::isStandalone);
    flag("--module", &TorchrunOptions::runsModule);
    flag("--no-python", &TorchrunOptions::runsProgram);
    flag("--use-env", &TorchrunOptions::usesEnvironment);
    for (const char *name : {"--rdzv-backend", "--rdzv-id", "--rdzv-conf", "--monitor-interval",
                             "--start-method", "--local-addr", "--event-log-handler", "--logs-specs",
                             "--local-ranks-filter", "--log-line-prefix-template"}) {
        const QString option = QLatin1String(name);
        line.own.push_back(
            quiet(option, value, [&options, option](const QString &) { options.leftOut << option; }));
    }
    line.own.push_back(quiet(QStringLiteral("--run-path"), {}, [&options](const QString &) {
        options.leftOut << QStringLiteral("--run-path");
    }));
    line.synonym = torchrunsNames(line.own);
    line.synonym.insert(QStringLiteral("-m"), QStringLiteral("--module"));
    return line;
}

std::optional<Error> takeNodes(ImportedLaunch &imported, const QString &text)
{
    if (text.isEmpty())
        return std::nullopt;
    const auto most = readWholeNumber(text.section(QLatin1Char(':'), -1), QStringLiteral("--nnodes"));
    if (!most)
        return most.error();
    imported.spec.processes.nnodes = *most;
    if (text.contains(QLatin1Char(':')))
        imported.notes
            << tr("--nnodes %1 is taken as %2: nodes do not come and go here.").arg(text).arg(*most);
    return std::nullopt;
}

std::optional<Error> takeRanks(ImportedLaunch &imported, const QString &text)
{
    static const QStringList words{QStringLiteral("auto"), QStringLiteral("cpu"), QStringLiteral("gpu"),
                                   QStringLiteral("npu"), QStringLiteral("xpu")};
    if (text.isEmpty())
        return std::nullopt;
    if (words.contains(text)) {
        imported.notes
            << tr("--nproc-per-node %1 counts devices, which is not done here: say how many ranks this "
                  "node has.")
                   .arg(text);
        return std::nullopt;
    }
    const auto ranks = readWholeNumber(text, QStringLiteral("--nproc-per-node"));
    if (!ranks)
        return ranks.error();
    imported.spec.processes.nproc = *ranks;
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
    imported.notes
        << tr("--rdzv-endpoint %1 is taken as MASTER_ADDR and MASTER_PORT: ranks meet there, and no "
              "rendezvous gives them their numbers.")
               .arg(endpoint);
    return std::nullopt;
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

/// The launch of launcher "processes" that does what torchrun would do with `arguments`.
/// @param isOldLauncher `torch.distributed.launch`, which hands the local rank to the script as an argument.
/// Source: torch.distributed.run and .launch (1.13 and master). Errors: an option that torchrun does not have
/// or a value that it would refuse; no script.
Result<ImportedLaunch> importTorchrun(const QStringList &arguments, bool isOldLauncher)
{
    TorchrunOptions options;
    ImportedLaunch imported;
    const auto spec = torchrunCommandLine(options).parse(arguments);
    if (!spec)
        return Error{spec.error().what, spec.error().where, {}};
    if (spec->command.isEmpty())
        return Error{tr("there is no script"), QStringLiteral("training_script"),
                     tr("Give it after the options.")};
    imported.spec = *spec;
    if (const auto error = takeNodes(imported, options.nnodes))
        return *error;
    if (const auto error = takeRanks(imported, options.nproc))
        return *error;
    if (const auto error = takeEndpoint(imported, options.endpoint))
        return *error;
    const bool passesLocalRank = isOldLauncher && !options.usesEnvironment;
    imported.spec.command = commandOf(spec->command, options, passesLocalRank);
    if (passesLocalRank)
        imported.notes << tr(
            "The script gets --local_rank, as torch.distributed.launch hands it over; newer ones "
            "spell it --local-rank.");
    if (options.isStandalone)
        imported.notes << tr("--standalone finds a free port; here MASTER_PORT is %1.")
                              .arg(imported.spec.processes.masterPort);
    for (const QString &option : std::as_const(options.leftOut))
        imported.notes << tr("%1 is left out: it has no counterpart here.").arg(option);
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
        if (!isModule)
            return {};
        const QString launcher = modules.value(words.value(module + 1));
        words = words.mid(module + 2);
        return launcher;
    }
    if (program == QLatin1String("rankdeckctl") || program == QLatin1String("rankdeck")) {
        const QString launcher = words.value(1);
        words = words.mid(2);
        return launcherNames().contains(launcher) ? launcher : QString();
    }
    words = words.mid(1);
    const bool isPeer = program == QLatin1String("msrun") || program == QLatin1String("torchrun") ||
                        program == QLatin1String("davincirun");
    return isPeer ? program : QString();
}

} // namespace

Result<ImportedLaunch> importCommandWords(const QStringList &commandLine)
{
    QStringList words = commandLine;
    ImportedLaunch imported;
    const QMap<QString, QString> variables = takeVariables(words);
    while (words.value(0) == QLatin1String("nohup") || words.value(0) == QLatin1String("exec"))
        words.removeFirst();
    const QStringList shellPart = takeShellPart(words);
    const QString launcher = takeLauncher(words);
    if (launcher.isEmpty())
        return Error{tr("this is no command line of msrun, torchrun or davincirun"), commandLine.value(0),
                     tr("Begin with the launcher's name.")};
    if (launcher.startsWith(QLatin1String("torch"))) {
        auto torch = importTorchrun(words, launcher != QLatin1String("torchrun"));
        if (!torch)
            return torch.error();
        imported = std::move(torch.value());
    } else {
        const auto spec = launcherCommandLine(launcher)->parse(words);
        if (!spec)
            return spec.error();
        imported.spec = *spec;
    }
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        if (!imported.spec.environment.contains(it.key()))
            imported.spec.environment.insert(it.key(), it.value());
    }
    if (!shellPart.isEmpty())
        imported.notes << tr("\"%1\" is left out: it is for a shell.").arg(shellPart.join(QLatin1Char(' ')));
    return imported;
}

Result<ImportedLaunch> importCommandLine(const QString &line)
{
    const auto words = splitCommandLine(line);
    if (!words)
        return words.error();
    auto imported = importCommandWords(*words);
    if (imported && asksForShell(line) && imported->notes.isEmpty())
        imported->notes << tr("$, ~ and * reach the program as they are: no shell replaces them.");
    return imported;
}

} // namespace rankdeck
