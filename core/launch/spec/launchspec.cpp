#include "launch/spec/launchspec.h"

#include "base/fields.h"
#include "base/json.h"
#include "launch/spec/optionrows.h"
#include "launch/spec/startprocesses.h"

#include <algorithm>
#include <map>

namespace rankdeck
{

using Json = nlohmann::json;

namespace
{

struct JsonField {
    std::string key;
    AnyField field;
};

/// Every field once, by the object that holds it; empty: beside these objects.
const std::map<std::string, std::vector<JsonField>> &jsonFields()
{
    static const auto fields = [] {
        std::map<std::string, std::vector<JsonField>> all;
        for (const OptionRows rows : allRows()) {
            for (const OptionRow &row : rows) {
                std::vector<JsonField> &part = all[row.member.part];
                const std::string key = row.jsonKey().toStdString();
                if (row.member.field.index() > 0 &&
                    std::ranges::find(part, key, &JsonField::key) == part.end())
                    part.push_back({key, row.member.field});
            }
        }
        return all;
    }();
    return fields;
}

void carryField(Fields &fields, const char *key, auto &value)
{
    fields.newer(key, value);
}

void carryField(Fields &fields, const char *key, QMap<int, Streams> &streams)
{
    QMap<int, QString> words;
    for (auto it = streams.cbegin(); it != streams.cend(); ++it)
        words.insert(it.key(), streamsWord(*it));
    fields.newer(key, words);
    for (auto it = words.cbegin(); fields.isReading() && it != words.cend(); ++it) {
        if (const auto read = streamsFrom(*it))
            streams.insert(it.key(), *read);
        else
            fields.reject(key);
    }
}

void carryField(Fields &fields, const char *key, Streams &streams)
{
    QString word = streamsWord(streams);
    fields.newer(key, word);
    if (const auto read = streamsFrom(word); read && fields.isReading())
        streams = *read;
    else if (!read)
        fields.reject(key);
}

/// One object of a spec's JSON: "common", or that around all (empty).
struct SpecObject {
    LaunchSpec *spec;
    std::string part;
};

void visitFields(Fields &fields, SpecObject &object)
{
    for (const auto &[part, members] : jsonFields()) {
        if (part == object.part) {
            for (const JsonField &member : members)
                std::visit(
                    [&](auto field) {
                        if constexpr (!std::same_as<decltype(field), std::monostate>)
                            carryField(fields, member.key.c_str(), field(*object.spec));
                    },
                    member.field);
        } else if (object.part.empty()) {
            SpecObject inside{object.spec, part};
            fields.newer(part.c_str(), inside);
        }
    }
}

/// Streams may be numbers.
Json asText(const Json &json)
{
    return json.is_number_integer() ? Json(std::to_string(json.get<int>())) : json;
}

/// Writes torch's rules out: redirects and tee may be one value for all local ranks, what they do not name is
/// not redirected once one of them is given, and args or envs say how many ranks there are.
void applyTorchRules(Json &json)
{
    if (const auto nproc = json.find("nproc"); nproc != json.end() && nproc->is_string()) {
        json["nproc_of"] = *nproc;
        json.erase("nproc");
    }
    const auto has = [&](const char *key) {
        return json.contains(key);
    };
    const bool choosesStreams =
        has("redirects") || has("default_redirect") || has("tee") || has("default_tee");
    for (const auto &[key, otherwise] :
         {std::pair("redirects", "default_redirect"), std::pair("tee", "default_tee")}) {
        if (has(key) && json[key].is_object()) {
            for (Json &streams : json[key])
                streams = asText(streams);
        } else if (const Json given = has(key) ? asText(json[key]) : Json();
                   given.is_string() && streamsFrom(given.get<QString>())) {
            json[otherwise] = given;
            json.erase(key);
        }
        if (choosesStreams)
            json[otherwise] = has(otherwise) ? asText(json[otherwise]) : Json("NONE");
    }
    for (const char *key : {"args", "envs"}) {
        if (!has("nproc") && !has("nproc_of") && has(key) && json[key].is_object() && !json[key].empty())
            json["nproc"] = json[key].size();
    }
}

/// Runs of the first version have it among msrun's options.
Json withBindCoreOfAll(Json json)
{
    const auto msrun = json.find("msrun");
    if (msrun == json.end() || !msrun->is_object() || !msrun->contains("bind_core"))
        return json;
    Json &common = json["common"];
    if (common.is_null() || (common.is_object() && !common.contains("bind_core")))
        common["bind_core"] = json["msrun"]["bind_core"];
    json["msrun"].erase("bind_core");
    return json;
}

} // namespace

Json toJson(const LaunchSpec &spec)
{
    Json json;
    writeJson(json, SpecObject{const_cast<LaunchSpec *>(&spec), {}});
    return json;
}

Result<LaunchSpec> launchSpecFromJson(const Json &json)
{
    if (!json.is_object())
        return Error{tr("a launch is a JSON object"), {}, {}};
    Json usual = withBindCoreOfAll(json);
    if (const auto processes = usual.find("processes"); processes != usual.end() && processes->is_object())
        applyTorchRules(*processes);
    LaunchSpec spec;
    SpecObject whole{&spec, {}};
    const auto wrong = readJsonStrictly(usual, whole);
    if (!wrong)
        return spec;
    if (!wrong->isKnown)
        return Error{tr("unknown option"), wrong->key, {}};
    // Not where in the value of the option: "common.before", not "common.before.0".
    const int depth = jsonFields().contains(wrong->key.section('.'_L1, 0, 0).toStdString()) ? 1 : 0;
    return Error{tr("this option has a value of the wrong type"), wrong->key.section('.'_L1, 0, depth), {}};
}

void visitFields(Fields &fields, LaunchSpec &spec)
{
    nlohmann::json json;
    if (!fields.isReading())
        json = toJson(spec);
    fields.any(json);
    if (!fields.isReading())
        return;
    if (const auto read = launchSpecFromJson(json))
        spec = *read;
    else
        fields.reject("");
}

LaunchSpec processesDefaults()
{
    LaunchSpec spec;
    spec.launcher = u"processes"_s;
    spec.logDir.clear();
    spec.graceSeconds = 30;
    return spec;
}

LaunchSpec wrapDefaults()
{
    LaunchSpec spec = processesDefaults();
    spec.launcher = u"wrap"_s;
    return spec;
}

Result<LaunchSpec> processesSpecFromJson(const QByteArray &text, QStringList *notes)
{
    auto json = parseJson(text);
    if (!json)
        return Error{tr("this is not JSON"), {}, {}};
    const bool isFlat = json->is_object() && json->contains("entrypoint");
    if (isFlat) {
        QStringList found;
        if (const auto error = takeStartProcesses(*json, text, found))
            return *error;
        if (notes)
            *notes += found;
    }
    if (json->is_object()) {
        const LaunchSpec defaults = processesDefaults();
        json->emplace("launcher", defaults.launcher);
        json->emplace("log_dir", defaults.logDir);
        json->emplace("grace", defaults.graceSeconds);
    }
    auto spec = launchSpecFromJson(*json);
    if (!spec && isFlat)
        return Error{spec.error().what, startProcessesKey(spec.error().where), spec.error().mend};
    if (spec && spec->launcher != "processes"_L1)
        return Error{tr("this launch is for the launcher \"%1\"").arg(spec->launcher), u"launcher"_s,
                     tr("Write \"processes\", or omit it.")};
    return spec;
}

std::optional<LaunchSpec> onDevices(LaunchSpec spec, const QList<int> &devices)
{
    if (devices.isEmpty() || spec.nodes.isForNodes())
        return std::nullopt;
    const auto free = static_cast<int>(devices.size());
    int count = 0;
    if (spec.launcher == "msrun"_L1 && spec.msrun.workerNum == spec.msrun.localWorkerNum) {
        count = qMin(spec.msrun.workerNum, free);
        spec.msrun.workerNum = spec.msrun.localWorkerNum = count;
    } else if (spec.launcher == "processes"_L1 && spec.processes.nnodes == 1 &&
               spec.processes.args.isEmpty() && spec.processes.envs.isEmpty()) {
        count = spec.processes.nprocOf.isEmpty() ? qMin(spec.processes.nproc, free) : free;
        spec.processes.nproc = count;
        spec.processes.nprocOf.clear();
    }
    if (count <= 0)
        return std::nullopt;
    const QStringList chosen =
        listOf(devices.mid(0, count), [](int device) { return QString::number(device); });
    spec.environment.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, chosen.join(','_L1));
    return spec;
}

} // namespace rankdeck
