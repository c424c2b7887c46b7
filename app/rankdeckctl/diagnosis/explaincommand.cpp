#include "commands.h"
#include "diagnosis/catalogue/errorscan.h"
#include "json.h"
#include "log/ansidecoder.h"
#include "options.h"
#include "output.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QLocale>

#include <cstdio>
#include <unordered_set>

namespace rankdeck
{

namespace
{

constexpr int nothingKnown = 1;
constexpr qsizetype shownBytes = 2048;

QString tr(const char *text)
{
    return QCoreApplication::translate("explaincommand", text);
}

/// What a user reads of an entry, below the line that tells of it.
void printEntry(const ErrorEntry &entry)
{
    const QLocale locale;
    print(visibleText(QStringLiteral("%1: %2").arg(entry.id, entry.title.in(locale))));
    print(QStringLiteral("  ") + visibleText(entry.meaning.in(locale)));
    print(QStringLiteral("  ") + visibleText(entry.mend.in(locale)));
    for (const QString &command : entry.commands)
        print(QStringLiteral("      ") + visibleText(command));
    if (!entry.source.isEmpty())
        print(QStringLiteral("  ") + visibleText(tr("Source: %1").arg(entry.source)));
}

nlohmann::json toJson(const ErrorEntry &entry)
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

/// Prints what it is told of as it comes: memory does not grow with what the files hold.
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
            nlohmann::json json = toJson(known.entry);
            json["file"] = file;
            json["line"] = number;
            json["text"] = text;
            printObject(json);
            return;
        }
        print(visibleText(QStringLiteral("%1:%2: %3").arg(file).arg(number).arg(text)));
        if (m_told.insert(&known.entry).second)
            printEntry(known.entry);
        else
            print(tr("%1: see above").arg(known.entry.id));
        m_isEmpty = false;
    }

    void add(const ErrorEntry &entry)
    {
        if (m_asJson)
            printObject(toJson(entry));
        else
            printEntry(entry);
        m_isEmpty = false;
    }

    /// The program's exit code.
    int finish() const
    {
        if (m_asJson)
            print(m_isEmpty ? QStringLiteral("[]") : QStringLiteral("]"));
        else if (m_isEmpty)
            say(tr("No known error."));
        return m_isEmpty ? nothingKnown : 0;
    }

private:
    void printObject(const nlohmann::json &json)
    {
        print((m_isEmpty ? QStringLiteral("[") : QStringLiteral(",")) + visibleJson(jsonText(json)));
        m_isEmpty = false;
    }

    bool m_asJson;
    bool m_isEmpty = true;
    std::unordered_set<const ErrorEntry *> m_told;
};

std::optional<Error> scan(const QString &path, const ErrorCatalogue &catalogue, Printer &printer)
{
    const bool isInput = path == QLatin1String("-");
    const QString name = isInput ? tr("standard input") : path;
    QFile file(path);
    const bool isOpen = isInput ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                : file.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    if (!isOpen)
        return Error{tr("cannot be read: %1").arg(file.errorString()), name, {}};
    const auto lines =
        scanForErrors(file, catalogue, [&](const KnownLine &known) { printer.add(name, known); });
    return lines ? std::nullopt : std::optional(Error{lines.error().what, name, {}});
}

} // namespace

int explainCommand(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments,
        {.switches = {QStringLiteral("--json")}, .leastPositional = 1, .mostPositional = OptionNames::any});
    if (!options)
        return refuse(options.error());
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    if (const auto &error = catalogue.userFileError())
        return refuse(*error);
    Printer printer(options->has("--json"));
    for (const QString &what : options->positional) {
        if (what == QLatin1String("-") || QFileInfo::exists(what)) {
            if (const auto error = scan(what, catalogue, printer))
                return refuse(*error);
        } else if (what.contains(QLatin1Char('/'))) {
            return refuse({tr("there is no such file"), what, {}});
        } else if (const ErrorEntry *entry = catalogue.find(what)) {
            printer.add(*entry);
        }
    }
    return printer.finish();
}

} // namespace rankdeck
