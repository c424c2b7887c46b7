#include "launch/spec/startprocesses.h"

#include "base/json.h"
#include "launch/spec/launchspec.h"

#include <QRegularExpression>

#include <array>
#include <charconv>

namespace rankdeck
{

/// Returns the shortest digits that read as `number`, as repr() writes them: with an exponent below 1e-4 and
/// from 1e16.
static QString floatText(double number)
{
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
    const QString text = QString::fromLatin1(buffer.data(), end.ptr - buffer.data());
    const int exponent = text.section('e'_L1, 1).toInt();
    if (exponent < -4 || exponent >= 16)
        return text;
    const auto fixed =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
    const QString plain = QString::fromLatin1(buffer.data(), fixed.ptr - buffer.data());
    return plain.contains('.'_L1) ? plain : plain + u".0"_s;
}

/// Returns the letter as repr() writes it in quotes of `quote`.
static QString letterText(char32_t letter, QChar quote)
{
    switch (letter) {
    case U'\n':
        return u"\\n"_s;
    case U'\r':
        return u"\\r"_s;
    case U'\t':
        return u"\\t"_s;
    case U'\\':
        return u"\\\\"_s;
    default:
        break;
    }
    if (letter == quote.unicode())
        return '\\'_L1 + quote;
    if (letter == U' ' || (QChar::isPrint(letter) && !QChar::isSpace(letter)))
        return QString::fromUcs4(&letter, 1);
    if (letter <= 0xff)
        return u"\\x%1"_s.arg(uint(letter), 2, 16, '0'_L1);
    return letter <= 0xffff ? u"\\u%1"_s.arg(uint(letter), 4, 16, '0'_L1)
                            : u"\\U%1"_s.arg(uint(letter), 8, 16, '0'_L1);
}

static QString quotedText(const QString &text)
{
    const bool isDouble = text.contains('\''_L1) && !text.contains('"'_L1);
    const QLatin1Char quote(isDouble ? '"' : '\'');
    QString quoted(quote);
    for (const uint letter : text.toUcs4())
        quoted += letterText(letter, quote);
    return quoted + quote;
}

static QString representation(const OrderedJson &value)
{
    if (value.is_string())
        return quotedText(QString::fromStdString(value.get_ref<const std::string &>()));
    if (value.is_boolean())
        return value.get<bool>() ? u"True"_s : u"False"_s;
    if (value.is_null())
        return u"None"_s;
    if (value.is_number_float())
        return floatText(value.get<double>());
    if (!value.is_structured())
        return QString::fromStdString(value.dump());
    QStringList parts;
    for (const auto &[key, member] : value.items()) {
        const QString name =
            value.is_object() ? quotedText(QString::fromStdString(key)) + u": "_s : QString();
        parts << name + representation(member);
    }
    const QString list = parts.join(u", "_s);
    return value.is_object() ? '{'_L1 + list + '}'_L1 : '['_L1 + list + ']'_L1;
}

QString pythonText(const OrderedJson &value)
{
    return value.is_string() ? QString::fromStdString(value.get_ref<const std::string &>())
                             : representation(value);
}

using Json = nlohmann::json;

namespace
{

/// Deeper values are refused: each level is a call.
constexpr int deepest = 100;

/// Keys of torch under the names that they have in a LaunchSpec's "processes".
constexpr std::array ownNames{std::pair("nprocs", "nproc"), std::pair("nproc_per_node", "nproc"),
                              std::pair("tees", "tee")};
/// Keys that do not affect the processes.
constexpr char harmless[] =
    "monitor_interval event_log_handler metrics_cfg local_addr duplicate_stdout_filters "
    "duplicate_stderr_filters run_id rdzv_id rdzv_conf rdzv_configs rdzv_backend rdzv_timeout";
/// Foreign keys that would change the processes, with Rankdeck's own.
constexpr std::array foreign{std::pair("cwd", "work_dir"),        std::pair("env", "envs"),
                             std::pair("cmd", "entrypoint"),      std::pair("python", "entrypoint"),
                             std::pair("function", "entrypoint"), std::pair("world_size", "nnodes")};

/// Moves a key of `from` to `to` under the name `name`. Fails if it is there already.
std::optional<Error> move(Json &from, const char *key, Json &to, const char *name)
{
    if (!from.contains(key))
        return std::nullopt;
    if (to.contains(name))
        return Error{tr("\"%1\" means the same as \"%2\"").arg(QLatin1String(key), QLatin1String(name)),
                     QLatin1String(key), tr("Use only one of them.")};
    Json value = std::move(from[key]);
    from.erase(key);
    to[name] = std::move(value);
    return std::nullopt;
}

/// Nothing is given with None.
void dropNulls(Json &json)
{
    for (auto it = json.begin(); it != json.end();)
        it = it->is_null() && it.key() != "entrypoint" ? json.erase(it) : std::next(it);
}

QString leftOut(const QString &key)
{
    return tr("\"%1\" is omitted: it has no meaning here.").arg(key);
}

/// logs_specs of torch 2.3 and later: the same keys, one level deeper.
std::optional<Error> takeLogsSpecs(Json &json, QStringList &notes)
{
    if (!json.contains("logs_specs"))
        return std::nullopt;
    Json specs = std::move(json["logs_specs"]);
    json.erase("logs_specs");
    if (specs == "default")
        return std::nullopt;
    if (!specs.is_object())
        return Error{tr("this is not an object"), u"logs_specs"_s,
                     tr("Use the keys log_dir, redirects, tee and local_ranks_filter.")};
    dropNulls(specs);
    for (const char *key : {"log_dir", "redirects", "tee", "local_ranks_filter"}) {
        if (const auto error = move(specs, key, json, key))
            return error;
    }
    for (const auto &[key, value] : specs.items())
        notes << leftOut(u"logs_specs."_s + QString::fromStdString(key));
    return std::nullopt;
}

/// "0:1,1:2", as torch's Std.from_str() reads it, becomes an object.
void splitStreams(Json &streams)
{
    const QString text = streams.is_string() ? streams.get<QString>() : QString();
    if (!text.contains(':'_L1))
        return;
    streams = Json::object();
    for (const QString &entry : text.split(','_L1)) {
        const QString key = entry.section(':'_L1, 0, 0);
        streams[key.toStdString()] = entry.section(':'_L1, 1);
    }
}

/// "0,2" as on torchrun's command line, or a list of numbers.
void splitRanks(Json &ranks)
{
    if (!ranks.is_string())
        return;
    const QString text = ranks.get<QString>();
    Json list = Json::array();
    for (const QString &entry : text.split(','_L1, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const int rank = entry.trimmed().toInt(&isNumber);
        list.push_back(isNumber ? Json(rank) : Json(entry));
    }
    ranks = std::move(list);
}

std::optional<Error> takeStartMethod(Json &json)
{
    if (!json.contains("start_method"))
        return std::nullopt;
    // A program is started in the same way with each, and a function always in a new Python.
    for (const char *method : {"spawn", "fork", "forkserver"}) {
        if (json["start_method"] == method) {
            json.erase("start_method");
            return std::nullopt;
        }
    }
    return Error{tr("unknown start method of torch"), u"start_method"_s,
                 tr("Write spawn, fork or forkserver.")};
}

int depthOf(const OrderedJson &json)
{
    int depth = 0;
    std::vector<std::pair<const OrderedJson *, int>> rest{{&json, 1}};
    while (!rest.empty()) {
        const auto [value, level] = rest.back();
        rest.pop_back();
        depth = std::max(depth, level);
        if (value->is_structured()) {
            for (const OrderedJson &member : *value)
                rest.emplace_back(&member, level + 1);
        }
    }
    return depth;
}

/// The arguments of each rank as texts: for a program as str() writes them, for a function as JSON.
std::optional<Error> takeArguments(Json &processes, const OrderedJson &written, bool isFunction)
{
    if (!processes.contains("args") || !written.is_object())
        return std::nullopt;
    if (depthOf(written) > deepest)
        return Error{tr("the arguments are nested too deeply"), u"args"_s, {}};
    for (const auto &[rank, arguments] : written.items()) {
        if (!arguments.is_array())
            continue;
        Json texts = Json::array();
        for (const OrderedJson &argument : arguments)
            texts.push_back(isFunction ? QString::fromStdString(argument.dump()) : pythonText(argument));
        processes["args"][rank] = std::move(texts);
    }
    return std::nullopt;
}

/// The documentation's first example has a number as the value of a variable.
void takeVariables(Json &processes)
{
    if (!processes.contains("envs") || !processes["envs"].is_object())
        return;
    for (Json &variables : processes["envs"]) {
        if (!variables.is_object())
            continue;
        for (Json &value : variables) {
            if (value.is_number() || value.is_boolean())
                value = pythonText(OrderedJson(value));
        }
    }
}

/// torch starts no process then, and succeeds.
std::optional<Error> problemWithEmptySets(const Json &processes)
{
    for (const char *key : {"args", "envs"}) {
        const auto found = processes.find(key);
        if (found != processes.end() && found->is_object() && found->empty())
            return Error{tr("no local ranks given"), QLatin1String(key),
                         tr("List each local rank, from 0, or omit it.")};
    }
    return std::nullopt;
}

/// Returns true for keys that differ in one letter, in capitals, or in _ and -.
bool isAlike(QString one, QString other)
{
    for (QString *key : {&one, &other})
        *key = key->toLower().remove('_'_L1).remove('-'_L1);
    if (one.size() < other.size())
        std::swap(one, other);
    if (one.size() - other.size() > 1)
        return false;
    const auto differs = std::mismatch(other.begin(), other.end(), one.begin());
    const auto at = differs.first - other.begin();
    const bool isLonger = one.size() > other.size();
    return one.mid(at + 1) == other.mid(isLonger ? at : at + 1);
}

/// Leaves out what no part of a launch depends on, and refuses the rest of the unknown keys.
std::optional<Error> settleUnknown(Json &json, QStringList &known, QStringList &notes)
{
    known << u"entrypoint"_s;
    QStringList unknown;
    for (const auto &[key, value] : json.items()) {
        if (!known.contains(QString::fromStdString(key)))
            unknown << QString::fromStdString(key);
    }
    for (const QString &key : unknown) {
        QString meant;
        const bool isHarmless = QString::fromLatin1(harmless).split(' '_L1).contains(key);
        for (const auto &[theirs, ours] : foreign) {
            if (key == QLatin1String(theirs))
                meant = QLatin1String(ours);
        }
        for (const QString &one : known) {
            if (!isHarmless && meant.isEmpty() && isAlike(key, one))
                meant = one;
        }
        if (!meant.isEmpty())
            return Error{tr("unknown option"), key, tr("Write \"%1\".").arg(meant)};
        notes << leftOut(key);
        json.erase(key.toStdString());
    }
    return std::nullopt;
}

} // namespace

bool isPythonFunction(const QString &entrypoint)
{
    static const QRegularExpression function(
        u"^([A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*|[^:]*\\.py):[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*$"_s);
    return function.match(entrypoint).hasMatch();
}

std::optional<Error> takeStartProcesses(Json &json, const QByteArray &text, QStringList &notes)
{
    for (const char *other : {"command", "processes"}) {
        if (json.contains(other))
            return Error{tr("\"%1\" cannot be used with \"entrypoint\"").arg(QLatin1String(other)),
                         QLatin1String(other),
                         tr("Use entrypoint, args, envs, redirects and tee, or command and processes.")};
    }
    dropNulls(json);
    if (const auto error = takeLogsSpecs(json, notes))
        return error;
    if (const auto error = takeStartMethod(json))
        return error;
    for (const auto &[theirs, ours] : ownNames) {
        if (const auto error = move(json, theirs, json, ours))
            return error;
    }
    if (json.contains("numa_options") && json["numa_options"].is_object())
        json["numa_options"] = json["numa_options"].value("affinity_mode", Json());
    if (const auto error = move(json, "numa_options", json, "numa_binding"))
        return error;

    Json entrypoint = std::move(json["entrypoint"]);
    json.erase("entrypoint");
    Json processes = Json::object();
    QStringList known;
    const Json all = toJson(LaunchSpec());
    for (const auto &[key, value] : all["processes"].items()) {
        if (key == "function" || key == "nproc_of")
            continue;
        known << QString::fromStdString(key);
        if (const auto error = move(json, key.c_str(), processes, key.c_str()))
            return error;
    }
    for (const auto &[key, value] : all.items())
        known << QString::fromStdString(key);
    if (const auto error = settleUnknown(json, known, notes))
        return error;

    const Json first = entrypoint.is_array() && entrypoint.size() == 1 ? entrypoint.front() : entrypoint;
    const bool isFunction = first.is_string() && isPythonFunction(first.get<QString>());
    if (isFunction) {
        processes["function"] = first;
        json["command"] = Json::array({"python3"});
    } else {
        json["command"] = entrypoint.is_string() ? Json::array({entrypoint}) : entrypoint;
    }
    if (const auto error = problemWithEmptySets(processes))
        return error;
    const auto written = OrderedJson::parse(text.begin(), text.end(), nullptr, false);
    if (written.is_object() && written.contains("args")) {
        if (const auto error = takeArguments(processes, written["args"], isFunction))
            return error;
    }
    takeVariables(processes);
    for (const char *key : {"redirects", "tee"}) {
        if (processes.contains(key))
            splitStreams(processes[key]);
    }
    if (processes.contains("local_ranks_filter"))
        splitRanks(processes["local_ranks_filter"]);
    json["processes"] = std::move(processes);
    return std::nullopt;
}

QString startProcessesKey(const QString &key)
{
    if (key == "command"_L1)
        return u"entrypoint"_s;
    const QLatin1String group("processes.");
    return key.startsWith(group) ? key.mid(group.size()) : key;
}

} // namespace rankdeck
