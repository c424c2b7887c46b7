#include "launch/exchange/launchimport.h"

#include "launch/exchange/launchexport.h"
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

/// What stands in front of a command and is not it.
struct Front {
    QMap<QString, QString> variables;
    QStringList unset;
};

/// Takes NAME=VALUE words off the front, and programs that only start the next one: env, nohup, exec, setsid.
Front takeFront(QStringList &words)
{
    static const QRegularExpression assignment(QStringLiteral("^([A-Za-z_][A-Za-z0-9_]*)=(.*)$"),
                                               QRegularExpression::DotMatchesEverythingOption);
    static const QStringList starters{QStringLiteral("env"), QStringLiteral("nohup"), QStringLiteral("exec"),
                                      QStringLiteral("setsid")};
    Front front;
    while (!words.isEmpty()) {
        const auto match = assignment.match(words.first());
        const QString next = words.value(1);
        if (match.hasMatch()) {
            front.variables.insert(match.captured(1), match.captured(2));
        } else if (words.first() == QLatin1String("env") && words.size() > 2 && next == QLatin1String("-u")) {
            front.unset << words[2];
            words.remove(1, 2);
            continue;
        } else if (!starters.contains(words.first()) || next.startsWith(QLatin1Char('-'))) {
            break;
        }
        words.removeFirst();
    }
    return front;
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
    const Front front = takeFront(words);
    const bool hasSrun = takeSrun(words, isReadLauncher);
    const QString program = QFileInfo(words.value(0)).fileName();
    if (program == QLatin1String("sbatch"))
        return Error{tr("sbatch only hands the job over to Slurm"), program,
                     tr("Run it, then watch the job with its number: rankdeckctl adopt slurm:JOBID.")};
    const bool isShell = program == QLatin1String("bash") || program == QLatin1String("sh");
    const bool isText = isShell && words.size() == 3 && words[1] == QLatin1String("-c");
    auto imported = isText ? importCommandLine(words[2], environment)
                           : importCommand(words, front.variables, environment);
    if (!imported)
        return imported;
    if (isText) {
        QMap<QString, QString> variables = front.variables;
        variables.insert(imported->spec.environment);
        imported->spec.environment = variables;
    }
    imported->spec.common.unsetVariables << front.unset;
    if (hasSrun)
        imported->notes << tr("srun is omitted: this starts the ranks of one node. For all nodes of the "
                              "allocation give --transport slurm and no --nnodes.");
    return imported;
}

namespace
{

bool launches(const QStringList &commandLine)
{
    QStringList words = commandLine;
    takeFront(words);
    takeSrun(words, isReadLauncher);
    if (QFileInfo(words.value(0)).fileName() == QLatin1String("sbatch"))
        return true;
    // Some count with these variables alone, which may be exported.
    const auto ofPackage =
        launcherLineOfPackage(words, {{QStringLiteral("NPROC_PER_NODE"), QStringLiteral("1")}});
    return !ofPackage || *ofPackage || !takeLauncher(words).isEmpty();
}

/// Returns why the turns of a loop are not the ranks of one launch; nothing if they are.
QString problemWithTurns(const ShellLaunch &shell)
{
    const auto of = [&](const char *name, int turn) {
        const QString key = QLatin1String(name);
        const QString own = shell.variablesOfTurns[turn].value(key);
        return own.isEmpty() ? shell.variables.value(key) : own;
    };
    for (int turn = 0; turn < shell.turns; ++turn) {
        for (const char *name : {"RANK", "RANK_ID", "LOCAL_RANK"}) {
            const QString value = of(name, turn);
            if (!value.isEmpty() && value != QString::number(turn))
                return tr("A loop that gives its first rank another number than 0, or leaves one out, is not "
                          "read: %1=%2.")
                    .arg(QLatin1String(name), value);
        }
        for (const char *name : {"WORLD_SIZE", "RANK_SIZE"}) {
            const QString value = of(name, turn);
            if (!value.isEmpty() && value != QString::number(shell.turns))
                return tr("A loop that starts only some of the ranks is not read: %1=%2.")
                    .arg(QLatin1String(name), value);
        }
    }
    return {};
}

/// A loop that starts a rank in each turn, as davincirun does by a rank table, or else as "processes" does.
ImportedLaunch importLoop(const ShellLaunch &shell)
{
    ImportedLaunch imported;
    QStringList given{QStringLiteral("RANK"), QStringLiteral("LOCAL_RANK"), QStringLiteral("WORLD_SIZE")};
    const QString table = shell.variables.value(QStringLiteral("RANK_TABLE_FILE"));
    if (table.isEmpty()) {
        imported.spec = processesDefaults();
        imported.spec.processes.nproc = shell.turns;
        imported.notes << tr("The loop is read as %n ranks: RANK, LOCAL_RANK and WORLD_SIZE tell them apart.",
                             "The loop is read as one rank.", shell.turns);
    } else {
        given << QStringLiteral("DEVICE_ID") << QStringLiteral("RANK_ID") << QStringLiteral("RANK_SIZE")
              << QStringLiteral("RANK_TABLE_FILE");
        imported.spec.rankTableFile = table;
        imported.notes
            << tr("The loop is read as a launch by the rank table %1, which gives each rank its device.")
                   .arg(table);
    }
    imported.spec.command = shell.words;
    const Front front = takeFront(imported.spec.command);
    // In a folder of the rank's own.
    for (QString &word : imported.spec.command) {
        if (word.startsWith(QLatin1String("../")))
            word.remove(0, 3);
    }
    const auto without = [&](QMap<QString, QString> variables) {
        for (const QString &name : given)
            variables.remove(name);
        return variables;
    };
    imported.spec.environment = without(shell.variables);
    imported.spec.environment.insert(without(front.variables));
    for (int turn = 0; turn < shell.turns; ++turn) {
        const QMap<QString, QString> own = without(shell.variablesOfTurns[turn]);
        if (!own.isEmpty())
            imported.spec.common.rankEnvironment.insert(turn, own);
    }
    return imported;
}

/// Whether an option, not the command, has a variable as its value.
bool optionsHaveVariable(LaunchSpec spec)
{
    spec.command = QStringList{QStringLiteral("command")};
    spec.environment.clear();
    return exportCommandLine(spec).contains(QLatin1Char('$'));
}

Result<ImportedLaunch> importShellLaunch(const ShellLaunch &shell, const QProcessEnvironment &environment)
{
    if (shell.turns > 0)
        return importLoop(shell);
    QStringList words;
    for (auto its = shell.variables.cbegin(); its != shell.variables.cend(); ++its)
        words << its.key() + QLatin1Char('=') + its.value();
    return importCommandWords(words + shell.words, environment);
}

} // namespace

Result<ImportedLaunch> importCommandLine(const QString &line, const QProcessEnvironment &environment)
{
    const auto shell = readShellScript(line, environment, launches);
    if (!shell)
        return shell.error();
    QString reason = shell->unread;
    if (reason.isEmpty() && shell->words.isEmpty() && !line.trimmed().isEmpty())
        reason = tr("The script starts no launcher that Rankdeck reads.");
    const bool hasTable = shell->variables.contains(QStringLiteral("RANK_TABLE_FILE"));
    if (reason.isEmpty() && shell->turns > 0 && !hasTable)
        reason = problemWithTurns(*shell);
    if (!reason.isEmpty())
        return wrapped({QStringLiteral("bash"), QStringLiteral("-c"), line.trimmed()}, {}, {reason});
    auto imported = importShellLaunch(*shell, environment);
    if (!imported)
        return imported;
    if (shell->hasLiterals && !imported->isWrapped && optionsHaveVariable(imported->spec))
        return Error{tr("an option has a variable that is not set here"),
                     line.trimmed().left(60).simplified(),
                     tr("Write its value in its place, or set it before Rankdeck is started.")};
    if (imported->isWrapped && (!shell->sourced.isEmpty() || !shell->notes.isEmpty())) {
        // Then nothing of the script is lost.
        imported->spec = wrapDefaults();
        imported->spec.command = {QStringLiteral("bash"), QStringLiteral("-c"), line.trimmed()};
        return imported;
    }
    if (!shell->sourced.isEmpty()) {
        const QString joint = shell->needsSources ? QStringLiteral(" && ") : QStringLiteral("; ");
        const QString text = shell->sourced.join(joint) + joint + QStringLiteral("exec \"$@\"");
        imported->spec.common.wrappers
            << QStringLiteral("all:") + joinCommandLine({QStringLiteral("bash"), QStringLiteral("--norc"),
                                                         QStringLiteral("-c"), text, QStringLiteral("bash")});
        imported->notes
            << tr("\"%1\" is carried out before each rank, by --wrap. A variable that it sets wins "
                  "over Rankdeck's.")
                   .arg(shell->sourced.join(joint));
    }
    if (!shell->workDir.isEmpty() && imported->spec.workDir == LaunchSpec().workDir)
        imported->spec.workDir = shell->workDir;
    if (!shell->condaEnv.isEmpty())
        imported->spec.common.condaEnv = shell->condaEnv;
    imported->spec.common.unsetVariables << shell->unset;
    if (!shell->forShell.isEmpty())
        imported->notes << tr("\"%1\" is omitted: it is for a shell.").arg(shell->forShell);
    imported->notes << shell->notes;
    if (shell->hasLiterals)
        imported->notes << tr("$, ~ and * are passed on literally: no shell expands them.");
    return imported;
}

} // namespace rankdeck
