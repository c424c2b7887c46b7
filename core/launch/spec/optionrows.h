#pragma once

#include "launch/spec/launchspec.h"

#include <concepts>
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

/// Returns the name of the part of a spec that has the member; empty: it is a member of the spec itself.
template <typename Part, typename T>
constexpr const char *partOf(T Part::*)
{
    return std::same_as<Part, CommonOptions>      ? "common"
           : std::same_as<Part, NodeOptions>      ? "nodes"
           : std::same_as<Part, MsrunOptions>     ? "msrun"
           : std::same_as<Part, ProcessesOptions> ? "processes"
                                                  : "";
}

template <typename Part, typename T>
T &valueOf(LaunchSpec &spec, T Part::*member)
{
    if constexpr (std::same_as<Part, CommonOptions>)
        return spec.common.*member;
    else if constexpr (std::same_as<Part, NodeOptions>)
        return spec.nodes.*member;
    else if constexpr (std::same_as<Part, MsrunOptions>)
        return spec.msrun.*member;
    else if constexpr (std::same_as<Part, ProcessesOptions>)
        return spec.processes.*member;
    else
        return spec.*member;
}

/// The way to a member of a spec, or of one of its parts.
template <auto member>
auto &fieldOf(LaunchSpec &spec)
{
    return valueOf(spec, member);
}

/// Returns the value of a field.
template <typename T>
const T &valueIn(const LaunchSpec &spec, SpecField<T> field)
{
    return field(const_cast<LaunchSpec &>(spec));
}

/// A field and its place in JSON.
struct SpecMember {
    AnyField field = {};
    const char *part = "";     ///< The object around it, "common"; empty: none.
    const char *key = nullptr; ///< Null: the name of its option.
};

template <auto member>
constexpr SpecMember at(const char *key = nullptr)
{
    return {fieldOf<member>, partOf(member), key};
}

/// Values that a number may have. The largest int is no limit; neither is the least, which the form then
/// shows as -1.
struct OptionRange {
    int least = std::numeric_limits<int>::min();
    int most = std::numeric_limits<int>::max();
};

constexpr OptionRange from(int least, int most = OptionRange().most)
{
    return {least, most};
}

/// One option of a launch. Its texts are English, for tr().
struct OptionRow {
    SpecMember member;
    /// "--stall-after SECONDS", as --help shows it; a word without "--" is the name of a field in the form
    /// alone. Null: neither. A switch that begins with "--no-" sets its field to false.
    const char *usage;
    OptionTopic topic;
    const char *help;     ///< In --help; %1 is the default.
    const char *label;    ///< In the launch form, with its mnemonic; null: the form does not show the option.
    const char *formHelp; ///< Without the default, which is added.
    OptionRange range;
    /// In the form, in place of the least number, or in an empty field: "never".
    const char *unset;
    const char *ownUnit = nullptr;    ///< Follows the number in the form, where the usage does not tell it.
    const char *ownChoices = nullptr; ///< As choices(), where the usage does not tell them.
    /// Label in the preferences, which have the value of a new launch form; null: they do not. For numbers.
    const char *preference = nullptr;

    constexpr OptionRow withUnit(const char *unit) const { return with(&OptionRow::ownUnit, unit); }
    constexpr OptionRow withChoices(const char *words) const { return with(&OptionRow::ownChoices, words); }
    constexpr OptionRow withPreference(const char *text) const { return with(&OptionRow::preference, text); }

    /// The field, of type T.
    template <typename T>
    SpecField<T> field() const
    {
        return std::get<SpecField<T>>(member.field);
    }
    /// "--stall-after"; empty without an option.
    QString name() const { return QString::fromLatin1(usage).section(' '_L1, 0, 0); }
    /// "SECONDS"; empty for a switch.
    QString valueName() const { return QString::fromLatin1(usage).section(' '_L1, 1); }
    bool isOption() const { return usage && *usage == '-'; }
    /// What a switch sets its field to.
    bool whenGiven() const { return !name().startsWith("--no-"_L1); }
    /// " s", in the user's language.
    QString unit() const;
    /// "auto|fixed": the words to choose from, and … if another may be typed; empty: any text.
    QString choices() const;
    /// "stall_after", in its part of the JSON.
    QString jsonKey() const;

private:
    constexpr OptionRow with(const char *OptionRow::*text, const char *value) const
    {
        OptionRow row = *this;
        row.*text = value;
        return row;
    }
};

constexpr OptionRow row(SpecMember member, const char *usage = nullptr, OptionTopic topic = {},
                        const char *help = nullptr, const char *label = nullptr,
                        const char *formHelp = nullptr, OptionRange range = {}, const char *unset = nullptr)
{
    return {member, usage, topic, help, label, formHelp, range, unset};
}
constexpr OptionRow row(SpecMember member, const char *usage, OptionTopic topic, const char *help,
                        const char *label, const char *formHelp, const char *unset)
{
    return {member, usage, topic, help, label, formHelp, {}, unset};
}

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

/// Whether one of the rows has the field of `row`.
bool haveFieldOf(OptionRows rows, const OptionRow &row);

/// Returns "logDir" for "--log_dir" and for "--log-dir": names its editor, or its value in the settings.
QString idOf(const QString &option);

/// Returns the error of the first number that is out of its row's range.
std::optional<Error> outOfRange(OptionRows rows, const LaunchSpec &spec);
/// The same for a value whose range depends on other options.
std::optional<Error> outOfRange(const QString &option, int value, const OptionRange &range);

} // namespace rankdeck
