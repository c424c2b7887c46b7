#include "launch/launchspec.h"

#include "json.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

/// Every field once, for both directions.
template <typename Spec, typename Visitor>
void visit(Spec &spec, Visitor &&field)
{
    field("launcher", spec.launcher);
    field("name", spec.name);
    field("command", spec.command);
    field("work_dir", spec.workDir);
    field("log_dir", spec.logDir);
    field("rank_table", spec.rankTableFile);
    field("converted_rank_table", spec.convertedRankTable);
    field("wait", spec.rankTableWaitSeconds);
    field("random_cache_dir", spec.randomCacheDir);
    field("destroy_when_finished", spec.destroyWhenFinished);
    field("raise_on_failure", spec.raiseOnFailure);
    field("grace", spec.graceSeconds);
    field("environment", spec.environment);
}

} // namespace

Json toJson(const LaunchSpec &spec)
{
    Json json = Json::object();
    visit(spec, [&](const char *key, const auto &value) { json[key] = value; });
    return json;
}

Result<LaunchSpec> launchSpecFromJson(const Json &json)
{
    const auto tr = [](const char *text) {
        return QCoreApplication::translate("LaunchSpec", text);
    };
    if (!json.is_object())
        return Error{tr("a launch is a JSON object"), {}, {}};
    LaunchSpec spec;
    Json rest = json;
    QString wrong;
    visit(spec, [&](const char *key, auto &value) {
        const auto found = rest.find(key);
        if (found == rest.end())
            return;
        try {
            found->get_to(value);
        } catch (const Json::exception &) {
            wrong = QLatin1String(key);
        }
        rest.erase(found);
    });
    if (!wrong.isEmpty())
        return Error{tr("this option has a value of the wrong type"), wrong, {}};
    if (!rest.empty())
        return Error{tr("there is no such option"), QString::fromStdString(rest.begin().key()), {}};
    return spec;
}

} // namespace rankdeck
