#pragma once

#include "launch/launchoption.h"
#include "launch/launchspec.h"
#include "result.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// A launcher's command line: options, then the command, which keeps its own options. Read as argparse reads
/// it:
/// `--option VALUE`, `--option=VALUE`, any beginning that only one of the launcher's own options has, and
/// "--" before the command where that begins with "-".
struct LaunchCommandLine {
    LaunchSpec defaults;
    LaunchOptions own;              ///< The launcher's.
    LaunchOptions common;           ///< Every launcher's, as commonOptions().
    QMap<QString, QString> synonym; ///< Other spellings of an option's name.
    QString commandName;            ///< What --help calls the command: "COMMAND…".
    /// What is wrong with a spec as it was read, if the launcher looks at once.
    std::optional<Error> (*problem)(const LaunchSpec &) = nullptr;

    /// @param switches options without a value that belong to the program; those given are added to `found`.
    /// Errors: an option that is unknown, ambiguous, without its value or with a wrong one, by name.
    Result<LaunchSpec> parse(const QStringList &arguments, const QStringList &switches = {},
                             QStringList *found = nullptr) const;
    /// What parse() makes `spec` of, the launcher's name not included. Options at their default are left out.
    QStringList arguments(const LaunchSpec &spec) const;
    /// The options, one a line, for --help.
    QString help() const;

private:
    Result<LaunchOption> findOption(const QString &name) const;
};

} // namespace rankdeck
