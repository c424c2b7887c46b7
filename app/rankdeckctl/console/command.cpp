#include "rankdeckctl/console/command.h"

#include "launch/exchange/torchrunimport.h"
#include "launch/options/launchers.h"

namespace rankdeck
{

/// Titles of the topics, in their order.
constexpr const char *topicTitles[] = {QT_TR_NOOP("Options of %1"),
                                       QT_TR_NOOP("Logs"),
                                       QT_TR_NOOP("Environment"),
                                       QT_TR_NOOP("Nodes"),
                                       QT_TR_NOOP("Terminal and debugging"),
                                       QT_TR_NOOP("Watching"),
                                       QT_TR_NOOP("Start and end")};

static LaunchCommandLine commandLineOf(const QString &launcher)
{
    if (launcher == "torchrun"_L1)
        return torchrunCommandLine();
    if (const auto line = launcherCommandLine(launcher))
        return *line;
    LaunchCommandLine any;
    any.common = launchOptions(commonRows(), any.defaults);
    return any;
}

static CommandOption rowOf(const LaunchOption &option, const LaunchCommandLine &line)
{
    CommandOption row{option.name, option.valueName, option.help};
    const QStringList others = line.synonym.keys(option.name);
    for (const QString &other : others) {
        if (!other.startsWith("--"_L1))
            row.name = u"%1, %2"_s.arg(other, row.name);
        else
            row.help = tr("%1; also %2").arg(row.help, other);
    }
    return row;
}

std::vector<ExitCode> Command::allExitCodes() const
{
    std::vector<ExitCode> codes = exitCodes;
    const auto add = [&](const QString &number, const QString &meaning) {
        if (std::ranges::find(codes, number, &ExitCode::code) == codes.end())
            codes.push_back({number, meaning});
    };
    add(u"0"_s, tr("success"));
    add(u"2"_s, tr("wrong arguments or input"));
    std::ranges::sort(codes, {}, [](const ExitCode &code) {
        bool isNumber = false;
        const int number = code.code.toInt(&isNumber);
        return isNumber ? number : std::numeric_limits<int>::max(); // N stands last.
    });
    return codes;
}

std::vector<CommandOption> Command::options() const
{
    std::vector<CommandOption> all;
    for (const OptionSection &section : sections)
        all.insert(all.end(), section.options.begin(), section.options.end());
    return all;
}

std::vector<OptionSection> Command::allSections() const
{
    if (launcher.isEmpty())
        return sections;
    const LaunchCommandLine line = commandLineOf(launcher);
    std::vector<OptionSection> all;
    const auto sectionOf = [&](const QString &title) -> OptionSection & {
        const auto found = std::ranges::find(all, title, &OptionSection::title);
        return found == all.end() ? all.emplace_back(OptionSection{title, {}}) : *found;
    };
    for (int topic = 0; topic < int(std::size(topicTitles)); ++topic) {
        const QString title = tr(topicTitles[topic]);
        for (const LaunchOptions *options : {&line.own, &line.common}) {
            for (const LaunchOption &option : *options) {
                if (option.topic == OptionTopic(topic))
                    sectionOf(topic == 0 ? title.arg(launcher) : title)
                        .options.push_back(rowOf(option, line));
            }
        }
    }
    for (const OptionSection &section : sections) {
        for (const CommandOption &option : section.options)
            sectionOf(section.title).options.push_back(option);
    }
    return all;
}

std::vector<CommandOption> Command::allOptions() const
{
    return Command{.name = {}, .arguments = {}, .summary = {}, .sections = allSections()}.options();
}

Result<Options> parseOptions(const Command &command, const QStringList &arguments)
{
    auto options = parseOptions(
        OptionSyntax{u"rankdeckctl "_s + command.name, command.arguments, command.options(), command.words},
        arguments);
    if (options)
        options->command = command.name;
    return options;
}

const Command *findCommand(const QStringList &words)
{
    for (const QString &name : {words.mid(0, 2).join(' '_L1), words.value(0)}) {
        for (const CommandGroup &group : commandGroups()) {
            const auto found = std::ranges::find(group.commands, name, &Command::name);
            if (found != group.commands.end())
                return &*found;
        }
    }
    return nullptr;
}

QStringList commandNames(const QString &word)
{
    QStringList names;
    for (const CommandGroup &group : commandGroups()) {
        for (const Command &command : group.commands) {
            const bool isInFamily = word.isEmpty() || command.name.startsWith(word + ' '_L1);
            if (!group.title.isEmpty() && isInFamily)
                names << command.name;
        }
    }
    return names;
}

QStringList switchNames(const QString &command)
{
    QStringList names;
    for (const CommandOption &option : findCommand({command})->options()) {
        if (option.value.isEmpty())
            names << option.names();
    }
    return names;
}

} // namespace rankdeck
