#pragma once

#include "launch/text/environmentrules.h"

#include <QRegularExpression>

namespace rankdeck
{

/// A whole number in a range; both ends belong to it.
struct NumberRule {
    qint64 least = 0;
    qint64 most = 0;
    int decimals = 0;   ///< Places that a fraction may have; 0: whole numbers only.
    int multipleOf = 1; ///< The number must be a multiple of this.
};

/// The rule for one value: a number, one of a few words, or a fraction from 0 to 1.
struct ValueRule {
    std::optional<NumberRule> number = {};
    QStringList words = {};   ///< Allowed besides `number`.
    bool ignoresCase = false; ///< For words and pattern.
    bool isFraction = false;
    bool isOpen = false; ///< Other values may exist: they are warned of.

    bool allows(const QString &value) const;
    /// Returns the allowed values, in words: "a whole number from 1 to 7", "one of 0, 1".
    QString inWords() const;
    /// Returns the allowed value that `value` most likely means; empty: cannot be guessed.
    QString nearest(const QString &value) const;
};

/// The documented rule for one environment variable.
struct VariableRule {
    QString name;
    ValueRule value;                        ///< Empty: see the other rules.
    std::optional<NumberRule> advised;      ///< The range within that of `value` in which it works well.
    std::optional<QRegularExpression> form; ///< Form of the whole value.
    QMap<QString, ValueRule> items;         ///< Rules for the items of a list of key:value.
    bool mayHaveOtherKeys = false;          ///< In that list.
    QString separators;                     ///< Between the items.
    QStringList examples;                   ///< Values that have the form.
    bool isVoidWithSpaces = false;          ///< One space makes the whole value void.
    QString needed;                         ///< The variable without which it has no effect.
    QString neededValue;                    ///< Value that the other variable needs; empty: any.
    QString option;                         ///< The option of Rankdeck that switches it off.
    QString replacedBy;                     ///< Its newer name.
};

/// Two variables that do not go together.
struct VariableConflict {
    QString variable;
    QString value; ///< Empty: any.
    QString other;
    QString otherValue;     ///< Empty: any.
    bool isError = false;   ///< The library refuses both together.
    bool overrides = false; ///< `variable` has no effect while `other` is set so.
};

struct VariableRules {
    std::vector<VariableRule> variables;
    std::vector<VariableConflict> conflicts;

    /// The rules of resources/variables/variables.json, read once.
    static const VariableRules &all();
    /// Fails if the text is not such a file; the error names the variable.
    static Result<VariableRules> fromJson(const QByteArray &text);
};

/// Compares each variable that is set with its rule, and with the conflicts. @param options of Rankdeck that
/// the launch uses, such as "--bind-core".
std::vector<EnvironmentProblem> problemsByRules(const VariableRules &rules, const VariableLookup &valueOf,
                                                const QStringList &options);

} // namespace rankdeck
