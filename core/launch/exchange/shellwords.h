#pragma once

#include "launch/exchange/shellscript.h"

#include <QRegularExpression>

namespace rankdeck
{

// Marks around what is not known: characters that no script has, of Unicode's private use area.
inline constexpr QChar unsetMark(0xf8f0);   ///< A variable that nobody has set, a wildcard.
inline constexpr QChar unknownMark(0xf8f1); ///< Only a shell knows the value.

QString marked(QChar mark, const QString &text);
QString unmarked(QString text);
/// Returns a text as bash sees it: what nobody has set is empty.
QString withoutUnset(QString text);
/// Returns the first part of a text that has this mark.
QString markedPart(const QString &text, QChar mark);
bool isKnown(const QString &text);

/// The text of a shell script, read from its begin to its end, and the reason why reading has stopped.
class ShellText
{
public:
    explicit ShellText(const QString &text);

    bool goesOn() const { return m_reason.isEmpty() && !m_error; }
    /// Why only bash can read the script; empty: Rankdeck can, so far.
    const QString &reason() const { return m_reason; }
    /// A quote is not closed: bash cannot read the script either.
    const std::optional<Error> &error() const { return m_error; }

protected:
    // Each returns false.
    bool stop(const QString &reason);
    bool stopAt(const QString &word) { return stop(tr("A script with \"%1\" is not read.").arg(word)); }
    bool stopAtOpenQuote(qsizetype begin);

    /// Returns the letter at this place, or behind it; null behind the end.
    QChar here(qsizetype ahead = 0) const;
    bool isAt(const char *text) const
    {
        return QStringView(m_text).mid(m_at).startsWith(QLatin1String(text));
    }
    bool isAt(const QRegularExpression &pattern) const { return pattern.match(m_text, m_at).hasMatch(); }
    bool isAtEnd() const { return m_at >= m_text.size(); }
    bool isAtEndOfWord() const { return isAtEnd() || here().isSpace() || u";&|<>()"_s.contains(here()); }
    /// Matches a pattern that begins with \G, and steps behind it.
    QRegularExpressionMatch take(const QRegularExpression &pattern);
    void skipBlanks(bool newlinesToo);
    /// Returns what was read since `begin`.
    QString since(qsizetype begin) const { return m_text.mid(begin, m_at - begin); }

    const QString m_text;
    qsizetype m_at = 0;

private:
    QString m_reason;
    std::optional<Error> m_error;
};

/// Reads the words of a script: takes quotes away, and puts values in place of variables. What has no value
/// is marked.
class ShellWords : public ShellText
{
public:
    /// @param environment of variables that the script does not set.
    ShellWords(const QString &text, const QProcessEnvironment &environment);

protected:
    // Each that takes something returns false if the script cannot be read.

    /// Takes one word without its quotes. What an unquoted variable holds may become several words.
    bool takeWordParts(QStringList &words, bool mayCut);
    /// Returns the values of a variable, several for an array; nothing if it is not set.
    std::optional<QStringList> known(const QString &name) const;

    const QProcessEnvironment &m_environment;
    QMap<QString, QStringList> m_values; ///< Variables that the script has set.
    ShellLaunch m_launch;                ///< As far as it is read.

private:
    bool isAtHome(qsizetype begin) const;
    bool takeQuoted(QString &text, bool &isQuoted);
    bool takeExpansion(QString &text, bool isQuoted);
    bool takeDefault(QString &text, const QString &name, const QString &sign, bool isQuoted);
    bool skipBrackets(QString &inner, bool isQuoted);
    bool addVariable(QString &text, const QString &name, const QString &written, bool isQuoted);
    void addOutput(QString &text, const QString &command, const QString &written) const;
    std::optional<QString> valueOf(const QString &name) const;

    int m_depth = 0;       ///< How many values it is inside of: ${A:-${B:-c}}.
    bool m_mayCut = false; ///< What an unquoted variable holds in this word may become several.
};

} // namespace rankdeck
