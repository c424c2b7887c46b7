#include "launch/host/platform.h"

#include "base/json.h"
#include "base/listcomma.h"

#include <QVersionNumber>

#include <array>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;
using Variables = QMap<QString, QString>;

struct ChannelVariable {
    const char *variable;
    const char *key;     ///< Key of the list of channels in the variable.
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
            tr("Fix it, or leave it out with --unset-env %1; a channel is %2.")
                .arg(name, uR"({"%1": [{"name": "%2", "local_dir": "…", )"
                           R"("remote": {"obs": {"obs_url": "…"}}}]})"_s.arg(
                               QLatin1String(variable.key), QLatin1String(variable.channel)))};
}

/// Returns true if Python would take the value for true, as the platform's own reader does.
bool isTrue(const Json &value)
{
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0;
    return value.is_string() ? !value.get_ref<const std::string &>().empty() : !value.empty();
}

/// MindSpore's log goes to files, at this level and above (0 debug … 3 error).
Variables mindsporeLog(const QString &folder, const QString &level)
{
    return {{u"GLOG_v"_s, level},
            {u"GLOG_log_dir"_s, folder},
            {u"GLOG_logtostderr"_s, u"0"_s},
            {u"MS_OM_PATH"_s, folder}};
}

Variables forFaults(const QString &engineVersion, const QString &jobLogDir, const QString &logFolder,
                    Rank rank)
{
    Variables variables{
        {u"PRINT_MODEL"_s, u"1"_s},
        {u"DUMP_GE_GRAPH"_s, u"2"_s},
        {u"DUMP_GRAPH_LEVEL"_s, u"2"_s},
        {u"ASCEND_GLOBAL_LOG_LEVEL"_s, u"1"_s},
        {u"ASCEND_HOST_LOG_FILE_NUM"_s, u"1000"_s},
        {u"NPU_COLLECT_PATH"_s, u"%1/ascend/npu_collect/rank_%2"_s.arg(jobLogDir).arg(rank.value)},
    };
    if (isMindsporeWithRecorder(engineVersion)) {
        variables.insert(mindsporeLog(logFolder, u"1"_s));
        variables.insert(u"MS_RDR_ENABLE"_s, u"1"_s);
        variables.insert(u"MS_RDR_PATH"_s, logFolder);
    }
    return variables;
}

Variables forPerformance(const QString &logFolder)
{
    Variables variables = mindsporeLog(logFolder, u"3"_s);
    variables.insert(u"ASCEND_GLOBAL_LOG_LEVEL"_s, u"3"_s);
    // davincirun's name for it; CANN documents ASCEND_GLOBAL_EVENT_ENABLE, which davincirun leaves alone.
    variables.insert(u"ASCEND_GLOBAL_EVENT_LEVEL"_s, u"0"_s);
    return variables;
}

Variables forModes(const QProcessEnvironment &environment, const QString &jobLogDir, Rank rank)
{
    const QString diagMode = environment.value(u"MA_DIAG_MODE_ENV"_s);
    const QString runMode = environment.value(u"MA_RUN_MODE_ENV"_s);
    const QString logFolder = jobLogDir + u"/mindspore/log"_s;
    if (diagMode == "faults"_L1)
        return forFaults(environment.value(u"MA_ENGINE_VERSION"_s), jobLogDir, logFolder, rank);
    if (diagMode == "accuracy"_L1 || diagMode == "profile"_L1)
        return {{u"MS_DIAGNOSTIC_DATA_PATH"_s, jobLogDir + u"/mindspore/diagnostic_data"_s}};
    if (runMode == "performance"_L1)
        return forPerformance(logFolder);
    return runMode == "normal"_L1 ? mindsporeLog(logFolder, u"1"_s) : Variables();
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
            return unusable(tr("this is not a JSON object"), wanted);
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

Result<PlatformOperator> platformOperator(const QProcessEnvironment &environment)
{
    const QString name = u"MA_ALGORITHM_OPERATOR"_s;
    const QByteArray text = environment.value(name).toUtf8();
    PlatformOperator found;
    if (text.isEmpty())
        return found;
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return Error{tr("this is not a JSON object"), name,
                     tr("Fix it, or leave it out with --unset-env %1.").arg(name)};
    found.hasArchive = json->contains("obs") && (*json)["obs"].contains("obs_url");
    found.isIdeMode = found.hasArchive && json->contains("ide_mode") && isTrue((*json)["ide_mode"]);
    return found;
}

Variables platformDefaults(const QProcessEnvironment &environment, const QString &jobLogDir, Rank rank)
{
    Variables variables = forModes(environment, jobLogDir, rank);
    variables.insert(u"HCCL_CONNECT_TIMEOUT"_s, u"1800"_s);
    variables.insert(u"ASCEND_PROCESS_LOG_PATH"_s,
                     u"%1/ascend/process_log/rank_%2"_s.arg(jobLogDir).arg(rank.value));
    variables.insert(u"PYTHONUNBUFFERED"_s, u"1"_s);
    return variables;
}

QList<Sentence> notesOnModes(const QProcessEnvironment &environment)
{
    QList<Sentence> notes;
    const auto check = [&](const QString &name, const QStringList &modes) {
        const QString value = environment.value(name);
        if (!value.isEmpty() && !modes.contains(value))
            notes << Sentence::tr("%1 is \"%2\", not a valid mode: it has no effect. The modes are %3.")
                         .arg(name, value.left(60), modes.join(nameComma()));
    };
    check(u"MA_DIAG_MODE_ENV"_s, {u"faults"_s, u"accuracy"_s, u"profile"_s});
    check(u"MA_RUN_MODE_ENV"_s, {u"performance"_s, u"normal"_s});
    return notes;
}

bool isMindsporeWithRecorder(const QString &engineVersion)
{
    const QStringList nameAndVersion = engineVersion.section('-'_L1, 0, 0).split('_'_L1);
    return nameAndVersion.first().contains("mindspore"_L1) &&
           QVersionNumber::fromString(nameAndVersion.value(1)) >= QVersionNumber(1, 4);
}

} // namespace rankdeck
