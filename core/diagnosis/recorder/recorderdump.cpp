#include "diagnosis/recorder/recorderdump.h"

#include "background/together.h"
#include "base/json.h"
#include "base/regularfile.h"

#include <QDir>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <unordered_map>

namespace rankdeck
{

constexpr qint64 mostFileBytes = qint64(256) * 1024 * 1024;
constexpr double nsInMs = 1e6;

namespace
{

using Kind = ValueTree::Kind;
using Value = ValueTree::Value;

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

qint64 intOf(const Value *value, qint64 otherwise = 0)
{
    return value && (value->kind == Kind::Int || value->kind == Kind::Bool) ? value->number : otherwise;
}

/// Returns whether a file belongs to Python's libraries, whose frames do not show the program's work.
bool isLibrary(std::string_view file)
{
    for (const std::string_view part :
         {"/torch/", "/torch_npu/", "/mindspore/", "<frozen", "/threading.py", "/megatron/core/utils.py"}) {
        if (file.find(part) != std::string_view::npos)
            return true;
    }
    return false;
}

std::string_view fileName(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

/// Writes values as Python does: "[[1024, 8]]".
void write(const ValueTree &tree, const Value &value, std::string &out, int depth = 0)
{
    constexpr int deepest = 4;
    constexpr std::size_t longest = 200;
    if (depth > deepest || out.size() > longest)
        return;
    if (value.kind == Kind::Int) {
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.begin(), digits.end(), value.number).ptr;
        out.append(digits.begin(), end);
    } else if (value.kind == Kind::Text) {
        out.append(value.view().substr(0, longest));
    } else if (value.kind == Kind::List) {
        out += '[';
        const auto items = tree.itemsOf(value);
        for (const Value *item = items.begin(); item != items.end(); ++item) {
            if (out.size() > longest)
                break;
            if (item != items.begin())
                out += ", ";
            write(tree, *item, out, depth + 1);
        }
        out += ']';
    } else if (value.kind != Kind::None) {
        out += '?';
    }
}

enum class Field {
    Group,
    GroupName,
    Sequence,
    PointToPoint,
    Name,
    Sizes,
    Types,
    State,
    Started,
    Completed,
    Duration,
    IsPointToPoint,
    Retired,
    Frames,
    None
};

Field fieldOf(std::string_view key)
{
    static const std::unordered_map<std::string_view, Field> fields{
        {"pg_id", Field::Group},
        {"process_group", Field::GroupName},
        {"pg_name", Field::GroupName},
        {"collective_seq_id", Field::Sequence},
        {"seq_id", Field::Sequence}, // Version 1
        {"p2p_seq_id", Field::PointToPoint},
        {"profiling_name", Field::Name},
        {"input_sizes", Field::Sizes},
        {"input_dtypes", Field::Types},
        {"state", Field::State},
        {"time_discovered_started_ns", Field::Started},
        {"time_discovered_completed_ns", Field::Completed},
        {"duration_ms", Field::Duration},
        {"is_p2p", Field::IsPointToPoint},
        {"retired", Field::Retired},
        {"frames", Field::Frames},
    };
    const auto found = fields.find(key);
    return found == fields.end() ? Field::None : found->second;
}

/// Makes the dump of a tree.
class DumpMaker
{
public:
    explicit DumpMaker(const ValueTree &tree)
        : m_tree(tree)
    {
        m_dump.texts << QString();
    }

    Result<RecorderDump> make(int rank)
    {
        const Value *entries = m_tree.find(m_tree.root(), "entries");
        const Value *version = m_tree.find(m_tree.root(), "version");
        if (!entries || entries->kind != Kind::List || !version || version->kind != Kind::Text)
            return Error{tr("it is no dump of a flight recorder"), {}, {}};
        m_dump.version = textOf(version->view());
        m_dump.rank = int(intOf(m_tree.find(m_tree.root(), "rank"), rank));
        if (const Value *place = m_tree.find(m_tree.root(), "python_place")) // As recorderDumpJson() has it.
            m_dump.pythonPlace = textOf(place->view());
        takeGroups();
        for (const Value &entry : m_tree.itemsOf(*entries))
            takeEntry(entry);
        std::ranges::stable_sort(m_dump.collectives, {}, [](const RecordedCollective &its) {
            return std::tuple(its.group, its.isPointToPoint, its.sequence);
        });
        return std::move(m_dump);
    }

private:
    int textIndex(const std::string &text)
    {
        const auto [found, isNew] = m_texts.try_emplace(text, int(m_dump.texts.size()));
        if (isNew)
            m_dump.texts << QString::fromStdString(text);
        return found->second;
    }

    int groupIndex(const std::string &name)
    {
        const auto [found, isNew] = m_groups.try_emplace(name, int(m_dump.groups.size()));
        if (isNew)
            m_dump.groups.push_back({QString::fromStdString(name), {}, {}});
        return found->second;
    }

    /// "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}}
    void takeGroups()
    {
        const Value *groups = m_tree.find(m_tree.root(), "pg_config");
        if (!groups || groups->kind != Kind::Dict)
            return;
        const auto items = m_tree.itemsOf(*groups);
        for (std::size_t at = 0; at + 1 < items.size; at += 2) {
            std::string key;
            write(m_tree, items.first[at], key);
            const Value &its = items.first[at + 1];
            const Value *name = m_tree.find(its, "name");
            const Value *described = m_tree.find(its, "desc");
            const Value *ranks = m_tree.find(its, "ranks");
            if (name && !name->view().empty())
                key = name->view();
            if (key.empty()) // Gloo's, with the ranks of the group that was made last.
                continue;
            RecordedGroup &group = m_dump.groups[std::size_t(groupIndex(key))];
            if (described)
                group.description = textOf(described->view());
            if (!ranks)
                continue;
            group.ranks.clear();
            for (const Value &rank : m_tree.itemsOf(*ranks))
                group.ranks << int(intOf(&rank));
            static const QRegularExpression number(u"\\d+"_s);
            for (const QRegularExpressionMatch &found : number.globalMatch(textOf(ranks->view())))
                group.ranks << found.captured().toInt();
            std::ranges::sort(group.ranks);
        }
    }

    Field fieldAt(std::size_t at, const Value &key)
    {
        // All entries have the same keys in the same order.
        if (at >= m_known.size())
            m_known.resize(at + 1);
        auto &[text, field] = m_known[at];
        if (text != key.view()) {
            text = key.view();
            field = fieldOf(text);
        }
        return field;
    }

    void takeEntry(const Value &entry)
    {
        const auto items = m_tree.itemsOf(entry);
        if (entry.kind != Kind::Dict)
            return;
        static constexpr Value nothing{};
        std::array<const Value *, std::size_t(Field::None) + 1> values{};
        values.fill(&nothing);
        for (std::size_t at = 0; at + 1 < items.size; at += 2)
            values[std::size_t(fieldAt(at / 2, items.first[at]))] = &items.first[at + 1];
        const auto valueOf = [&](Field field) -> const Value & {
            return *values[std::size_t(field)];
        };
        const auto numberOf = [&](Field field) {
            return intOf(values[std::size_t(field)]);
        };
        RecordedCollective its;
        its.isPointToPoint = numberOf(Field::IsPointToPoint) != 0;
        its.sequence = its.isPointToPoint && numberOf(Field::PointToPoint) > 0 ? numberOf(Field::PointToPoint)
                                                                               : numberOf(Field::Sequence);
        const std::string_view name = valueOf(Field::Name).view();
        its.operation = operationIndex(name);
        // Gloo never tells that one has begun or ended; what is not waited for any more is retired.
        const bool isDone = name.starts_with("gloo:") && numberOf(Field::Retired) != 0;
        const std::string_view state = valueOf(Field::State).view();
        its.state = state == "completed" || isDone ? RecordedCollective::State::Completed
                    : state == "started"           ? RecordedCollective::State::Started
                                                   : RecordedCollective::State::Scheduled;
        const qint64 started = numberOf(Field::Started); // 0: it is not known.
        const qint64 completed = numberOf(Field::Completed);
        if (valueOf(Field::Duration).kind == Kind::Float)
            its.durationMs = valueOf(Field::Duration).real;
        else if (valueOf(Field::Duration).kind == Kind::Int)
            its.durationMs = double(numberOf(Field::Duration));
        else if (started > 0 && completed > 0)
            its.durationMs = double(completed - started) / nsInMs;
        its.place = placeIndex(valueOf(Field::Frames));
        const bool isNamed = valueOf(Field::GroupName).kind != Kind::None;
        its.group = groupOf(valueOf(isNamed ? Field::GroupName : Field::Group));
        m_text.clear();
        write(m_tree, valueOf(Field::Sizes), m_text);
        if (valueOf(Field::Types).kind != Kind::None) {
            m_text += ' ';
            write(m_tree, valueOf(Field::Types), m_text);
        }
        its.shape = textIndex(m_text);
        m_dump.collectives.push_back(its);
    }

    /// ("0", "default_pg"), "0" or 0.
    int groupOf(const Value &group)
    {
        m_text.clear();
        std::string_view described;
        if (group.kind == Kind::List) {
            const auto items = m_tree.itemsOf(group);
            if (items.size > 0)
                write(m_tree, items.first[0], m_text);
            if (items.size > 1)
                described = items.first[1].view();
        } else {
            write(m_tree, group, m_text);
        }
        const int index = groupIndex(m_text);
        RecordedGroup &its = m_dump.groups[std::size_t(index)];
        if (its.description.isEmpty() && !described.empty())
            its.description = textOf(described);
        return index;
    }

    /// "nccl:all_reduce" is all_reduce.
    int operationIndex(std::string_view name)
    {
        m_text = name.substr(name.find(':') + 1);
        return textIndex(m_text);
    }

    int placeIndex(const Value &frames)
    {
        const auto items = m_tree.itemsOf(frames);
        const Value *chosen = nullptr;
        for (const Value &frame : items) {
            const Value *file = m_tree.find(frame, "filename");
            if (file && !isLibrary(file->view())) {
                chosen = &frame;
                break;
            }
        }
        if (!chosen && items.size > 0)
            chosen = items.first;
        if (!chosen)
            return 0;
        const Value *file = m_tree.find(*chosen, "filename");
        const Value *line = m_tree.find(*chosen, "line");
        const Value *name = m_tree.find(*chosen, "name");
        m_text = file ? fileName(file->view()) : std::string_view();
        m_text += ':' + std::to_string(intOf(line));
        if (name && !name->view().empty())
            m_text.append(" in ").append(name->view());
        return textIndex(m_text);
    }

    const ValueTree &m_tree;
    RecorderDump m_dump;
    std::unordered_map<std::string, int> m_texts{{std::string(), 0}};
    std::unordered_map<std::string, int> m_groups;
    std::vector<std::pair<std::string_view, Field>> m_known;
    std::string m_text;
};

} // namespace

Result<RecorderDump> readRecorderDump(QByteArrayView bytes, int rank)
{
    const bool isPickle = !bytes.isEmpty() && quint8(bytes.front()) == 0x80;
    const Result<ValueTree> tree = isPickle ? readPickle(bytes) : readJsonValues(bytes);
    if (!tree)
        return tree.error();
    return DumpMaker(*tree).make(rank);
}

QByteArray recorderDumpJson(const RecorderDump &dump)
{
    using Json = nlohmann::json;
    static const QRegularExpression parts(u"^(.*):(\\d+)(?: in (.*))?$"_s);
    Json groups = Json::object();
    for (const RecordedGroup &group : dump.groups)
        groups[group.name.toStdString()] = {
            {"name", group.name}, {"desc", group.description}, {"ranks", group.ranks}};
    Json entries = Json::array();
    for (const RecordedCollective &its : dump.collectives) {
        static constexpr std::array states{"scheduled", "started", "completed"};
        const RecordedGroup &group = dump.groups[std::size_t(its.group)];
        Json entry{{"process_group", Json::array({group.name, group.description})},
                   {its.isPointToPoint ? "p2p_seq_id" : "collective_seq_id", its.sequence},
                   {"is_p2p", its.isPointToPoint},
                   {"state", states.at(std::size_t(its.state))},
                   {"profiling_name", dump.operation(its)},
                   {"input_sizes", dump.shape(its)}};
        if (its.durationMs)
            entry["duration_ms"] = *its.durationMs;
        if (const auto place = parts.match(dump.place(its)); place.hasMatch())
            entry["frames"] = Json::array({{{"filename", place.captured(1)},
                                            {"line", place.captured(2).toInt()},
                                            {"name", place.captured(3)}}});
        entries.push_back(std::move(entry));
    }
    return jsonText({{"version", dump.version},
                     {"rank", dump.rank},
                     {"python_place", dump.pythonPlace},
                     {"pg_config", std::move(groups)},
                     {"entries", std::move(entries)}});
}

QString pythonStacksBeside(const QString &dump)
{
    return dump + u"_py_traceback"_s;
}

QString placeInPythonStacks(const QByteArray &text)
{
    static const QRegularExpression frame(u"^\\s*File \"([^\"]+)\", line (\\d+),? in (\\S+)"_s);
    // faulthandler has the innermost frame first; Python's own traceback has it last.
    const qsizetype firstFrame = text.indexOf("File \"");
    const bool beginsWithModule =
        text.mid(firstFrame, text.indexOf('\n', firstFrame) - firstFrame).trimmed().endsWith("in <module>");
    const bool isInnermostLast = text.contains("most recent call last") ||
                                 (!text.contains("most recent call first") && beginsWithModule);
    const qsizetype current = std::max<qsizetype>(0, text.indexOf("Current thread 0x"));
    QString place;
    QString ofLibrary;
    bool isInside = false;
    for (const QByteArray &line : text.mid(current).split('\n')) {
        const auto found = frame.match(QString::fromUtf8(line));
        if (!found.hasMatch()) {
            // The frames of one thread have come, with their source lines between them.
            if (isInside &&
                (line.trimmed().isEmpty() || line.contains("Thread ") || line.contains("thread ")))
                break;
            continue;
        }
        isInside = true;
        const std::string file = found.captured(1).toStdString();
        const QString here =
            u"%1:%2 in %3"_s.arg(textOf(fileName(file)), found.captured(2), found.captured(3));
        QString &its = isLibrary(file) ? ofLibrary : place;
        if (its.isEmpty() || isInnermostLast)
            its = here;
    }
    return place.isEmpty() ? ofLibrary : place;
}

/// Opens a file. Returns what keeps it from being a dump; empty: nothing.
static QString obstacle(RegularFile &file)
{
    if (!file.open(QIODevice::ReadOnly))
        return problemOf(file);
    if (file.size() > mostFileBytes)
        return tr("it has more values than a recorder writes");
    const QByteArray begin = file.peek(1);
    return begin == "\x80" || begin == "{" ? QString() : tr("it is no dump of a flight recorder");
}

Result<RecorderDumps> readRecorderDumps(const QString &folder)
{
    static const QRegularExpression ending(u"^(.*?)(\\d+)(?:\\.json|\\.pkl)?$"_s);
    const QDir directory(folder);
    QMap<int, QString> files;
    for (const QString &name : directory.entryList(QDir::Files | QDir::Hidden, QDir::Name)) {
        if (const auto found = ending.match(name); found.hasMatch() && !name.endsWith(".pipe"_L1))
            files.insert(found.captured(2).toInt(), name);
    }
    RecorderDumps read;
    std::mutex mutex;
    QList<int> ranks = files.keys();
    const auto work = [&] {
        for (;;) {
            int rank = 0;
            {
                const std::lock_guard lock(mutex);
                if (ranks.isEmpty())
                    return;
                rank = ranks.takeFirst();
            }
            const QString name = files.value(rank);
            RegularFile file(directory.filePath(name));
            RegularFile stacks(pythonStacksBeside(directory.filePath(name)));
            if (const QString problem = obstacle(file); !problem.isEmpty()) {
                // Files of other programs end with numbers too.
                const std::lock_guard lock(mutex);
                if (name.contains("trace_rank_"_L1))
                    read.unreadable << Error{problem, name, {}};
                continue;
            }
            const QByteArray bytes = file.readAll(); // Not mapped: the file may be replaced at this moment.
            Result<RecorderDump> dump = readRecorderDump(bytes, rank);
            if (dump && stacks.open(QIODevice::ReadOnly))
                dump->pythonPlace = placeInPythonStacks(stacks.read(mostFileBytes));
            const std::lock_guard lock(mutex);
            if (dump)
                read.dumps.push_back(std::move(dump.value()));
            else
                read.unreadable << Error{dump.error().what, name, dump.error().mend};
        }
    };
    workTogether(1, work);
    std::ranges::sort(read.dumps, {}, &RecorderDump::rank);
    std::ranges::sort(read.unreadable, {}, &Error::where);
    if (read.dumps.empty() && read.unreadable.isEmpty())
        return Error{tr("no dump of a flight recorder is there"), folder,
                     tr("Name a folder with files such as hccl_trace_rank_0.")};
    return read;
}

} // namespace rankdeck
