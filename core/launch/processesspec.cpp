#include "launch/processesspec.h"

#include "json.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("processesSpec", text);
}

using Json = nlohmann::json;

/// An argument as start_processes makes it text, which is as Python does.
Json asPythonText(const Json &argument)
{
    if (argument.is_boolean())
        return argument.get<bool>() ? "True" : "False";
    return argument.is_number() ? Json(argument.dump()) : argument;
}

/// start_processes' arguments as a LaunchSpec's keys.
/// Error: keys of a LaunchSpec that say the same beside them.
std::optional<Error> takeFlatForm(Json &json)
{
    for (const char *other : {"command", "processes"}) {
        if (json.contains(other))
            return Error{tr("\"%1\" does not go with \"entrypoint\"").arg(QLatin1String(other)),
                         QLatin1String(other),
                         tr("Write entrypoint, args, envs, redirects and tee, or command and processes.")};
    }
    Json entrypoint = json["entrypoint"];
    json.erase("entrypoint");
    json["command"] = entrypoint.is_string() ? Json::array({entrypoint}) : entrypoint;
    Json processes = Json::object();
    for (const char *key : {"args", "envs", "redirects", "tee"}) {
        if (!json.contains(key))
            continue;
        processes[key] = json[key];
        json.erase(key);
    }
    if (processes.contains("args") && processes["args"].is_object()) {
        for (Json &arguments : processes["args"]) {
            if (!arguments.is_array())
                continue;
            for (Json &argument : arguments)
                argument = asPythonText(argument);
        }
    }
    json["processes"] = std::move(processes);
    return std::nullopt;
}

/// Where something is wrong, in the words of the flat form.
QString flatKey(const QString &key)
{
    if (key == QLatin1String("command"))
        return QStringLiteral("entrypoint");
    const QLatin1String group("processes.");
    return key.startsWith(group) ? key.mid(group.size()) : key;
}

} // namespace

LaunchSpec processesDefaults()
{
    LaunchSpec spec;
    spec.launcher = QStringLiteral("processes");
    spec.logDir.clear();
    spec.graceSeconds = 30;
    return spec;
}

Result<LaunchSpec> processesSpecFromJson(const QByteArray &text)
{
    auto json = parseJson(text);
    if (!json)
        return Error{tr("this is not JSON"), {}, {}};
    const bool isFlat = json->is_object() && json->contains("entrypoint");
    if (isFlat) {
        if (const auto error = takeFlatForm(*json))
            return *error;
    }
    if (json->is_object()) {
        const LaunchSpec defaults = processesDefaults();
        const auto setUnlessSet = [&](const char *key, nlohmann::json value) {
            if (!json->contains(key))
                (*json)[key] = std::move(value);
        };
        setUnlessSet("launcher", defaults.launcher);
        setUnlessSet("log_dir", defaults.logDir);
        setUnlessSet("grace", defaults.graceSeconds);
    }
    auto spec = launchSpecFromJson(*json);
    if (!spec && isFlat)
        return Error{spec.error().what, flatKey(spec.error().where), spec.error().mend};
    if (spec && spec->launcher != QLatin1String("processes"))
        return Error{tr("this launch is for the launcher \"%1\"").arg(spec->launcher),
                     QStringLiteral("launcher"), tr("Write \"processes\", or leave it out.")};
    return spec;
}

} // namespace rankdeck
