#include "launch/platformchannels.h"

#include "json.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <optional>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("platformChannels", text);
}

struct ChannelVariable {
    const char *variable;
    const char *key;     ///< Of the list of channels in the variable.
    const char *channel; ///< The one that ranks know.
};
constexpr std::array channelVariables{ChannelVariable{"MA_INPUTS", "inputs", "data_url"},
                                      ChannelVariable{"MA_OUTPUTS", "outputs", "train_url"}};

/// The address as the first form has it: "s3://bucket/x" as "/bucket/x".
std::string withoutScheme(const std::string &address)
{
    const std::string scheme = "s3:/";
    return address.starts_with(scheme) ? address.substr(scheme.size()) : address;
}

/// Where the channel's data is; of the kinds of source the first form knows two.
Json firstFormSource(const Json &remote)
{
    for (const char *kind : {"datasets", "obs"}) {
        if (remote.contains(kind))
            return {{kind, {{"obs_url", withoutScheme(remote[kind].at("obs_url").get<std::string>())}}}};
    }
    return {{"", {{"obs_url", ""}}}};
}

/// Nothing when `json` does not name the channel. Throws Json::exception.
std::optional<Json> firstForm(const Json &json, const ChannelVariable &wanted)
{
    if (!json.contains(wanted.key))
        return std::nullopt;
    for (const Json &channel : json[wanted.key]) {
        if (!channel.contains("name") || channel["name"] != wanted.channel)
            continue;
        Json converted;
        converted["parameter"]["label"] = wanted.channel;
        converted["parameter"]["value"] = channel.at("local_dir").get<std::string>();
        converted["data_source"] = firstFormSource(channel.at("remote"));
        return Json{{wanted.key, Json::array({converted})}};
    }
    return std::nullopt;
}

Error unusable(const QString &what, const ChannelVariable &variable)
{
    const QString name = QString::fromLatin1(variable.variable);
    return {what, name,
            tr("Mend it, or leave it out with --unset-env %1; a channel is %2.")
                .arg(name, QStringLiteral(R"({"%1": [{"name": "%2", "local_dir": "…", )"
                                          R"("remote": {"obs": {"obs_url": "…"}}}]})")
                               .arg(QLatin1String(variable.key), QLatin1String(variable.channel)))};
}

} // namespace

Result<PlatformChannels> platformChannels(const QProcessEnvironment &environment)
{
    PlatformChannels channels;
    for (const ChannelVariable &wanted : channelVariables) {
        const QString name = QString::fromLatin1(wanted.variable);
        const QString value = environment.value(name);
        if (value.isEmpty())
            continue;
        const auto json = parseJson(value.toUtf8());
        if (!json || !json->is_object())
            return unusable(tr("this is no JSON object"), wanted);
        try {
            if (const auto converted = firstForm(*json, wanted))
                channels.set.insert(name, QString::fromUtf8(jsonText(*converted)));
            else
                channels.remove << name;
        } catch (const Json::exception &) {
            return unusable(tr("%1 has no directory or no address").arg(QLatin1String(wanted.channel)),
                            wanted);
        }
    }
    return channels;
}

} // namespace rankdeck
