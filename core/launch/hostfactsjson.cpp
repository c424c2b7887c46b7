// The JSON of HostFacts, both ways.

#include "json.h"
#include "launch/hostfacts.h"

#include <QCoreApplication>

namespace rankdeck
{

using Json = nlohmann::json;

Json toJson(const HostFacts &facts)
{
    Json routes = Json::object();
    for (auto it = facts.routes.begin(); it != facts.routes.end(); ++it)
        routes[it.key().toStdString()] = Json{{"address", it->address}, {"source", it->source}};
    Json environments = Json::array();
    for (const CondaEnvironment &conda : facts.condaEnvironments)
        environments.push_back(
            Json{{"name", conda.name}, {"directory", conda.directory}, {"programs", conda.programs}});
    return Json{{"host", facts.hostName},
                {"directory", facts.currentDirectory},
                {"temporary", facts.temporaryDirectory},
                {"driver", facts.driverVersion},
                {"slogd", facts.slogdPath},
                {"stop_script", facts.stopScriptPath},
                {"platform_home", facts.platformHomeIsWritable},
                {"addresses", facts.addresses},
                {"cpus", facts.cpus},
                {"routes", std::move(routes)},
                {"conda", std::move(environments)},
                {"npus", facts.npuCount},
                {"reached_at", facts.reachedAt}};
}

Result<HostFacts> hostFactsFromJson(const Json &json)
{
    HostFacts facts;
    try {
        json.at("host").get_to(facts.hostName);
        json.at("directory").get_to(facts.currentDirectory);
        json.at("temporary").get_to(facts.temporaryDirectory);
        json.at("driver").get_to(facts.driverVersion);
        json.at("slogd").get_to(facts.slogdPath);
        json.at("stop_script").get_to(facts.stopScriptPath);
        json.at("platform_home").get_to(facts.platformHomeIsWritable);
        json.at("addresses").get_to(facts.addresses);
        json.at("cpus").get_to(facts.cpus);
        for (const auto &[host, route] : json.at("routes").get_ref<const Json::object_t &>())
            facts.routes.insert(QString::fromStdString(host),
                                {route.at("address").get<QString>(), route.at("source").get<QString>()});
        for (const Json &conda : json.at("conda"))
            facts.condaEnvironments << CondaEnvironment{conda.at("name").get<QString>(),
                                                        conda.at("directory").get<QString>(),
                                                        conda.at("programs").get<QStringList>()};
        json.at("npus").get_to(facts.npuCount);
        json.at("reached_at").get_to(facts.reachedAt);
    } catch (const Json::exception &error) {
        return Error{
            QCoreApplication::translate("HostFacts", "what a node tells of itself cannot be read: %1")
                .arg(QString::fromUtf8(error.what())),
            {},
            {}};
    }
    return facts;
}

} // namespace rankdeck
