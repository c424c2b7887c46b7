#pragma once

#include "launch/spec/optionrows.h"

#include <functional>

namespace rankdeck
{

/// One option of a launcher's command line, which converts between its text and a spec.
struct LaunchOption {
    QString name;      ///< "--worker_num".
    QString valueName; ///< Name of its value in --help; empty: a switch, which reads an empty text.
    QString help;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;
    /// Returns its values, one for each time that it is given; none if it is not given.
    std::function<QStringList(const LaunchSpec &)> write;
    OptionTopic topic = OptionTopic::Launcher; ///< Where --help lists it.
};

using LaunchOptions = std::vector<LaunchOption>;

/// Returns the options of the rows that have one.
/// @param defaults the launcher's defaults, which --help mentions.
LaunchOptions launchOptions(OptionRows rows, const LaunchSpec &defaults);

/// Fails if the text is not a whole number; the error names `option`.
Result<int> readWholeNumber(const QString &text, const QString &option);

/// Returns an option's name as it is compared: '-' and '_' are alike in it.
QString comparedName(QString name);

/// A launcher's command line: options, then the command, which keeps its own options. Reads as argparse does:
/// `--option VALUE`, `--option=VALUE`, any beginning that only one of the launcher's own options has, and
/// "--" before the command where that begins with "-". In a name '-' and '_' are alike.
struct LaunchCommandLine {
    LaunchSpec defaults;
    LaunchOptions own;              ///< The launcher's.
    LaunchOptions common;           ///< Every launcher's, of commonRows().
    QMap<QString, QString> synonym; ///< Other names of an option.
    QString commandName;            ///< What the command is in an error: "the script".
    QString helpName;               ///< The command of rankdeckctl whose --help lists the options.
    /// Checks a spec after reading; null if the launcher checks only when planning.
    std::optional<Error> (*problem)(const LaunchSpec &) = nullptr;

    /// @param switches options without a value that belong to the program; those given are added to `found`.
    /// Errors: an option that is unknown, ambiguous, without its value or with a wrong one, by name.
    Result<LaunchSpec> parse(const QStringList &arguments, const QStringList &switches = {},
                             QStringList *found = nullptr) const;
    /// Returns the words that parse() reads as `spec`, without the launcher's name and without defaults.
    QStringList arguments(const LaunchSpec &spec) const;

private:
    Result<LaunchOption> findOption(const QString &name, const QStringList &switches) const;
};

} // namespace rankdeck
