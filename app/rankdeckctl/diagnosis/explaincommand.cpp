#include "base/listcomma.h"
#include "diagnosis/failure/failureexplanation.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "log/line/ansidecoder.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"

#include <QBuffer>
#include <QRegularExpression>

#include <cstdio>
#include <unordered_set>

namespace rankdeck
{

namespace
{

constexpr int nothingKnown = 1;
constexpr qsizetype shownBytes = 2048;

QString layerName(ErrorEntry::Layer layer)
{
    const std::array names{tr("advice given with any error"), tr("consequence of another failure"),
                           tr("passes another error on"),     tr("waited for another process"),
                           tr("two processes do not agree"),  tr("own error"),
                           tr("setting that does not fit"),   tr("device or link failed")};
    return names.at(static_cast<std::size_t>(layer));
}

/// Prints an entry, below the line of the log that it explains.
/// @param values see ErrorEntry::filledIn().
void printEntry(const ErrorEntry &entry, const QMap<QString, QString> &values = {})
{
    const QLocale locale;
    print(visibleText(withColon(entry.id, entry.title.in(locale))));
    print(u"  "_s + visibleText(entry.meaning.in(locale)));
    print(u"  "_s + visibleText(entry.mend.in(locale)));
    for (const QString &command : entry.filledIn(values))
        print(u"      "_s + visibleText(command));
    if (!entry.source.isEmpty())
        print(u"  "_s + visibleText(tr("Source: %1").arg(entry.source)));
}

JsonText entryJson(const ErrorEntry &entry)
{
    const QLocale locale;
    return {{"id", entry.id},
            {"layer", layerWord(entry.layer)},
            {"weight", entry.weight},
            {"title", entry.title.in(locale)},
            {"meaning", entry.meaning.in(locale)},
            {"mend", entry.mend.in(locale)},
            {"commands", entry.filledIn()},
            {"source", entry.source}};
}

/// Prints each entry at once, so that memory does not grow with the size of the files.
class Printer
{
public:
    Printer(const ErrorCatalogue &catalogue, bool asJson, bool sayWhy)
        : m_catalogue(catalogue)
        , m_asJson(asJson)
        , m_sayWhy(sayWhy)
    {
    }

    /// @param file empty for a line that was pasted.
    void add(const QString &file, const KnownLine &known)
    {
        const QString text =
            AnsiDecoder::plainText(known.text.first(std::min(known.text.size(), shownBytes)));
        const qint64 number = known.line.value + 1;
        const bool isPasted = file.isEmpty();
        if (m_asJson) {
            JsonText json = entryJson(known.entry);
            if (!isPasted) {
                json.insert("file", file);
                json.insert("line", number);
            }
            json.insert("text", text);
            if (m_sayWhy)
                json.insert("setAside", setAside(known));
            printObject(json);
            return;
        }
        if (!isPasted)
            print(visibleText(u"%1:%2: %3"_s.arg(file).arg(number).arg(text)));
        if (m_told.insert(&known.entry).second)
            printEntry(known.entry, {{u"port"_s, portIn(text)}});
        else
            print(tr("%1: see above").arg(known.entry.id));
        m_isEmpty = false;
        if (m_sayWhy)
            addToIncident(file, known);
    }

    void add(const ErrorEntry &entry)
    {
        if (m_asJson)
            printObject(entryJson(entry));
        else
            printEntry(entry);
        m_isEmpty = false;
    }

    /// Says which of the known lines that stand together explains most, and what was set aside.
    void endIncident()
    {
        if (m_incident.empty())
            return;
        const auto best =
            std::ranges::max_element(m_incident, {}, [](const KnownOf &each) { return each.entry->power(); });
        print(u"  "_s + visibleText(tr("Why %1: %2, line %3 of lines %4 to %5, which stand together.")
                                        .arg(best->entry->id, layerName(best->entry->layer))
                                        .arg(best->line)
                                        .arg(m_incident.front().line)
                                        .arg(m_incident.back().line)));
        QStringList aside;
        for (const KnownOf &each : m_incident) {
            for (const ErrorEntry *entry : each.all) {
                const QString words = u"%1 (%2)"_s.arg(entry->id, layerName(entry->layer));
                if (entry != best->entry && !aside.contains(words))
                    aside << words;
            }
        }
        if (!aside.isEmpty())
            print(u"  "_s + visibleText(tr("Set aside: %1").arg(aside.join(listComma()))));
        m_incident.clear();
    }

    /// Ends the output. Returns the program's exit code.
    int finish(const std::optional<Error> &error = {}) const
    {
        if (m_asJson)
            print((m_isEmpty ? start : ""_L1) +
                  (error ? u"],\"error\":%1}"_s.arg(visibleJson(jsonTextOf(*error))) : u"]}"_s));
        else if (m_isEmpty && !error)
            say(tr("No known error."));
        if (error)
            complain(visibleText(error->sentence().simplified()));
        return error ? unusableInput : m_isEmpty ? nothingKnown : 0;
    }

private:
    /// A known line, and all entries that match it.
    struct KnownOf {
        const ErrorEntry *entry = nullptr;
        qint64 line = 0;
        std::vector<const ErrorEntry *> all;
    };

    std::vector<const ErrorEntry *> allFor(const KnownLine &known) const
    {
        return m_catalogue.allFor(AnsiDecoder::plainText(known.text).toStdString());
    }
    QStringList setAside(const KnownLine &known) const
    {
        QStringList ids;
        for (const ErrorEntry *entry : allFor(known)) {
            if (entry != &known.entry)
                ids << entry->id;
        }
        return ids;
    }
    void addToIncident(const QString &file, const KnownLine &known)
    {
        constexpr qint64 mostBetween = 20;
        const qint64 line = known.line.value + 1;
        if (!m_incident.empty() && (file != m_file || line - m_incident.back().line > mostBetween))
            endIncident();
        m_file = file;
        m_incident.push_back({&known.entry, line, allFor(known)});
    }

    static constexpr QLatin1String start{"{\"schema\":1,\"entries\":["};

    void printObject(const JsonText &json)
    {
        print((m_isEmpty ? start : ","_L1) + visibleJson(json.text()));
        m_isEmpty = false;
    }

    const ErrorCatalogue &m_catalogue;
    bool m_asJson;
    bool m_sayWhy;
    bool m_isEmpty = true;
    std::vector<KnownOf> m_incident; ///< Known lines that stand together, for --why.
    QString m_file;                  ///< Theirs.
    std::unordered_set<const ErrorEntry *> m_told;
};

/// @param name of the file in messages.
std::optional<Error> scan(const QString &path, const QString &name, const ErrorCatalogue &catalogue,
                          Printer &printer)
{
    const bool isInput = path == "-"_L1;
    QFile file(path);
    const bool isOpen = isInput ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                : file.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    if (!isOpen)
        return Error{tr("cannot be read: %1").arg(problemOf(file)), name, {}};
    const auto lines =
        scanForErrors(file, catalogue, [&](const KnownLine &known) { printer.add(name, known); });
    printer.endIncident();
    return lines ? std::nullopt : std::optional(Error{lines.error().what, name, {}});
}

/// Scans every log that the state has.
/// @param nameOf returns the name of a log as it is shown.
template <typename NameOf>
std::optional<Error> scanAll(const Result<RunState> &state, const NameOf &nameOf,
                             const ErrorCatalogue &catalogue, Printer &printer)
{
    if (!state)
        return state.error();
    QStringList files;
    for (const ProcessPlan &process : state->plan->processes)
        files << process.logFile << process.stderrFile;
    files.removeAll(QString());
    files.removeDuplicates(); // Ranks may share a log.
    for (const QString &file : std::as_const(files)) {
        if (!QFileInfo::exists(file)) // Not in the bundle.
            continue;
        if (const auto error = scan(file, nameOf(file), catalogue, printer))
            return error;
    }
    return std::nullopt;
}

/// Explains a code, or lines that a user pasted, with colours as a terminal or `cat -v` shows them. Returns
/// false if none of them is known.
bool explainText(QString text, const ErrorCatalogue &catalogue, Printer &printer)
{
    static const QRegularExpression colour(u"(?:\\x1b|\\\\e|\\\\x1b|\\\\033|\\^\\[)\\[[0-9;]*m"_s);
    text.remove(colour);
    const ErrorEntry *code = text.contains(' '_L1) ? nullptr : catalogue.find(text);
    if (code)
        printer.add(*code);
    QByteArray bytes = code ? QByteArray() : text.toUtf8();
    QBuffer lines(&bytes);
    lines.open(QIODevice::ReadOnly);
    bool isKnown = code != nullptr;
    const auto scanned = scanForErrors(lines, catalogue, [&](const KnownLine &known) {
        printer.add(QString(), known);
        isKnown = true;
    });
    printer.endIncident();
    return scanned && isKnown;
}

/// Scans a log, a directory of logs, a report bundle, or with "-" standard input.
std::optional<Error> scanPath(const QString &path, const ErrorCatalogue &catalogue, Printer &printer)
{
    if (path == "-"_L1)
        return scan(path, tr("standard input"), catalogue, printer);
    if (BundleSource::isBundle(path)) {
        BundleSource bundle(path);
        const auto state = bundle.open();
        const auto nameOf = [&](const QString &file) {
            return u"%1:%2"_s.arg(path, bundle.nameOf(file));
        };
        return scanAll(state, nameOf, catalogue, printer);
    }
    if (QFileInfo(path).isDir())
        return scanAll(LogDirectory(path).open(), std::identity(), catalogue, printer);
    return scan(path, path, catalogue, printer);
}

/// Returns true if a word looks like the path of a file.
bool isPath(const QString &what)
{
    return what.contains('/'_L1) && std::ranges::none_of(what, [](QChar c) { return c.isSpace(); });
}

} // namespace

int explainCommand(const Options &options)
{
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    if (const auto &error = catalogue.userFileError())
        return refuse(*error);
    Printer printer(catalogue, options.has("--json"), options.has("--why"));
    for (const QString &what : options.positional) {
        if (what == "-"_L1 || QFileInfo::exists(what)) {
            if (const auto error = scanPath(what, catalogue, printer))
                return printer.finish(error);
        } else if (!explainText(what, catalogue, printer) && isPath(what)) {
            return printer.finish(Error{tr("file not found"), what, {}});
        }
    }
    return printer.finish();
}

} // namespace rankdeck
