#include "base/json.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"

namespace rankdeck
{

static nlohmann::json toJson(const OptionSection &section)
{
    nlohmann::json json{{"title", section.title}, {"options", nlohmann::json::array()}};
    for (const CommandOption &option : section.options)
        json["options"].push_back({{"names", option.names()},
                                   {"value", option.value},
                                   {"help", option.help},
                                   {"default", option.usual},
                                   {"is_repeatable", option.isRepeatable}});
    return json;
}

static nlohmann::json toJson(const Command &command)
{
    nlohmann::json json{{"name", command.name},
                        {"arguments", command.arguments},
                        {"summary", command.summary},
                        {"description", command.description},
                        {"examples", command.examples},
                        {"launcher", command.launcher},
                        {"sections", nlohmann::json::array()},
                        {"exit_codes", nlohmann::json::array()}};
    for (const OptionSection &section : command.allSections()) {
        if (!section.title.isEmpty())
            json["sections"].push_back(toJson(section));
    }
    for (const ExitCode &code : command.allExitCodes())
        json["exit_codes"].push_back({{"code", code.code}, {"meaning", code.meaning}});
    return json;
}

int tableCommand(const Options &)
{
    nlohmann::json groups = nlohmann::json::array();
    for (const CommandGroup &group : commandGroups()) {
        if (group.title.isEmpty())
            continue;
        nlohmann::json commands = nlohmann::json::array();
        for (const Command &command : group.commands)
            commands.push_back(toJson(command));
        groups.push_back({{"title", group.title}, {"commands", commands}});
    }
    printJson({{"groups", groups}});
    return 0;
}

} // namespace rankdeck
