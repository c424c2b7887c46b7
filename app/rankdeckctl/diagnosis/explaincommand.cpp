#include "base/listcomma.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "log/line/ansidecoder.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"

#include <cstdio>
#include <unordered_set>

namespace rankdeck
{

namespace
{

constexpr int nothingKnown = 1;
constexpr qsizetype shownBytes = 2048;

/// Prints an entry, below the line of the log that it explains.
void printEntry(const ErrorEntry &entry)
{
    const QLocale locale;
    print(visibleText(withColon(entry.id, entry.title.in(locale))));
    print(u"  "_s + visibleText(entry.meaning.in(locale)));
    print(u"  "_s + visibleText(entry.mend.in(locale)));
    for (const QString &command : entry.commands)
        print(u"      "_s + visibleText(command));
    if (!entry.source.isEmpty())
        print(u"  "_s + visibleText(tr("Source: %1").arg(entry.source)));
}

JsonText entryJson(const ErrorEntry &entry)
{
    const QLocale locale;
    return {{"id", entry.id},
            {"weight", entry.weight},
            {"title", entry.title.in(locale)},
            {"meaning", entry.meaning.in(locale)},
            {"mend", entry.mend.in(locale)},
            {"commands", entry.commands},
            {"source", entry.source}};
}

/// Prints each entry at once, so that memory does not grow with the size of the files.
class Printer
{
public:
    explicit Printer(bool asJson)
        : m_asJson(asJson)
    {
    }

    void add(const QString &file, const KnownLine &known)
    {
        const QString text =
            AnsiDecoder::plainText(known.text.first(std::min(known.text.size(), shownBytes)));
        const qint64 number = known.line.value + 1;
        if (m_asJson) {
            JsonText json = entryJson(known.entry);
            json.insert("file", file);
            json.insert("line", number);
            json.insert("text", text);
            printObject(json);
            return;
        }
        print(visibleText(u"%1:%2: %3"_s.arg(file).arg(number).arg(text)));
        if (m_told.insert(&known.entry).second)
            printEntry(known.entry);
        else
            print(tr("%1: see above").arg(known.entry.id));
        m_isEmpty = false;
    }

    void add(const ErrorEntry &entry)
    {
        if (m_asJson)
            printObject(entryJson(entry));
        else
            printEntry(entry);
        m_isEmpty = false;
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
    static constexpr QLatin1String start{"{\"schema\":1,\"entries\":["};

    void printObject(const JsonText &json)
    {
        print((m_isEmpty ? start : ","_L1) + visibleJson(json.text()));
        m_isEmpty = false;
    }

    bool m_asJson;
    bool m_isEmpty = true;
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

} // namespace

int explainCommand(const Options &options)
{
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    if (const auto &error = catalogue.userFileError())
        return refuse(*error);
    Printer printer(options.has("--json"));
    for (const QString &what : options.positional) {
        if (what == "-"_L1 || QFileInfo::exists(what)) {
            if (const auto error = scanPath(what, catalogue, printer))
                return printer.finish(error);
        } else if (what.contains('/'_L1)) {
            return printer.finish(Error{tr("file not found"), what, {}});
        } else if (const ErrorEntry *entry = catalogue.find(what)) {
            printer.add(*entry);
        }
    }
    return printer.finish();
}

} // namespace rankdeck
