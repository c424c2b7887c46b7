#pragma once

#include "launch/spec/launchspec.h"

#include <limits>
#include <span>
#include <variant>
#include <vector>

// Each option of a launch is one row. JSON, command lines, --help, completion, the ranges that planning
// checks, the launch form and the preferences are made from the rows.

namespace rankdeck
{

/// Where --help lists an option.
enum class OptionTopic { Launcher, Logs, Environment, Nodes, Terminal, Watching, StartAndEnd };

/// Leads from a spec to one of its fields.
template <typename T>
using SpecField = T &(*)(LaunchSpec &);

/// The field of a row; std::monostate: it has none of its own.
using AnyField =
    std::variant<std::monostate, SpecField<int>, SpecField<bool>, SpecField<QString>, SpecField<QStringList>,
                 SpecField<QList<QStringList>>, SpecField<QList<int>>, SpecField<QMap<QString, QString>>,
                 SpecField<QMap<int, QMap<QString, QString>>>, SpecField<QMap<int, QStringList>>,
                 SpecField<QMap<int, QString>>, SpecField<QMap<int, Streams>>, SpecField<Streams>>;

inline LaunchSpec &partOf(LaunchSpec &spec, auto LaunchSpec::*)
{
    return spec;
}
inline CommonOptions &partOf(LaunchSpec &spec, auto CommonOptions::*)
{
    return spec.common;
}
inline NodeOptions &partOf(LaunchSpec &spec, auto NodeOptions::*)
{
    return spec.nodes;
}
inline MsrunOptions &partOf(LaunchSpec &spec, auto MsrunOptions::*)
{
    return spec.msrun;
}
inline ProcessesOptions &partOf(LaunchSpec &spec, auto ProcessesOptions::*)
{
    return spec.processes;
}
/// The way to a member of a spec, or of one of its parts.
template <auto member>
auto &fieldOf(LaunchSpec &spec)
{
    return partOf(spec, member).*member;
}

/// Returns the value of a field.
template <typename T>
const T &valueIn(const LaunchSpec &spec, SpecField<T> field)
{
    return field(const_cast<LaunchSpec &>(spec));
}

/// Values that a number may have. The largest int is no limit; neither is the least, which the form then
/// shows as -1.
struct OptionRange {
    int least = std::numeric_limits<int>::min();
    int most = std::numeric_limits<int>::max();
};

/// How the launch form shows an option. The texts are English, for tr().
struct FormWords {
    const char *label = nullptr; ///< With its mnemonic; null: the form does not show the option.
    const char *help = nullptr;  ///< Without the default, which is added.
    /// Stands in place of the least number, or in an empty field: "never".
    const char *unset = nullptr;
    const char *unit = nullptr;    ///< Follows a number: " s".
    const char *choices = nullptr; ///< The texts to choose from, "auto|fixed"; null: any text.
};

/// One option of a launch. The texts are English, for tr().
struct OptionRow {
    /// In the JSON of a spec, "common.stall_after": in its object "common". Null: another row has the field.
    const char *key = nullptr;
    AnyField field = {};
    const char *usage = nullptr; ///< "--stall-after SECONDS", as --help shows it; null: it has no option.
    const char *help = nullptr;  ///< In --help; %1 is the default.
    OptionTopic topic = OptionTopic::Launcher;
    OptionRange range = {};
    FormWords form = {};
    bool whenGiven = true; ///< What a switch sets its field to.
    /// Label in the preferences, which have the value of a new launch form; null: they do not. For numbers.
    const char *preference = nullptr;

    /// "--stall-after"; empty without an option.
    QString name() const { return QString::fromLatin1(usage).section(QLatin1Char(' '), 0, 0); }
    /// "SECONDS"; empty for a switch.
    QString valueName() const { return QString::fromLatin1(usage).section(QLatin1Char(' '), 1); }
};

using OptionRows = std::span<const OptionRow>;

/// The options that every launcher has, in the order of --help but for their topics.
OptionRows commonRows();

// The own options of each launcher, in the order of --help.

OptionRows davincirunRows();
OptionRows msrunRows();
OptionRows processesRows();
OptionRows wrapRows();

/// Returns all these lists, and that of fields without an option. A field may have a row in several of them.
std::vector<OptionRows> allRows();

/// Returns the row of the option in one of the lists above; null if there is none.
const OptionRow *optionRow(OptionRows rows, const QString &name);

/// Returns "logDir" for "--log_dir" and for "--log-dir": names its editor, or its value in the settings.
QString idOf(const QString &option);

/// Returns the error of the first number that is out of its row's range.
std::optional<Error> outOfRange(OptionRows rows, const LaunchSpec &spec);
/// The same for a value whose range depends on other options.
std::optional<Error> outOfRange(const QString &option, int value, const OptionRange &range);

} // namespace rankdeck
