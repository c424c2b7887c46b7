#include "demo/demolaunch.h"
#include "launch/options/launchers.h"
#include "launch/options/launchprofile.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"
#include "run/record/attachedtool.h"
#include "run/record/runcatalog.h"
#include "run/record/runrequests.h"
#include "windowoptions/windowoptions.h"

namespace rankdeck
{

namespace
{

const QString filesToo = u":files"_s;

QStringList runWords()
{
    return QStringList{u"last"_s} + listOf(RunSummaries().read(), &RunSummary::name);
}

/// Returns the ranks and nodes of the run that one of the words names, else of the newest.
QStringList processWords(const QStringList &words, bool areNodes)
{
    Result<QString> directory = Error{};
    for (const QString &word : words) {
        if (directory = findRun(word); directory)
            break;
    }
    const QList<RunSummary> runs = directory ? QList<RunSummary>() : RunSummaries().read();
    if (!runs.isEmpty())
        directory = runs.first().directory;
    const auto record = directory ? readRunRecord(*directory) : Result<RunRecord>(Error{});
    if (!record)
        return {};
    QStringList found;
    for (const ProcessPlan &process : record->plan.processes) {
        if (areNodes)
            found << process.node;
        else if (process.role == Role::Worker)
            found << QString::number(process.rank.value);
    }
    if (!areNodes)
        found << u"all"_s;
    found.removeDuplicates();
    return found;
}

QStringList demoWords()
{
    QStringList words = listOf(demos(), &DemoEntry::word);
    words.sort();
    return words;
}

/// Returns what may stand for a placeholder of the table, "RUN" or "[RUN|PATH]".
QStringList wordsFor(const QString &placeholder, const QStringList &before)
{
    static const QMap<QString, const char *> known{
        {u"STATE"_s, "live ended starting running stopping succeeded failed stopped lost"},
        {u"LEVEL"_s, "debug info warning error critical"},
        {u"WHEN"_s, "auto always never"},
        {u"TRANSPORT"_s, "auto local ssh slurm docker: podman: kubectl: ssh:"},
        {u"SOURCE"_s, "npu-smi dcmi"},
        {u"LANGUAGE"_s, "auto en zh"},
        {u"KIND"_s, "bitmaps glyphs raster"},
        {u"PLACE"_s, "end failure stall"},
        {u"forever"_s, "forever"},
        {u"True"_s, "True"},
        {u"False"_s, "False"},
    };
    static const QStringList numbers{u"N"_s, u"SECONDS"_s, u"DAYS"_s};
    QString names = placeholder;
    names.remove('['_L1).remove(']'_L1).remove(u'…').remove(','_L1);
    QStringList words;
    for (const QString &name : names.split('|'_L1)) {
        if (known.contains(name))
            words << QString::fromLatin1(known[name]).split(' '_L1);
        else if (name == "RUN"_L1)
            words << runWords();
        else if (name == "RANKS"_L1 || name == "RANK"_L1)
            words << processWords(before, false);
        else if (name == "NODE"_L1)
            words << processWords(before, true);
        else if (name == "PROFILE"_L1)
            words << profileNames();
        else if (name == "SIGNAL"_L1)
            words << listOf(sendableSignals(), [](int number) {
                return ExitStatus::signalName(number).mid(3); // Without SIG.
            });
        else if (name == "TOOL"_L1)
            words << listOf(toolKinds(), &ToolKind::name);
        else if (name == "DEMO"_L1)
            words << demoWords();
        else if (name == "LAUNCHER"_L1)
            words << launcherWords() << u"run"_s;
        else if (!numbers.contains(name))
            words << filesToo;
    }
    return words;
}

/// Returns the next words of commands that begin with `words`.
QStringList commandWords(const QStringList &words)
{
    QStringList next;
    for (const QString &name : commandNames()) {
        const QStringList parts = name.split(' '_L1);
        if (parts.mid(0, words.size()) == words && parts.size() > words.size())
            next << parts[words.size()];
    }
    if (words.isEmpty())
        next << u"help"_s << u"--help"_s << u"--lang"_s << u"--version"_s;
    next.removeDuplicates();
    return next;
}

/// What was given to a command so far.
struct Given {
    QStringList positional;
    const CommandOption *open = nullptr; ///< An option whose value comes next.
    bool isOver = false;                 ///< No option may follow.
};

Given givenTo(const Command &command, const std::vector<CommandOption> &options, const QStringList &words)
{
    Given given;
    for (const QString &word : words) {
        if (std::exchange(given.open, nullptr))
            continue;
        if (word == "--"_L1) {
            given.isOver = true;
        } else if (!given.isOver && word.startsWith('-'_L1)) {
            const CommandOption *option = optionNamed(options, word);
            const bool takesNext = option && !option->value.isEmpty() && !option->value.startsWith('['_L1);
            given.open = takesNext ? option : nullptr;
        } else {
            given.positional << word;
            given.isOver = given.isOver || command.words == ArgumentStyle::AsTheyAre;
        }
    }
    return given;
}

QStringList candidates(const QStringList &before, const QString &word);

QStringList candidates(const QStringList &before, const QString &word)
{
    if (before.value(0) == "help"_L1)
        return commandWords(before.mid(1));
    const Command *command = findCommand(before);
    if (!command || command->summary.isEmpty())
        return commandWords(before);
    const QStringList given = before.mid(command->name.count(' '_L1) + 1);
    const std::vector<CommandOption> options = command->allOptions();
    const Given so = givenTo(*command, options, given);
    if (so.open)
        return wordsFor(so.open->value, so.positional);
    if (command->words == ArgumentStyle::CommandLine) {
        const qsizetype place = command->arguments.split(' '_L1).indexOf(u"LAUNCHER…"_s);
        if (place >= 0 && so.positional.size() > place) {
            const qsizetype launcher = given.indexOf(so.positional[place]);
            return candidates(given.mid(launcher), word) +
                   (word.startsWith('-'_L1) ? QStringList{u"--json"_s} : QStringList());
        }
    }
    if (word.startsWith('-'_L1) && !so.isOver)
        return QStringList{u"--help"_s} + listOf(options, &CommandOption::longName);
    if (command->name == "run"_L1 && so.positional.isEmpty())
        return given.contains(u"--again"_s) ? runWords() : profileNames() + QStringList{u"--again"_s};
    if (command->words == ArgumentStyle::AsTheyAre)
        return {filesToo};
    const QStringList patterns = command->arguments.split(' '_L1, Qt::SkipEmptyParts);
    if (patterns.isEmpty())
        return {};
    const qsizetype place = std::min(so.positional.size(), patterns.size() - 1);
    if (so.positional.size() >= patterns.size() && !patterns.last().contains(u'…'))
        return {};
    QStringList words = wordsFor(patterns[place], so.positional);
    // What may be left out may be followed at once.
    for (qsizetype next = place; next + 1 < patterns.size() && patterns[next].startsWith('['_L1); ++next)
        words << wordsFor(patterns[next + 1], so.positional);
    return words;
}

/// Returns what may follow a launcher's name in a command line of the window's program, which takes the
/// launcher's own options alone.
QStringList candidatesOfWindowLaunch(const QStringList &words, const QString &word)
{
    QStringList found = candidates(words, word);
    for (const CommandOption &option : findCommand(words.mid(0, 1))->options())
        found.removeAll(option.longName());
    found.removeAll(u"--help"_s);
    return found;
}

/// Does for the window's program what candidates() does for this one.
QStringList windowCandidates(const QStringList &before, const QString &word)
{
    const QStringList launchers = launcherWords();
    const std::vector<CommandOption> options = windowOptions();
    const CommandOption *last = nullptr;
    for (qsizetype at = 0; at < before.size(); ++at) {
        const bool isValue = last && !last->value.isEmpty();
        if (!isValue && launchers.contains(before[at]))
            return candidatesOfWindowLaunch(before.mid(at), word);
        last = isValue ? nullptr : optionNamed(options, before[at]);
    }
    const QStringList words = last ? wordsFor(last->value, {}) : QStringList();
    if (last && !last->value.isEmpty() && !last->value.startsWith('['_L1))
        return words;
    return words + (word.startsWith('-'_L1) ? listOf(options, &CommandOption::longName)
                                            : launchers + QStringList{filesToo});
}

} // namespace

int completeCommand(const Options &options)
{
    const int index = options.positional.value(0).toInt();
    QStringList before = options.positional.mid(2, std::max(index - 1, 0));
    QString word = options.positional.value(index + 1);
    // bash takes "--option=value" apart into three words.
    if (word == "="_L1)
        word.clear();
    else if (before.value(before.size() - 1) == "="_L1)
        before.removeLast();
    before.removeAll(u"="_s);
    QString prefix;
    if (const auto equals = word.indexOf('='_L1); word.startsWith("--"_L1) && equals > 0) {
        prefix = word.left(equals + 1);
        before << word.left(equals);
        word = word.mid(equals + 1);
    }
    const bool isWindow = options.positional.value(1).section('/'_L1, -1) == "rankdeck"_L1;
    const bool isLanguage = !isWindow && before == QStringList{u"--lang"_s};
    if (!isWindow && before.value(0) == "--lang"_L1)
        before.remove(0, std::min<qsizetype>(2, before.size()));
    const QStringList found = isWindow     ? windowCandidates(before, word)
                              : isLanguage ? wordsFor(u"LANGUAGE"_s, {})
                                           : candidates(before, word);
    for (const QString &candidate : found) {
        if (candidate == filesToo || candidate.startsWith(word))
            print(candidate == filesToo ? candidate : visibleText(prefix + candidate));
    }
    return 0;
}

} // namespace rankdeck
