#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"

namespace rankdeck
{

static JsonText optionJson(const CommandOption &option)
{
    return {{"names", option.names()},
            {"value", option.value},
            {"help", option.help},
            {"default", option.usual},
            {"is_repeatable", option.isRepeatable}};
}

static JsonText commandJson(const Command &command)
{
    QList<JsonText> sections;
    for (const OptionSection &section : command.allSections()) {
        if (!section.title.isEmpty())
            sections << JsonText{{"title", section.title},
                                 {"options", JsonText::list(section.options, optionJson)}};
    }
    return {{"name", command.name},
            {"arguments", command.arguments},
            {"summary", command.summary},
            {"description", command.description},
            {"examples", command.examples},
            {"launcher", command.launcher},
            {"sections", sections},
            {"exit_codes", JsonText::list(command.allExitCodes(), [](const ExitCode &code) {
                 return JsonText{{"code", code.code}, {"meaning", code.meaning}};
             })}};
}

int tableCommand(const Options &)
{
    QList<JsonText> groups;
    for (const CommandGroup &group : commandGroups()) {
        if (!group.title.isEmpty())
            groups << JsonText{{"title", group.title},
                               {"commands", JsonText::list(group.commands, commandJson)}};
    }
    printJson({{"groups", groups}});
    return 0;
}

} // namespace rankdeck
