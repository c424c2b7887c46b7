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
                .arg(name, QStringLiteral(R"({"%1": [{"name": "%2", "local_dir": "…", )"
                                          R"("remote": {"obs": {"obs_url": "…"}}}]})")
                               .arg(QLatin1String(variable.key), QLatin1String(variable.channel)))};
}

/// Returns true if Python would take the value for true, as the platform's own reader does.
bool isTrue(const Json &value)
{
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0;
    if (value.is_string())
        return !value.get_ref<const std::string &>().empty();
    return !value.empty();
}

/// MindSpore's log goes to files, at this level and above (0 debug … 3 error).
Variables mindsporeLog(const QString &folder, const QString &level)
{
    return {{QStringLiteral("GLOG_v"), level},
            {QStringLiteral("GLOG_log_dir"), folder},
            {QStringLiteral("GLOG_logtostderr"), QStringLiteral("0")},
            {QStringLiteral("MS_OM_PATH"), folder}};
}

Variables forFaults(const QString &engineVersion, const QString &jobLogDir, const QString &logFolder,
                    Rank rank)
{
    Variables variables{
        {QStringLiteral("PRINT_MODEL"), QStringLiteral("1")},
        {QStringLiteral("DUMP_GE_GRAPH"), QStringLiteral("2")},
        {QStringLiteral("DUMP_GRAPH_LEVEL"), QStringLiteral("2")},
        {QStringLiteral("ASCEND_GLOBAL_LOG_LEVEL"), QStringLiteral("1")},
        {QStringLiteral("ASCEND_HOST_LOG_FILE_NUM"), QStringLiteral("1000")},
        {QStringLiteral("NPU_COLLECT_PATH"),
         QStringLiteral("%1/ascend/npu_collect/rank_%2").arg(jobLogDir).arg(rank.value)},
    };
    if (isMindsporeWithRecorder(engineVersion)) {
        variables.insert(mindsporeLog(logFolder, QStringLiteral("1")));
        variables.insert(QStringLiteral("MS_RDR_ENABLE"), QStringLiteral("1"));
        variables.insert(QStringLiteral("MS_RDR_PATH"), logFolder);
    }
    return variables;
}

Variables forPerformance(const QString &logFolder)
{
    Variables variables = mindsporeLog(logFolder, QStringLiteral("3"));
    variables.insert(QStringLiteral("ASCEND_GLOBAL_LOG_LEVEL"), QStringLiteral("3"));
    // davincirun's name for it; CANN documents ASCEND_GLOBAL_EVENT_ENABLE, which davincirun leaves alone.
    variables.insert(QStringLiteral("ASCEND_GLOBAL_EVENT_LEVEL"), QStringLiteral("0"));
    return variables;
}

Variables forModes(const QProcessEnvironment &environment, const QString &jobLogDir, Rank rank)
{
    const QString diagMode = environment.value(QStringLiteral("MA_DIAG_MODE_ENV"));
    const QString runMode = environment.value(QStringLiteral("MA_RUN_MODE_ENV"));
    const QString logFolder = jobLogDir + QStringLiteral("/mindspore/log");
    if (diagMode == QLatin1String("faults"))
        return forFaults(environment.value(QStringLiteral("MA_ENGINE_VERSION")), jobLogDir, logFolder, rank);
    if (diagMode == QLatin1String("accuracy") || diagMode == QLatin1String("profile"))
        return {{QStringLiteral("MS_DIAGNOSTIC_DATA_PATH"),
                 jobLogDir + QStringLiteral("/mindspore/diagnostic_data")}};
    if (runMode == QLatin1String("performance"))
        return forPerformance(logFolder);
    if (runMode == QLatin1String("normal"))
        return mindsporeLog(logFolder, QStringLiteral("1"));
    return {};
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
    const QString name = QStringLiteral("MA_ALGORITHM_OPERATOR");
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
    variables.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("1800"));
    variables.insert(QStringLiteral("ASCEND_PROCESS_LOG_PATH"),
                     QStringLiteral("%1/ascend/process_log/rank_%2").arg(jobLogDir).arg(rank.value));
    variables.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
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
    check(QStringLiteral("MA_DIAG_MODE_ENV"),
          {QStringLiteral("faults"), QStringLiteral("accuracy"), QStringLiteral("profile")});
    check(QStringLiteral("MA_RUN_MODE_ENV"), {QStringLiteral("performance"), QStringLiteral("normal")});
    return notes;
}

bool isMindsporeWithRecorder(const QString &engineVersion)
{
    const QStringList nameAndVersion = engineVersion.section(QLatin1Char('-'), 0, 0).split(QLatin1Char('_'));
    return nameAndVersion.first().contains(QLatin1String("mindspore")) &&
           QVersionNumber::fromString(nameAndVersion.value(1)) >= QVersionNumber(1, 4);
}

} // namespace rankdeck
