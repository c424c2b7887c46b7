#pragma once

#include "base/tr.h"

#include <QMap>
#include <QProcessEnvironment>

#include <optional>

namespace rankdeck
{

/// The variables of a script, and what words become with them. Of $(…) only a date, a file's folder and its
/// name are known. What is not known stays as it is written, with a mark: see unsetIn() and unknownIn().
class ShellVariables
{
public:
    /// @param environment of variables that the script does not set; it outlives this.
    explicit ShellVariables(const QProcessEnvironment &environment)
        : m_environment(environment)
    {
    }

    static bool isAssignment(const QString &word);
    /// Carries out NAME=VALUE, NAME+=VALUE or NAME=(…); other words do nothing.
    void assign(const QString &assignment);
    void set(const QString &name, const QStringList &values) { m_values.insert(name, values); }
    void unset(const QString &name) { m_values.remove(name); }
    bool isSet(const QString &name) const { return m_values.contains(name); }
    /// Whether the processes of the script have it without an export.
    bool isInherited(const QString &name) const { return m_environment.contains(name); }
    QString value(const QString &name) const { return m_values.value(name).join(QLatin1Char(' ')); }

    /// Returns the words without their quotes; what an unquoted variable holds may become several.
    QStringList expanded(const QStringList &words) const;
    /// Returns a word without its quotes, as one text.
    QString valueOf(const QString &word) const { return fields(word, false).join(QLatin1Char(' ')); }
    /// Returns the value of an expression of numbers and variables, if it has one.
    std::optional<qint64> calculated(const QString &expression) const;

    /// Returns the first part of an expanded text that only a shell knows, such as $(hostname); else nothing.
    static QString unknownIn(const QString &text);
    /// Whether an expanded text has variables that nobody has set.
    static bool hasUnset(const QString &text);
    /// Returns an expanded text without marks: unset variables as they are written, or as nothing.
    static QString unmarked(const QString &text);
    static QString withoutUnset(const QString &text);

private:
    struct Expansion {
        QString value;
        qsizetype next; ///< Behind it.
    };

    QStringList fields(const QString &word, bool mayCut) const;
    QString expandedText(const QString &text) const;
    Expansion variableAt(const QString &text, qsizetype at) const;
    std::optional<QStringList> known(const QString &name) const;
    QString commandValue(const QString &text) const;

    const QProcessEnvironment &m_environment;
    QMap<QString, QStringList> m_values;
};

} // namespace rankdeck
