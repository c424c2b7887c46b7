#pragma once

#include "diagnosis/catalogue/errorentry.h"
#include "result.h"

#include <QString>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace rankdeck
{

/// All known errors, and which of them a line of a log tells of. However many patterns there are, a line is
/// looked at once, in time that grows with its length alone (RE2). Cheap to copy; any thread may use it.
class ErrorCatalogue
{
public:
    /// The entries that Rankdeck brings (resources/errors, compiled in), and those of userFile(), which add
    /// to them or, under the same id, replace them. Takes some milliseconds and reads that file: not for the
    /// GUI thread. A file of the user's that cannot be used is left out, and userFileError() says why.
    static ErrorCatalogue load();
    /// Error: a pattern that is no regular expression; `where` is the entry's id.
    static Result<ErrorCatalogue> fromEntries(std::vector<ErrorEntry> entries);

    /// $XDG_CONFIG_HOME/rankdeck/errors.json, in the form that readErrorEntries() takes.
    static QString userFile();
    const std::optional<Error> &userFileError() const { return m_userFileError; }

    /// Heaviest first; of equal weight, as they were given.
    const std::vector<ErrorEntry> &entries() const;

    /// The heaviest entry whose pattern is found in the line; null when none is.
    const ErrorEntry *bestFor(std::string_view line) const;
    /// The entry for a code or an id ("EI0006", "hccl-EI0006", "507035", "ERR00100"), whatever its case; null
    /// when there is none.
    const ErrorEntry *find(const QString &code) const;

private:
    struct Content;

    explicit ErrorCatalogue(std::shared_ptr<const Content> content);

    std::shared_ptr<const Content> m_content;
    std::optional<Error> m_userFileError;
};

} // namespace rankdeck
