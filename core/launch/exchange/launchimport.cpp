#include "launch/exchange/launchimport.h"

#include "launch/exchange/packagelines.h"
#include "launch/exchange/shellscript.h"
#include "launch/exchange/torchrunimport.h"
#include "launch/options/launchers.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

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
    if (const auto error = problemWithScript(spec->command))
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
        if (const auto error = problemWithScript(command))
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
