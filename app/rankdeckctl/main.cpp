#include "agent/channel/headchannel.h"
#include "base/language.h"
#include "base/listcomma.h"
#include "base/nearestword.h"
#include "base/program.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"
#include "run/process/processsettings.h"
#include "run/process/unixsignals.h"
#include "version.h"

#include <cstdio>

namespace rankdeck
{

namespace
{

bool isOneOf(const QString &word, std::initializer_list<const char *> words)
{
    return std::ranges::any_of(words, [&](const char *each) { return word == QLatin1String(each); });
}

/// Fails to find a command, and says which was probably meant.
int refuseCommand(const QString &word, const QString &action)
{
    const QStringList family = commandNames(word);
    if (family.isEmpty()) {
        QStringList names = commandNames();
        for (QString &name : names)
            name = name.section(' '_L1, 0, 0);
        return refuse({tr("unknown command \"%1\"").arg(word),
                       {},
                       u"%1 %2"_s.arg(didYouMean(word, names), tr("See rankdeckctl --help.")).trimmed()});
    }
    QStringList actions = family;
    for (QString &name : actions)
        name = name.section(' '_L1, 1);
    const QString help = tr("Use %1. See rankdeckctl %2 --help.").arg(actions.join(nameComma()), word);
    if (action.isEmpty())
        return refuse({tr("ACTION is missing"), {}, help});
    return refuse({tr("unknown action \"%1 %2\"").arg(word, action), {}, didYouMean(action, actions, help)});
}

/// The general help, that of a family of commands, or a command's.
int printHelp(const QStringList &words)
{
    const Command *command = findCommand(words);
    if (command && !command->summary.isEmpty())
        print(helpOf(*command));
    else if (words.isEmpty() || (words.size() == 1 && !commandNames(words.first()).isEmpty()))
        print(helpOfCommands(words.value(0)));
    else
        return refuseCommand(words.first(), words.value(1));
    return 0;
}

int runCommandLine(const QStringList &words)
{
    const QString first = words.value(0);
    if (words.isEmpty()) {
        say(helpOfCommands());
        return unusableInput;
    }
    if (isOneOf(first, {"--help", "-h", "help"}))
        return printHelp(words.mid(1));
    if (isOneOf(first, {"--version", "-V", "version"})) {
        print(versionLine());
        return 0;
    }
    const Command *command = findCommand(words);
    if (!command && isOneOf(words.value(1), {"--help", "-h"}))
        return printHelp({first});
    if (!command)
        return refuseCommand(first, words.value(1));
    const QStringList arguments = words.mid(command->name.count(' '_L1) + 1);
    const auto end = std::ranges::find(arguments, u"--"_s);
    if (command->words != ArgumentStyle::AsTheyAre && std::find(arguments.begin(), end, u"--json"_s) != end) {
        printErrorsAsJson();
        installTranslations(u"en"_s); // What programs read is in one language.
    }
    const auto options = parseOptions(*command, arguments);
    if (!options)
        return refuse(options.error());
    if (options->asksForHelp)
        return printHelp(words);
    if (options->asksForVersion) {
        print(versionLine());
        return 0;
    }
    return command->run(*options);
}

int runProgram(int argc, char *argv[])
{
    const bool isSupervisor = argc > 1 && qstrcmp(argv[1], "supervise") == 0;
    const bool isAgent = argc > 1 && qstrcmp(argv[1], "agent") == 0;
    if (isSupervisor || isAgent) {
        std::fflush(stdout); // What a preloaded library has printed comes before an agent's first words.
        closeInherited();
    }
    raiseLimits();
    // Forked before Qt exists, so that the guardian process stays small.
    const bool isGuardedAgent = isAgent && argc > 2 && argv[2] == guardedOption;
    std::optional<GuardedProcess> lost;
    if (isSupervisor || isGuardedAgent)
        lost = forkGuarded(argv);
    if (lost && lost->status.isSuccess())
        return 0;
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"rankdeckctl"_s);
    QCoreApplication::setApplicationVersion(versionText());

    const QStringList arguments = QCoreApplication::arguments().mid(1);
    if (lost)
        return isSupervisor ? lostRunCommand(arguments.mid(1), *lost) : lostAgentCommand(*lost);
    // What Rankdeck writes down, on whichever node, stays English, and so does what scripts of ours read.
    if (isSupervisor || isAgent || arguments.value(0).startsWith("__"_L1))
        return runCommandLine(arguments);
    const QString option = u"--lang"_s;
    const bool isAlone = arguments.value(0) == option;
    const bool isJoined = arguments.value(0).startsWith(option + '='_L1);
    const auto language = languageFromWord(isAlone    ? arguments.value(1)
                                           : isJoined ? arguments[0].section('='_L1, 1)
                                                      : QString());
    if (!language)
        return refuse(language.error());
    installTranslations(*language);
    return runCommandLine(arguments.mid(isAlone ? 2 : isJoined ? 1 : 0));
}

} // namespace

} // namespace rankdeck

int main(int argc, char *argv[])
{
    rankdeck::leaveLauncher(argv);
    rankdeck::dropForeignHandlers();
    return rankdeck::codeWithOutput(rankdeck::runProgram(argc, argv));
}
