#pragma once

#include "launch/spec/launchspec.h"

#include <functional>
#include <vector>

namespace rankdeck
{

/// One option of a launcher's command line, which converts between its text and a spec.
struct LaunchOption {
    /// Where --help lists it.
    enum class Group { Launcher, Logs, Environment, Nodes, Terminal, Watching, StartAndEnd };

    QString name;      ///< "--worker_num".
    QString valueName; ///< Name of its value in --help; empty: a switch, which reads an empty text.
    QString help;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;
    /// Returns its values, one for each time that it is given; none if it is not given.
    std::function<QStringList(const LaunchSpec &)> write;
    Group group = Group::Launcher;
};

using LaunchOptions = std::vector<LaunchOption>;

/// Reaches one field of a spec: a member, or a member of one of its groups of options.
template <typename T>
class SpecField
{
public:
    SpecField(T LaunchSpec::*member)
        : m_reach([member](LaunchSpec &spec) -> T & { return spec.*member; })
    {
    }
    template <typename Group>
    SpecField(Group LaunchSpec::*group, T Group::*member)
        : m_reach([group, member](LaunchSpec &spec) -> T & { return spec.*group.*member; })
    {
    }

    T &operator()(LaunchSpec &spec) const { return m_reach(spec); }
    T valueIn(LaunchSpec spec) const { return m_reach(spec); }

private:
    std::function<T &(LaunchSpec &)> m_reach;
};

// Options that are one field of the spec. `usage` is "--name VALUE", as --help shows it.

LaunchOption numberOption(const char *usage, const SpecField<int> &field, const QString &help);
LaunchOption textOption(const char *usage, const SpecField<QString> &field, const QString &help);
/// May be given several times.
LaunchOption listOption(const char *usage, const SpecField<QStringList> &field, const QString &help);
/// Sets the field to `given`.
LaunchOption switchOption(const char *name, const SpecField<bool> &field, bool given, const QString &help);

/// Fails if the text is not a whole number; the error names `option`.
Result<int> readWholeNumber(const QString &text, const QString &option);

/// Adds "NAME=VALUE" to `variables`; the error names `option`.
std::optional<Error> readVariable(QMap<QString, QString> &variables, const QString &text,
                                  const QString &option);
/// Returns one text for readVariable() for each variable.
QStringList writtenVariables(const QMap<QString, QString> &variables);

/// Adds options to a list, all of them in one group of --help.
void addOptions(LaunchOptions &options, LaunchOption::Group group, const LaunchOptions &more);

/// Returns an option's name as it is compared: '-' and '_' are alike in it.
QString comparedName(QString name);

/// A launcher's command line: options, then the command, which keeps its own options. Reads as argparse does:
/// `--option VALUE`, `--option=VALUE`, any beginning that only one of the launcher's own options has, and
/// "--" before the command where that begins with "-". In a name '-' and '_' are alike.
struct LaunchCommandLine {
    LaunchSpec defaults;
    LaunchOptions own;              ///< The launcher's.
    LaunchOptions common;           ///< Every launcher's, as commonOptions().
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
