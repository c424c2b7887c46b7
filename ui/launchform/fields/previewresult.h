#pragma once

#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "ranktable/rules/ranktablecheck.h"

namespace rankdeck
{

/// The plan of a spec that is not launched yet, and the problems found.
struct PreviewResult {
    LaunchSpec spec;
    QString tablePath;   ///< The rank table that is read; empty for none.
    QString tableStatus; ///< Status of a table that is not completed; else empty.
    /// The findings about the rank table; absent if it cannot be read or is not completed.
    std::optional<TableCheck> check;
    QString defaultTableVariable; ///< The variable that names the default table; may be empty.
    QString defaultTablePath;     ///< The table that is read if the field is empty.
    QString defaultConvertedPath; ///< Where a converted table goes if the field is empty.
    /// A plan together with errors cannot be carried out here.
    std::optional<LaunchPlan> plan;
    QList<Error> errors;

    bool operator==(const PreviewResult &) const = default;
};

/// Returns the option that `error` is about, as normalOption() writes it; empty if it is about none. The
/// option is named by Error::where ("--log-dir", "command", or a file that an option names), else by
/// Error::mend.
QString optionOf(const Error &error, const PreviewResult &context);

/// Returns an option's name for comparisons: launchers write "--log_dir" or "--log-dir".
QString normalOption(QString name);

/// Returns `error` as a sentence to stand beside the field of `option`: without the option's name and without
/// the directory of the rank table, which the field shows. With an empty `option` nothing is left out.
QString sentenceAt(const QString &option, const Error &error, const PreviewResult &context = {});

/// Returns `path` for the user; the run directory, which does not exist yet, is named in words.
QString shownPath(const QString &path);

} // namespace rankdeck
