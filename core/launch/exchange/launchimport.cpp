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
#include <array>

namespace rankdeck
{

namespace
{

/// A program that only starts the next one, and where its own words end.
struct Starter {
    enum class Kind { Omitted, BeforeRank, BeforeCommand };
    const char *name;
    const char *subcommand;
    const char *valueOptions; ///< Those whose value is a word of its own.
    int operands;
    Kind kind;
};

constexpr std::array starters{
    Starter{"env", "", "-u --unset", 0, Starter::Kind::Omitted},
    Starter{"nohup", "", "", 0, Starter::Kind::Omitted},
    Starter{"time", "", "-o --output -f --format", 0, Starter::Kind::Omitted},
    Starter{"exec", "", "-a", 0, Starter::Kind::Omitted},
    Starter{"setsid", "", "", 0, Starter::Kind::Omitted},
    Starter{"taskset", "", "", 1, Starter::Kind::BeforeRank},
    Starter{"numactl", "",
            "-i --interleave -m --membind -N --cpunodebind -C --physcpubind -p --preferred -P "
            "--preferred-many -w --weighted-interleave",
            0, Starter::Kind::BeforeRank},
    Starter{"conda", "run", "-n --name -p --prefix --cwd", 0, Starter::Kind::BeforeCommand},
    Starter{
        "uv", "run",
        "-p --python --with --with-editable --with-requirements --project --directory --package --extra "
        "--group --only-group --env-file --index --index-url --extra-index-url --find-links --config-file",
        0, Starter::Kind::BeforeCommand},
};

bool isAssignment(const QString &word)
{
    static const QRegularExpression assignment(u"^[A-Za-z_][A-Za-z0-9_]*="_s);
    return assignment.match(word).hasMatch();
}

/// What stands in front of a command and is not it.
struct Front {
    QMap<QString, QString> variables;
    QStringList unset;
    QStringList beforeRank;    ///< taskset, numactl.
    QStringList beforeCommand; ///< conda run, uv run.
    QStringList omitted;       ///< nohup, time and the like.
};

/// Takes NAME=VALUE words and starters off the front. Stops at a starter whose options it does not know.
Front takeFront(QStringList &words)
{
    Front front;
    bool mayAssign = true;
    while (!words.isEmpty()) {
        if (mayAssign && isAssignment(words.first())) {
            const QString word = words.takeFirst();
            front.variables.insert(word.section('='_L1, 0, 0), word.section('='_L1, 1));
            continue;
        }
        const QString program = QFileInfo(words.first()).fileName();
        const auto *const starter = std::ranges::find_if(starters, [&](const Starter &some) {
            return program == QLatin1String(some.name) &&
                   (*some.subcommand == '\0' || words.value(1) == QLatin1String(some.subcommand));
        });
        if (starter == starters.end())
            break;
        const bool isEnv = program == "env"_L1;
        const QStringList withValue = namesIn(starter->valueOptions);
        qsizetype end = *starter->subcommand == '\0' ? 1 : 2;
        QStringList unset;
        for (; words.value(end).startsWith('-'_L1); ++end) {
            const bool hasValue = withValue.contains(words[end]);
            if (isEnv && !hasValue)
                return front;
            if (words[end] == "--"_L1) {
                ++end;
                break;
            }
            end += hasValue ? 1 : 0;
            if (isEnv)
                unset << words.value(end);
        }
        end += starter->operands;
        if (end >= words.size())
            break;
        front.unset << unset;
        mayAssign = isEnv || program == "time"_L1;
        if (starter->kind == Starter::Kind::BeforeRank)
            front.beforeRank << words.mid(0, end);
        else if (starter->kind == Starter::Kind::BeforeCommand)
            front.beforeCommand << words.mid(0, end);
        else if (!isEnv)
            front.omitted << program;
        words.remove(0, end);
    }
    return front;
}

bool isPython(const QString &word)
{
    static const QRegularExpression python(u"^python(3(\\.\\d+)?)?$"_s);
    return python.match(QFileInfo(word).fileName()).hasMatch();
}

bool isOwnProgram(const QString &program)
{
    const QString name = QFileInfo(program).fileName();
    return name == "rankdeckctl"_L1 || name == "rankdeck"_L1;
}

/// The launcher of a command line; null: none that is known.
struct NamedLauncher {
    const Launcher *launcher = nullptr;
    QString name = {}; ///< As the command line names it.
};

/// Returns the launcher whose `words`, a column of the table, have the word.
NamedLauncher launcherWith(const char *Launcher::*words, const QString &word)
{
    for (const Launcher &launcher : launchers()) {
        const auto at = namesIn(launcher.*words).indexOf(word);
        if (at >= 0 && !word.isEmpty())
            return {&launcher,
                    at > 0 && words == &Launcher::modules ? word : QString::fromLatin1(launcher.name)};
    }
    return {};
}

/// The launcher's own words are taken off the front.
NamedLauncher takeLauncher(QStringList &words)
{
    const QString program = QFileInfo(words.value(0)).fileName();
    if (isPython(program)) {
        const QString script = QFileInfo(words.value(1)).fileName();
        const auto module = words.indexOf(u"-m"_s);
        const bool isScript = script.endsWith(".py"_L1);
        const NamedLauncher byScript = isScript ? launcherWith(&Launcher::programs, script) : NamedLauncher();
        const NamedLauncher named = byScript.launcher || module <= 0
                                        ? byScript
                                        : launcherWith(&Launcher::modules, words.value(module + 1));
        if (named.launcher)
            words = words.mid(byScript.launcher ? 2 : module + 2);
        return named;
    }
    if (isOwnProgram(program)) {
        const QString name = words.value(1);
        words = words.mid(2);
        return {findLauncher(name), name};
    }
    words = words.mid(1);
    return launcherWith(&Launcher::programs, program);
}

bool isReadLauncher(QStringList words)
{
    return takeLauncher(words).launcher;
}

/// Takes "srun" and its options off a line whose next word is a launcher that is read. Returns false if it
/// is not such a line.
bool takeSrun(QStringList &words)
{
    if (QFileInfo(words.value(0)).fileName() != "srun"_L1)
        return false;
    // An option without "=" may have a value, so a word behind one need not be the program.
    for (qsizetype at = 1; at < words.size(); ++at) {
        if (words[at].startsWith('-'_L1))
            continue;
        if (isReadLauncher(words.mid(at))) {
            words.remove(0, at);
            return true;
        }
        if (!words[at - 1].startsWith('-'_L1) || words[at - 1].contains('='_L1))
            return false;
    }
    return false;
}

/// Returns the launch that has `words` start the ranks themselves.
/// @param reasons why they are not read, a sentence each.
ImportedLaunch wrapped(const QStringList &words, const QStringList &reasons)
{
    ImportedLaunch imported;
    imported.spec = wrapDefaults();
    imported.spec.command = words;
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
            return word == error->where || word.startsWith(error->where + '='_L1);
        });
        if (at == words.end())
            break;
        sentences << tr("%1: Rankdeck knows no such option of %2.").arg(error->where, launcher);
        const auto value = std::next(at);
        const bool hasValue = *at == error->where && value != words.end() &&
                              std::next(value) != words.end() && !value->startsWith('-'_L1) &&
                              !value->endsWith(".py"_L1);
        words.erase(at, hasValue ? std::next(value) : value);
    }
    return sentences;
}

} // namespace

/// Reads a line whose launcher is known. `words` are those behind it.
static Result<ImportedLaunch> importKnown(const QString &program, const NamedLauncher &launcher,
                                          const QStringList &words, QMap<QString, QString> &variables,
                                          const QProcessEnvironment &environment)
{
    if (launcher.launcher->spelling) { // torchrun.
        QProcessEnvironment all = environment;
        for (auto it = variables.begin(); it != variables.end(); ++it)
            all.insert(it.key(), it.value());
        const TorchrunVariables own = torchrunVariables(all);
        for (const QString &name : own.names)
            variables.remove(name);
        return importTorchrun(words, launcher.name != QLatin1String(launcher.launcher->name), own,
                              nodeInSlurm(environment, 0),
                              {isOwnProgram(program) ? torchrunCommandLine().common : LaunchOptions(), {}});
    }
    const auto spec = launcherCommandLine(launcher.name)->parse(words);
    if (!spec)
        return spec.error();
    if (const auto error = problemWithScript(spec->command))
        return *error;
    return ImportedLaunch{*spec, {}};
}

namespace
{

/// A command as a launch, or why it is not read.
struct Reading {
    std::optional<ImportedLaunch> launch;
    QStringList reasons; ///< A sentence each.

    static Reading unread(const QString &reason) { return {std::nullopt, {reason}}; }
};

/// Puts the programs that started the launcher before what it starts.
void putBefore(LaunchSpec &spec, const Front &front)
{
    QStringList beforeRank = front.beforeRank;
    QStringList beforeCommand = front.beforeCommand;
    const FrontRule rule = findLauncher(spec.launcher)->frontRule;
    if (rule == FrontRule::BeforeCommand)
        beforeCommand = std::exchange(beforeRank, {}) + beforeCommand;
    else if (rule == FrontRule::BeforeRank)
        beforeRank << std::exchange(beforeCommand, {});
    spec.command = beforeCommand + spec.command;
    if (!beforeRank.isEmpty())
        spec.common.wrappers << u"all:"_s + joinCommandLine(beforeRank);
}

Reading readCommand(const QStringList &commandLine, const QProcessEnvironment &environment)
{
    QStringList words = commandLine;
    const Front front = takeFront(words);
    const bool hasSrun = takeSrun(words);
    const QString program = words.value(0);
    if (QFileInfo(program).fileName() == "sbatch"_L1)
        return Reading::unread(
            Error{tr("sbatch only hands the job over to Slurm"), program,
                  tr("Run it, then watch the job with its number: rankdeckctl adopt slurm:JOBID.")}
                .sentence());
    const auto ofPackage = launcherLineOfPackage(words, front.variables);
    if (!ofPackage)
        return Reading::unread(ofPackage.error().sentence());
    if (*ofPackage && !(*ofPackage)->unread.isEmpty())
        return {std::nullopt, (*ofPackage)->unread};
    QMap<QString, QString> variables = front.variables;
    if (*ofPackage) {
        words = (*ofPackage)->words;
        variables = (*ofPackage)->variables;
    }
    const NamedLauncher launcher = takeLauncher(words);
    if (!launcher.launcher)
        return Reading::unread(tr("%1: this is no launcher that Rankdeck reads.").arg(program));
    auto imported = importKnown(program, launcher, words, variables, environment);
    if (!imported) {
        const QStringList unknown = unknownOptions(words, launcher.name, [&](const QStringList &some) {
            const auto read = importKnown(program, launcher, some, variables, environment);
            return read ? std::nullopt : std::optional(read.error());
        });
        return unknown.isEmpty() ? Reading::unread(imported.error().sentence())
                                 : Reading{std::nullopt, unknown};
    }
    LaunchSpec &spec = imported->spec;
    variables.insert(spec.environment);
    spec.environment = variables;
    if (*ofPackage)
        imported->notes << (*ofPackage)->notes;
    putBefore(spec, front);
    spec.common.unsetVariables << front.unset;
    if (!front.omitted.isEmpty())
        imported->notes << tr("\"%1\" is omitted: it is for a shell.").arg(front.omitted.join(' '_L1));
    if (hasSrun)
        imported->notes << tr("srun is omitted: this starts the ranks of one node. For all nodes of the "
                              "allocation give --transport slurm and no --nnodes.");
    return {*imported, {}};
}

bool launches(const QStringList &commandLine)
{
    QStringList words = commandLine;
    takeFront(words);
    takeSrun(words);
    if (QFileInfo(words.value(0)).fileName() == "sbatch"_L1)
        return true;
    // Some count with these variables alone, which may be exported.
    const auto ofPackage = launcherLineOfPackage(words, {{u"NPROC_PER_NODE"_s, u"1"_s}});
    return !ofPackage || *ofPackage || isReadLauncher(words);
}

/// A loop that starts a rank for each device of a rank table, as davincirun does.
ImportedLaunch importLoop(const ShellLaunch &shell)
{
    ImportedLaunch imported;
    imported.spec.rankTableFile = shell.rankTable;
    imported.spec.command = shell.words;
    const Front front = takeFront(imported.spec.command);
    // In a folder of the rank's own.
    for (QString &word : imported.spec.command) {
        if (word.startsWith("../"_L1))
            word.remove(0, 3);
    }
    imported.spec.environment = shell.variables;
    imported.spec.environment.insert(front.variables);
    putBefore(imported.spec, front);
    imported.notes
        << tr("The loop is read as a launch by the rank table %1, which gives each rank its device.")
               .arg(shell.rankTable);
    return imported;
}

/// Whether an option, not the command, has a variable as its value.
bool optionsHaveVariable(LaunchSpec spec)
{
    spec.command = QStringList{u"command"_s};
    spec.environment.clear();
    return exportCommandLine(spec).contains('$'_L1);
}

/// Has a shell read files before each rank starts, in front of what else starts the rank.
void sourceFirst(LaunchSpec &spec, const QString &text)
{
    const QStringList shell{u"bash"_s, u"--norc"_s, u"-c"_s, text + u"exec \"$@\""_s, u"bash"_s};
    QString wrapper = u"all:"_s + joinCommandLine(shell);
    if (!spec.common.wrappers.isEmpty())
        wrapper += ' '_L1 + spec.common.wrappers.takeFirst().mid(4);
    spec.common.wrappers.prepend(wrapper);
}

} // namespace

Result<ImportedLaunch> importCommandLine(const QString &line, const QProcessEnvironment &environment)
{
    const auto wrapWhole = [&](const QStringList &reasons) {
        return wrapped({u"bash"_s, u"-c"_s, line.trimmed()}, reasons);
    };
    if (line.trimmed().isEmpty())
        return importCommandWords({}, environment);
    const auto shell = readShellScript(line, environment, launches);
    if (!shell)
        return shell.error();
    if (!shell->unread.isEmpty())
        return wrapWhole({shell->unread});
    Reading reading;
    if (shell->rankTable.isEmpty()) {
        QStringList words;
        for (auto its = shell->variables.cbegin(); its != shell->variables.cend(); ++its)
            words << its.key() + '='_L1 + its.value();
        reading = readCommand(words + shell->words, environment);
    } else {
        reading.launch = importLoop(*shell);
    }
    if (!reading.launch)
        return wrapWhole(reading.reasons);
    ImportedLaunch &imported = *reading.launch;
    LaunchSpec &spec = imported.spec;
    if (shell->hasLiterals && optionsHaveVariable(spec))
        return wrapWhole(
            {Error{tr("an option has a variable that is not set here"), line.trimmed().left(60).simplified(),
                   tr("Write its value in its place, or set it before Rankdeck is started.")}
                 .sentence()});
    if (!shell->sourced.isEmpty()) {
        const QString joint = shell->needsSources ? u" && "_s : u"; "_s;
        sourceFirst(spec, shell->sourced.join(joint) + joint);
        imported.notes
            << tr("\"%1\" is carried out before each rank, by --wrap. A variable that it sets wins "
                  "over Rankdeck's.")
                   .arg(shell->sourced.join(joint));
    }
    if (!shell->workDir.isEmpty() && spec.workDir == LaunchSpec().workDir)
        spec.workDir = shell->workDir;
    if (!shell->condaEnv.isEmpty())
        spec.common.condaEnv = shell->condaEnv;
    spec.common.unsetVariables << shell->unset;
    if (!shell->forShell.isEmpty())
        imported.notes << tr("\"%1\" is omitted: it is for a shell.").arg(shell->forShell);
    imported.notes << shell->notes;
    if (shell->hasLiterals)
        imported.notes << tr("$, ~ and * are passed on literally: no shell expands them.");
    return imported;
}

Result<ImportedLaunch> importCommandWords(const QStringList &commandLine,
                                          const QProcessEnvironment &environment)
{
    if (commandLine.isEmpty()) {
        QStringList names;
        for (const Launcher &launcher : launchers()) {
            if (*launcher.programs)
                names << QLatin1String(launcher.name);
        }
        return Error{
            tr("not a command line of %1").arg(anyOf(names)), {}, tr("Begin with the launcher's name.")};
    }
    const Reading reading = readCommand(commandLine, environment);
    if (reading.launch)
        return *reading.launch;
    const bool hasVariables = isAssignment(commandLine.first());
    return wrapped((hasVariables ? QStringList{u"env"_s} : QStringList()) + commandLine, reading.reasons);
}

} // namespace rankdeck
