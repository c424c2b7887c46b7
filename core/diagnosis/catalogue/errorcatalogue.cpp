#include "diagnosis/catalogue/errorcatalogue.h"

#include "base/json.h"
#include "base/wordtable.h"
#include "launch/text/commandline.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QStandardPaths>

#include <re2/re2.h>
#include <re2/set.h>

// The macro declares a function of the global namespace.
static void makeResourceAvailable()
{
    Q_INIT_RESOURCE(errors);
}

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

using Layer = ErrorEntry::Layer;

constexpr std::array knownKeys{"id",    "pattern", "title",    "meaning", "mend",   "weight",
                               "layer", "blame",   "commands", "source",  "example"};

constexpr std::array layerWords{"hint",         "consequence", "wrapper", "wait",
                                "disagreement", "own",         "setting", "device"};
/// What files of 0.2.0 and earlier say in place of a layer.
constexpr std::array blameWords{"self", "peer", "pair", "nobody"};
constexpr std::array blameLayers{Layer::Own, Layer::Wait, Layer::Disagreement, Layer::Wrapper};

/// The fault of an entry, without its place; empty if the entry is valid.
using Complaint = QString;

Complaint wrong(const char *key, const QString &expected)
{
    return tr("\"%1\" is not %2").arg(QLatin1String(key), expected);
}

Complaint readText(const Json &entry, const char *key, bool isNeeded, QString &target)
{
    const auto found = entry.find(key);
    if (found == entry.end())
        return isNeeded ? tr("\"%1\" is missing").arg(QLatin1String(key)) : QString();
    if (!found->is_string() || (isNeeded && found->get_ref<const std::string &>().empty()))
        return wrong(key, tr("a string"));
    target = found->get<QString>();
    return {};
}

Complaint readBothLanguages(const Json &entry, const char *key, CatalogueText &target)
{
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_object()) {
        const Complaint complaint = readText(entry, key, true, target.english);
        target.chinese = target.english;
        return complaint;
    }
    const Complaint english = readText(*found, "en", true, target.english);
    const Complaint chinese = readText(*found, "zh_CN", true, target.chinese);
    return english.isEmpty() ? chinese : english;
}

Complaint readWeight(const Json &entry, int &target)
{
    const auto found = entry.find("weight");
    if (found == entry.end())
        return {};
    const bool isNumber = found->is_number_integer();
    if (!isNumber || *found < ErrorEntry::leastWeight || *found > ErrorEntry::mostWeight)
        return wrong(
            "weight",
            tr("a whole number from %1 to %2").arg(ErrorEntry::leastWeight).arg(ErrorEntry::mostWeight));
    target = found->get<int>();
    return {};
}

Complaint readLayer(const Json &entry, Layer &target)
{
    if (const auto found = entry.find("blame"); found != entry.end()) {
        const auto blame =
            found->is_string() ? valueIn<std::size_t>(blameWords, found->get<QString>()) : std::nullopt;
        if (!blame)
            return wrong("blame", tr("one of self, peer, pair and nobody"));
        target = blameLayers[*blame];
    }
    const auto found = entry.find("layer");
    if (found == entry.end())
        return {};
    const auto layer = found->is_string() ? valueIn<Layer>(layerWords, found->get<QString>()) : std::nullopt;
    target = layer.value_or(target);
    return layer ? QString()
                 : wrong("layer", tr("one of device, setting, own, disagreement, wait, wrapper, consequence "
                                     "and hint"));
}

Complaint readCommands(const Json &entry, QStringList &target)
{
    const auto found = entry.find("commands");
    if (found == entry.end())
        return {};
    if (!found->is_array())
        return wrong("commands", tr("a list of strings"));
    for (const Json &command : *found) {
        if (!command.is_string())
            return wrong("commands", tr("a list of strings"));
        target << command.get<QString>();
    }
    return {};
}

Complaint unknownKey(const Json &entry)
{
    for (const auto &[key, value] : entry.items()) {
        const auto isThis = [&name = key](std::string_view known) {
            return known == name;
        };
        if (std::ranges::none_of(knownKeys, isThis))
            return tr("unknown key \"%1\"").arg(QString::fromStdString(key));
    }
    return {};
}

Complaint readEntry(const Json &json, ErrorEntry &entry)
{
    if (!json.is_object())
        return tr("it is not an object");
    QString pattern;
    for (const Complaint &complaint :
         {readText(json, "id", true, entry.id), readText(json, "pattern", true, pattern),
          readBothLanguages(json, "title", entry.title), readBothLanguages(json, "meaning", entry.meaning),
          readBothLanguages(json, "mend", entry.mend), readWeight(json, entry.weight),
          readLayer(json, entry.layer), readCommands(json, entry.commands),
          readText(json, "source", false, entry.source), readText(json, "example", false, entry.example),
          unknownKey(json)}) {
        if (!complaint.isEmpty())
            return complaint;
    }
    entry.pattern = pattern.toStdString();
    return {};
}

/// Patterns that are no known errors.
enum Sign { TracebackHead, ErrorWord, FactWord, SignCount };

constexpr std::array<const char *, SignCount> signPatterns{
    "Traceback \\(most recent call last\\)|^Fatal Python error:|most recent call first\\):$|"
    "^Thread (?:0x[0-9a-fA-F]+|\\d+) \\((?:active|idle)[^)\\n]*\\): \"MainThread\"",
    "\\b(?:ERROR|CRITICAL|EXCEPTION|FATAL|Error|Exception)\\b|^\\[E ?\\d{3,}|^\\[[EF] |错误|异常",
    "Entry-Hccl|HCCL_(?:CONNECT|EXEC)_TIMEOUT set|LocalRank Key Info|localInfo\\{server|alive node num: |"
    "(?i:Local information: ?server |world[ _]size['\"]?\\s*[:=]|rank[: ]{1,2}\\d{1,6}/)|process \\d{1,6} of "
    "\\d|\\btp_size=|"
    "distributed training: False|clients joined|tdt "
    "result = -?\\d+, device is "};

/// Memory of the matcher, bytes; it drops its states when it is full, and goes on.
constexpr int64_t matcherBytes = 64 * 1024 * 1024;

re2::RE2::Options patternOptions()
{
    re2::RE2::Options options;
    options.set_max_mem(matcherBytes);
    options.set_log_errors(false);
    return options;
}

/// Returns the numbers of the patterns in a line, ascending.
std::vector<int> matches(const re2::RE2::Set &patterns, std::string_view line)
{
    // Nearly every line matches nothing, and this test is the fastest.
    const re2::StringPiece text(line.data(), line.size()); // Newer versions take no std::string_view.
    std::vector<int> found;
    if (!patterns.Match(text, nullptr) || !patterns.Match(text, &found))
        return {};
    std::ranges::sort(found);
    return found;
}

Result<QByteArray> contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(problemOf(file)), path, {}};
    return file.readAll();
}

std::vector<ErrorEntry> builtInEntries()
{
    makeResourceAvailable();
    std::vector<ErrorEntry> all;
    const QDir folder(u":/rankdeck/errors"_s);
    const QStringList names = folder.entryList(QDir::Files, QDir::Name);
    for (const QString &name : names) {
        const auto text = contentOf(folder.filePath(name));
        const auto entries = text ? readErrorEntries(*text, name) : text.error();
        if (!entries)
            qFatal("%s", qPrintable(entries.error().sentence())); // The tests read the same files.
        all.insert(all.end(), entries->begin(), entries->end());
    }
    return all;
}

/// Returns the entries of the user's file; empty if there is none.
Result<std::vector<ErrorEntry>> userEntries()
{
    const QString path = ErrorCatalogue::userFile();
    if (!QFile::exists(path))
        return std::vector<ErrorEntry>();
    const auto text = contentOf(path);
    return text ? readErrorEntries(*text, path) : text.error();
}

std::vector<ErrorEntry> replaced(std::vector<ErrorEntry> entries, const std::vector<ErrorEntry> &by)
{
    for (const ErrorEntry &entry : by) {
        const auto old = std::ranges::find(entries, entry.id, &ErrorEntry::id);
        if (old == entries.end())
            entries.push_back(entry);
        else
            *old = entry;
    }
    return entries;
}

} // namespace

QString layerWord(ErrorEntry::Layer layer)
{
    return wordIn(layerWords, layer);
}

int ErrorEntry::powerOf(Layer layer, int weight)
{
    // A general error may stand around a wait: "ConnectionError: Connection closed by peer". One that no
    // entry knows may stand around any other.
    const bool isUnknown = weight <= unknownWeight;
    const bool isGeneral = layer == Layer::Own && weight <= generalWeight;
    const Layer below = isUnknown ? Layer::Hint : isGeneral ? Layer::Wrapper : layer;
    return (2 * int(below) + int(isUnknown || isGeneral)) * (mostWeight + 1) + weight;
}

QStringList ErrorEntry::filledIn(const QMap<QString, QString> &values) const
{
    QStringList filled = commands;
    for (const char *name : {"device", "node", "port", "pid", "rank", "log"}) {
        const QString value = values.value(QLatin1String(name));
        filled.replaceInStrings(u"{%1}"_s.arg(QLatin1String(name)), value.isEmpty()
                                                                        ? QString::fromLatin1(name).toUpper()
                                                                        : joinCommandLine({value}));
    }
    return filled;
}

const QString &CatalogueText::in(const QLocale &locale) const
{
    return locale.language() == QLocale::Chinese ? chinese : english;
}

Result<std::vector<ErrorEntry>> readErrorEntries(const QByteArray &json, const QString &where)
{
    const auto document = parseJson(json);
    if (!document || !document->is_object() || !document->contains("entries") ||
        !document->at("entries").is_array())
        return Error{tr("this is not an error catalogue"), where,
                     tr("It holds one JSON object with a list named \"entries\".")};
    std::vector<ErrorEntry> entries;
    QSet<QString> ids;
    for (const Json &item : document->at("entries")) {
        ErrorEntry entry;
        Complaint complaint = readEntry(item, entry);
        if (complaint.isEmpty() && ids.contains(entry.id))
            complaint = tr("the id is used twice");
        if (!complaint.isEmpty()) {
            QString place = tr("entry %1").arg(entries.size() + 1);
            if (!entry.id.isEmpty())
                place += u" (%1)"_s.arg(entry.id);
            return Error{complaint, u"%1: %2"_s.arg(where, place), {}};
        }
        ids << entry.id;
        entries.push_back(std::move(entry));
    }
    return entries;
}

Result<qint64> scanForErrors(QIODevice &input, const ErrorCatalogue &catalogue,
                             const std::function<void(const KnownLine &)> &take)
{
    return scanLines(input, [&](const ScannedLine &scanned) {
        const QByteArrayView text = scanned.text;
        const ErrorEntry *entry = catalogue.bestFor({text.data(), std::size_t(text.size())});
        // A colour's escape sequence ends in a letter, which hides where the word behind it begins.
        if (!entry && text.contains('\x1b'))
            entry = catalogue.bestFor(AnsiDecoder::plainText(text).toStdString());
        if (entry)
            take({*entry, scanned.line, text});
        return true;
    });
}

struct ErrorCatalogue::Content {
    std::vector<ErrorEntry> entries;
    /// Numbered as the entries are; those of the signs follow.
    re2::RE2::Set patterns{patternOptions(), re2::RE2::UNANCHORED};
};

ErrorCatalogue::ErrorCatalogue(std::shared_ptr<const Content> content)
    : m_content(std::move(content))
{
}

ErrorCatalogue ErrorCatalogue::load()
{
    const auto own = userEntries();
    auto all = fromEntries(replaced(builtInEntries(), own ? *own : std::vector<ErrorEntry>()));
    if (own && all)
        return *all;
    // Only the user's patterns can be wrong: those that are compiled in are tested.
    Error error = own ? all.error() : own.error();
    if (own)
        error.where = u"%1: %2"_s.arg(userFile(), error.where);
    ErrorCatalogue catalogue = *fromEntries(builtInEntries());
    catalogue.m_userFileError = error;
    return catalogue;
}

Result<ErrorCatalogue> ErrorCatalogue::fromEntries(std::vector<ErrorEntry> entries)
{
    std::ranges::stable_sort(entries, std::ranges::greater(), &ErrorEntry::power);
    auto content = std::make_shared<Content>();
    std::string reason;
    for (const ErrorEntry &entry : entries) {
        if (content->patterns.Add(entry.pattern, &reason) < 0)
            return Error{
                tr("the pattern is not a regular expression: %1").arg(QString::fromStdString(reason)),
                entry.id, tr("See the syntax of RE2.")};
    }
    for (const char *pattern : signPatterns)
        content->patterns.Add(pattern, &reason);
    content->entries = std::move(entries);
    if (!content->patterns.Compile())
        return Error{tr("the patterns need more memory than allowed"), {}, {}};
    return ErrorCatalogue(std::move(content));
}

QString ErrorCatalogue::userFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           u"/rankdeck/errors.json"_s;
}

const std::vector<ErrorEntry> &ErrorCatalogue::entries() const
{
    return m_content->entries;
}

LineSigns ErrorCatalogue::signsOf(std::string_view line) const
{
    const std::vector<int> found = matches(m_content->patterns, line);
    const auto known = static_cast<int>(entries().size());
    LineSigns signs;
    if (!found.empty() && found.front() < known)
        signs.entry = &entries()[static_cast<std::size_t>(found.front())];
    signs.isTracebackHead = std::ranges::binary_search(found, known + TracebackHead);
    signs.isErrorWord = std::ranges::binary_search(found, known + ErrorWord);
    signs.isFactWord = std::ranges::binary_search(found, known + FactWord);
    return signs;
}

std::vector<const ErrorEntry *> ErrorCatalogue::allFor(std::string_view line) const
{
    std::vector<const ErrorEntry *> all;
    for (const int each : matches(m_content->patterns, line)) {
        if (each < static_cast<int>(entries().size()))
            all.push_back(&entries()[static_cast<std::size_t>(each)]);
    }
    return all;
}

const ErrorEntry *ErrorCatalogue::find(const QString &code) const
{
    for (const ErrorEntry &entry : m_content->entries) {
        const QString afterFamily = entry.id.section('-'_L1, 1);
        if (entry.id.compare(code, Qt::CaseInsensitive) == 0 ||
            afterFamily.compare(code, Qt::CaseInsensitive) == 0)
            return &entry;
    }
    // One entry may stand for several codes.
    return bestFor(code.toUpper().toStdString());
}

} // namespace rankdeck
