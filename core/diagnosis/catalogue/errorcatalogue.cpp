#include "diagnosis/catalogue/errorcatalogue.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <algorithm>

// The macro declares a function of the global namespace.
static void makeResourceAvailable()
{
    Q_INIT_RESOURCE(errors);
}

namespace rankdeck
{

namespace
{

/// Bytes that the matcher may use; it starts anew when it has more states than that, and goes on.
constexpr int64_t matcherBytes = 64 * 1024 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("ErrorCatalogue", text);
}

re2::RE2::Options patternOptions()
{
    re2::RE2::Options options;
    options.set_max_mem(matcherBytes);
    options.set_log_errors(false);
    return options;
}

Result<QByteArray> contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), path, {}};
    return file.readAll();
}

std::vector<ErrorEntry> builtInEntries()
{
    makeResourceAvailable();
    std::vector<ErrorEntry> all;
    const QDir folder(QStringLiteral(":/rankdeck/errors"));
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

/// Where the user has no such file, nothing.
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
        const auto old = std::find_if(entries.begin(), entries.end(),
                                      [&](const ErrorEntry &known) { return known.id == entry.id; });
        if (old == entries.end())
            entries.push_back(entry);
        else
            *old = entry;
    }
    return entries;
}

} // namespace

struct ErrorCatalogue::Content {
    std::vector<ErrorEntry> entries;
    re2::RE2::Set patterns{patternOptions(), re2::RE2::UNANCHORED}; ///< Numbered as the entries are.
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
        error.where = QStringLiteral("%1: %2").arg(userFile(), error.where);
    ErrorCatalogue catalogue = *fromEntries(builtInEntries());
    catalogue.m_userFileError = error;
    return catalogue;
}

Result<ErrorCatalogue> ErrorCatalogue::fromEntries(std::vector<ErrorEntry> entries)
{
    std::stable_sort(entries.begin(), entries.end(),
                     [](const ErrorEntry &a, const ErrorEntry &b) { return a.weight > b.weight; });
    auto content = std::make_shared<Content>();
    for (const ErrorEntry &entry : entries) {
        std::string reason;
        if (content->patterns.Add(entry.pattern, &reason) < 0)
            return Error{tr("the pattern is no regular expression: %1").arg(QString::fromStdString(reason)),
                         entry.id, tr("See the syntax of RE2.")};
    }
    content->entries = std::move(entries);
    if (!content->patterns.Compile())
        return Error{tr("the patterns need more memory than they may have"), {}, {}};
    return ErrorCatalogue(std::move(content));
}

QString ErrorCatalogue::userFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/rankdeck/errors.json");
}

const std::vector<ErrorEntry> &ErrorCatalogue::entries() const
{
    return m_content->entries;
}

const ErrorEntry *ErrorCatalogue::bestFor(std::string_view line) const
{
    // Nearly every line matches nothing, and that is known sooner than which patterns match.
    const re2::RE2::Set &patterns = m_content->patterns;
    std::vector<int> found;
    if (!patterns.Match(line, nullptr) || !patterns.Match(line, &found) || found.empty())
        return nullptr;
    const int heaviest = *std::min_element(found.begin(), found.end());
    return &m_content->entries[static_cast<std::size_t>(heaviest)];
}

const ErrorEntry *ErrorCatalogue::find(const QString &code) const
{
    for (const ErrorEntry &entry : m_content->entries) {
        const QString afterFamily = entry.id.section(QLatin1Char('-'), 1);
        if (entry.id.compare(code, Qt::CaseInsensitive) == 0 ||
            afterFamily.compare(code, Qt::CaseInsensitive) == 0)
            return &entry;
    }
    // One entry may stand for several codes.
    return bestFor(code.toUpper().toStdString());
}

} // namespace rankdeck
