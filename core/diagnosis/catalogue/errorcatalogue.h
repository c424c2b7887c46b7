#pragma once

#include "base/result.h"
#include "log/line/logtypes.h"

#include <QIODevice>
#include <QLocale>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck
{

/// A text of the catalogue in each of its languages.
struct CatalogueText {
    QString english;
    QString chinese; ///< Simplified.

    /// Chinese where that is the locale's language, else English.
    const QString &in(const QLocale &locale) const;
};

/// A known error: the pattern of its lines, and advice for the reader.
struct ErrorEntry {
    static constexpr int leastWeight = 1;
    static constexpr int mostWeight = 100;
    /// Up to this weight an entry stands for a kind of error, as ValueError; the line explains more.
    static constexpr int generalWeight = 30;
    /// Up to this weight an entry stands for exceptions of any kind.
    static constexpr int unknownWeight = 15;

    /// What a matching line tells of the process that printed it; of lines that stand together, a later layer
    /// explains more.
    enum class Layer {
        Hint,         ///< Advice that a program gives with any error.
        Consequence,  ///< It was ended, or lost what others had for it, since they ended.
        Wrapper,      ///< Passes another error on, or says only that something failed.
        Wait,         ///< It waited for another process in vain, or lost it.
        Disagreement, ///< It and another process do not agree.
        Own,          ///< It failed by itself.
        Setting,      ///< What it was given does not fit: a variable, a port, a version, a file.
        Device,       ///< Its NPU or a link failed.
    };

    QString id;          ///< Stable: the family, a hyphen, then the code or a name: "hccl-EI0006".
    std::string pattern; ///< RE2 syntax, UTF-8; found anywhere in a line.
    Layer layer = Layer::Own;
    /// Orders entries of one layer, leastWeight to mostWeight: the more a line explains, the greater.
    int weight = mostWeight;
    CatalogueText title;   ///< One clause without a full stop.
    CatalogueText meaning; ///< The event that the line reports.
    CatalogueText mend;    ///< Advice to the user.
    /// For a shell, to copy: capitals mark words that the user must fill in, "{device}", "{node}", "{port}",
    /// "{pid}", "{rank}" and "{log}" those that may be known; see filledIn().
    QStringList commands;
    QString source;  ///< The document or repository that the fact is from.
    QString example; ///< A line that the pattern matches.

    /// Returns how much a line of a layer and weight explains among those that stand with it.
    static int powerOf(Layer layer, int weight);
    int power() const { return powerOf(layer, weight); }
    /// Returns the commands with values by name, as words of a shell; of those without a value the name in
    /// capitals.
    QStringList filledIn(const QMap<QString, QString> &values = {}) const;
};

/// "hint", "consequence" and so on: the names of layers in files.
QString layerWord(ErrorEntry::Layer layer);

/// Entries from JSON, `{"entries": [{"id", "pattern", "title", "meaning", "mend", "weight", "layer",
/// "commands", "source", "example"}]}`; the last five may be left out. "layer" is "hint", "consequence",
/// "wrapper", "wait", "disagreement", "own", "setting" or "device". Files of 0.2.0 and earlier have "blame"
/// in its place: "self", "peer", "pair" or "nobody". A text is an object with "en" and "zh_CN", or one string
/// for both. Fails if a key is missing, unknown or of another type, or if an id occurs twice. `where` names
/// the file.
Result<std::vector<ErrorEntry>> readErrorEntries(const QByteArray &json, const QString &where);

/// Why a line matters for a diagnosis.
struct LineSigns {
    const ErrorEntry *entry = nullptr; ///< The one that explains most of those whose pattern is in the line.
    bool isTracebackHead = false;      ///< Python's traceback, or a dump of faulthandler.
    bool isErrorWord = false;          ///< "ERROR" and the like stand in it.
    bool isFactWord = false;           ///< It tells of ranks and timeouts.

    bool isNothing() const { return !entry && !isTracebackHead && !isErrorWord && !isFactWord; }
};

/// All known errors; finds those in a log line in one linear pass (RE2). Cheap to copy; for any thread.
class ErrorCatalogue
{
public:
    /// Loads the built-in entries (resources/errors) and those of userFile(), which add to them or replace
    /// those with the same id. Takes some milliseconds and reads that file: not for the GUI thread. Ignores
    /// an unusable user file; userFileError() returns the reason.
    static ErrorCatalogue load();
    /// Fails if a pattern is not a regular expression; `where` is the entry's id.
    static Result<ErrorCatalogue> fromEntries(std::vector<ErrorEntry> entries);

    /// $XDG_CONFIG_HOME/rankdeck/errors.json, in the form that readErrorEntries() takes.
    static QString userFile();
    const std::optional<Error> &userFileError() const { return m_userFileError; }

    /// Those that explain most first; of equal ones, as they were given.
    const std::vector<ErrorEntry> &entries() const;

    LineSigns signsOf(std::string_view line) const;
    /// Returns signsOf(line).entry.
    const ErrorEntry *bestFor(std::string_view line) const { return signsOf(line).entry; }
    /// Returns all entries whose pattern is in the line, the one that explains most first.
    std::vector<const ErrorEntry *> allFor(std::string_view line) const;
    /// Returns the entry for a code or an id ("EI0006", "hccl-EI0006", "507035"), in any case, or null.
    const ErrorEntry *find(const QString &code) const;

private:
    struct Content;

    explicit ErrorCatalogue(std::shared_ptr<const Content> content);

    std::shared_ptr<const Content> m_content;
    std::optional<Error> m_userFileError;
};

/// A line that reports a known error.
struct KnownLine {
    const ErrorEntry &entry;
    LineNumber line;
    QByteArrayView text; ///< Without its line end; for a long line, the piece that reports the error.
};

/// Reads `input` to its end and passes every line that reports a known error to `take`, in order; `text` is
/// valid only during the call. Uses constant memory: a line of more than 64 KiB is read in pieces, so a
/// message across a border may be missed, and the line may be passed more than once. Blocks. Returns the
/// number of lines, including an unfinished last one. Fails if `input` cannot be read on.
Result<qint64> scanForErrors(QIODevice &input, const ErrorCatalogue &catalogue,
                             const std::function<void(const KnownLine &)> &take);

} // namespace rankdeck
