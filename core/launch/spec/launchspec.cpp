#include "launch/spec/launchspec.h"

#include "base/fields.h"
#include "base/json.h"
#include "launch/spec/optionrows.h"
#include "launch/spec/startprocesses.h"

#include <array>
#include <set>
#include <string>

namespace rankdeck
{

using Json = nlohmann::json;

static void to_json(Json &json, Streams streams)
{
    json = streamsWord(streams);
}

/// A number from 0 to 3 or a word; anything else is a value of the wrong type.
static void from_json(const Json &json, Streams &streams)
{
    const QString text = json.is_number_integer() ? QString::number(json.get<int>()) : json.get<QString>();
    const auto read = streamsFrom(text);
    streams = read ? *read : static_cast<Streams>(json.get<std::array<int, 1>>().front());
}

namespace
{

/// The first key that is unknown or of the wrong type, with what is wrong.
struct WrongKey {
    QString key;
    bool isKnown = false;
};

/// The place of a field in JSON: in the object `part`; empty: beside these objects.
struct JsonField {
    std::string part;
    std::string key;
    AnyField field;
};

/// Every field once, for both directions.
const std::vector<JsonField> &jsonFields()
{
    static const std::vector<JsonField> fields = [] {
        std::vector<JsonField> all;
        std::set<std::string> known;
        for (const OptionRows rows : allRows()) {
            for (const OptionRow &row : rows) {
                if (!row.key || !known.insert(row.key).second)
                    continue;
                const std::string path = row.key;
                const auto dot = path.find('.');
                all.push_back({dot == std::string::npos ? std::string() : path.substr(0, dot),
                               path.substr(dot + 1), row.field});
            }
        }
        return all;
    }();
    return fields;
}

Json valueOf(const auto &value)
{
    return value;
}

/// JSON has no keys but strings.
template <typename T>
Json valueOf(const QMap<int, T> &map)
{
    Json json = Json::object();
    for (auto it = map.begin(); it != map.end(); ++it)
        json[std::to_string(it.key())] = it.value();
    return json;
}

std::optional<WrongKey> readValue(const Json &json, auto &value)
{
    json.get_to(value);
    return std::nullopt;
}

template <typename T>
std::optional<WrongKey> readValue(const Json &json, QMap<int, T> &map)
{
    for (const auto &[key, value] : json.get_ref<const Json::object_t &>()) {
        bool isNumber = false;
        const int number = QString::fromStdString(key).toInt(&isNumber);
        if (!isNumber || QString::number(number) != QString::fromStdString(key))
            return WrongKey{QString::fromStdString(key), false};
        map.insert(number, value.template get<T>());
    }
    return std::nullopt;
}

/// Calls `use` with the way to the field.
auto visitField(const AnyField &field, auto use)
{
    return std::visit(
        [&](auto way) {
            if constexpr (std::is_same_v<decltype(way), std::monostate>)
                return decltype(use(SpecField<int>()))();
            else
                return use(way);
        },
        field);
}

/// Calls read(value) for a key of the object, and takes the key out.
void readKey(Json &object, const std::string &key, std::optional<WrongKey> &wrong, auto read)
{
    const auto found = object.find(key);
    if (found == object.end())
        return;
    const QString name = QString::fromStdString(key);
    try {
        if (const std::optional<WrongKey> inside = read(*found))
            wrong = WrongKey{name + QLatin1Char('.') + inside->key, inside->isKnown};
    } catch (const Json::exception &) {
        wrong = WrongKey{name, true};
    }
    object.erase(found);
}

std::optional<WrongKey> readPart(const Json &json, const std::string &part, LaunchSpec &spec);

/// torch's rules beside those of every object: redirects and tee may be one value for all local ranks, what
/// they do not name is not redirected once one of them is given, and args or envs say how many ranks there
/// are.
std::optional<WrongKey> readProcesses(const Json &json, LaunchSpec &spec)
{
    ProcessesOptions &options = spec.processes;
    Json given = json.get_ref<const Json::object_t &>();
    if (const auto nproc = given.find("nproc"); nproc != given.end() && nproc->is_string()) {
        given["nproc_of"] = *nproc;
        given.erase("nproc");
    }
    const bool choosesStreams = given.contains("redirects") || given.contains("default_redirect") ||
                                given.contains("tee") || given.contains("default_tee");
    if (choosesStreams)
        options.defaultRedirect = options.defaultTee = Streams::None;
    for (const auto &[key, otherwise] :
         {std::pair("redirects", "default_redirect"), std::pair("tee", "default_tee")}) {
        if (given.contains(key) && !given[key].is_object()) {
            try {
                static_cast<void>(given[key].get<Streams>());
            } catch (const Json::exception &) {
                return WrongKey{QLatin1String(key), true};
            }
            given[otherwise] = given[key];
            given.erase(key);
        }
    }
    const auto wrong = readPart(given, "processes", spec);
    if (!given.contains("nproc") && !given.contains("nproc_of") &&
        (!options.args.isEmpty() || !options.envs.isEmpty()))
        options.nproc = static_cast<int>(options.args.isEmpty() ? options.envs.size() : options.args.size());
    return wrong;
}

/// Reads one of the objects; the whole JSON if `part` is empty.
std::optional<WrongKey> readPart(const Json &json, const std::string &part, LaunchSpec &spec)
{
    Json rest = json.get_ref<const Json::object_t &>();
    std::optional<WrongKey> wrong;
    for (const JsonField &field : jsonFields()) {
        if (field.part == part) {
            readKey(rest, field.key, wrong, [&](const Json &value) {
                return visitField(field.field, [&](auto way) { return readValue(value, way(spec)); });
            });
        } else if (part.empty()) {
            readKey(rest, field.part, wrong, [&](const Json &value) {
                return field.part == "processes" ? readProcesses(value, spec)
                                                 : readPart(value, field.part, spec);
            });
        }
    }
    if (!wrong && !rest.empty())
        wrong = WrongKey{QString::fromStdString(rest.begin().key()), false};
    return wrong;
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
    Json json = Json::object();
    for (const JsonField &field : jsonFields()) {
        Json &object = field.part.empty() ? json : json[field.part];
        object[field.key] = visitField(field.field, [&](auto way) { return valueOf(valueIn(spec, way)); });
    }
    return json;
}

Result<LaunchSpec> launchSpecFromJson(const Json &json)
{
    if (!json.is_object())
        return Error{tr("a launch is a JSON object"), {}, {}};
    LaunchSpec spec;
    if (const auto wrong = readPart(withBindCoreOfAll(json), {}, spec))
        return Error{wrong->isKnown ? tr("this option has a value of the wrong type") : tr("unknown option"),
                     wrong->key,
                     {}};
    return spec;
}

void visitFields(rankdeck::Fields &fields, LaunchSpec &spec)
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
    spec.launcher = QStringLiteral("processes");
    spec.logDir.clear();
    spec.graceSeconds = 30;
    return spec;
}

LaunchSpec wrapDefaults()
{
    LaunchSpec spec = processesDefaults();
    spec.launcher = QStringLiteral("wrap");
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
        return Error{spec.error().what, startProcessesKey(spec.error().where), spec.error().mend};
    if (spec && spec->launcher != QLatin1String("processes"))
        return Error{tr("this launch is for the launcher \"%1\"").arg(spec->launcher),
                     QStringLiteral("launcher"), tr("Write \"processes\", or omit it.")};
    return spec;
}

std::optional<LaunchSpec> onDevices(LaunchSpec spec, const QList<int> &devices)
{
    if (devices.isEmpty() || spec.nodes.isForNodes())
        return std::nullopt;
    const auto free = static_cast<int>(devices.size());
    int count = 0;
    if (spec.launcher == QLatin1String("msrun") && spec.msrun.workerNum == spec.msrun.localWorkerNum) {
        count = qMin(spec.msrun.workerNum, free);
        spec.msrun.workerNum = spec.msrun.localWorkerNum = count;
    } else if (spec.launcher == QLatin1String("processes") && spec.processes.nnodes == 1 &&
               spec.processes.args.isEmpty() && spec.processes.envs.isEmpty()) {
        count = spec.processes.nprocOf.isEmpty() ? qMin(spec.processes.nproc, free) : free;
        spec.processes.nproc = count;
        spec.processes.nprocOf.clear();
    }
    if (count <= 0)
        return std::nullopt;
    QStringList chosen;
    for (const int device : devices.mid(0, count))
        chosen << QString::number(device);
    spec.environment.insert(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"), chosen.join(QLatin1Char(',')));
    return spec;
}

} // namespace rankdeck
