// What stands behind a $, or in backticks.

#include "launch/exchange/shellwords.h"

#include <QFileInfo>

#include <array>
#include <ctime>

namespace rankdeck
{

/// Returns a date as the shell's date prints it.
static QString dateAs(const QString &format)
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 128> text{};
    const auto size = std::strftime(text.data(), text.size(), format.toUtf8().constData(), &local);
    return QString::fromUtf8(text.data(), qsizetype(size));
}

/// Returns NAME of NAME[@] or NAME[*]; another name as it is, "@" too.
static QString arrayOf(const QString &name)
{
    return name.endsWith(QLatin1Char(']')) ? name.chopped(3) : name;
}

/// Returns the value of NAME, of NAME[@] or NAME[*].
std::optional<QString> ShellWords::valueOf(const QString &name) const
{
    const bool isAll = name.endsWith(QLatin1Char(']'));
    const auto values = known(arrayOf(name));
    if (!values)
        return std::nullopt;
    return isAll ? values->join(QLatin1Char(' ')) : values->value(0);
}

/// Takes $NAME, ${…}, $(…), $((…)) or `…`, and adds its value to `text`.
bool ShellWords::takeExpansion(QString &text, bool isQuoted)
{
    static const QRegularExpression plain(QStringLiteral("\\G\\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*])"));
    static const QRegularExpression braced(
        QStringLiteral("\\G\\$\\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(\\[[@*]\\])?(\\}|:?[-=])"));
    static const QRegularExpression special(QStringLiteral("\\G\\$[#?$!-]"));
    static const QRegularExpression changes(QStringLiteral("=|\\+\\+|--"));
    static const QRegularExpression continued(QStringLiteral("\\G\\$([A-Za-z0-9_]*)\\\\\\n[A-Za-z0-9_({$]"));
    const qsizetype begin = m_at;
    if (continued.match(m_text, m_at).hasMatch())
        return stopAt(QStringLiteral("$"));
    if (const auto match = take(plain); match.hasMatch())
        return addVariable(text, match.captured(1), match.captured(), isQuoted);
    if (const auto match = take(braced); match.hasMatch()) {
        const QString name = match.captured(1) + match.captured(2);
        if (match.captured(3) == QLatin1String("}"))
            return addVariable(text, name, match.captured(), isQuoted);
        return takeDefault(text, name, match.captured(3), isQuoted);
    }
    if (const auto match = take(special); match.hasMatch()) {
        text += marked(unknownMark, match.captured());
        return true;
    }
    QString inner;
    if (here() == QLatin1Char('`')) {
        const qsizetype close = m_text.indexOf(here(), m_at + 1);
        inner = m_text.mid(m_at + 1, close - m_at - 1);
        m_at = close + 1;
        if (close < 0 || inner.contains(QLatin1Char('\\')))
            return stopAt(QStringLiteral("`"));
        addOutput(text, inner, since(begin));
        return true;
    }
    ++m_at;
    const bool isCommand = here() == QLatin1Char('(');
    if (isCommand || here() == QLatin1Char('{')) {
        if (!skipBrackets(inner, isQuoted))
            return stopAt(m_text.mid(begin, 20).simplified());
        if (isCommand && inner.startsWith(QLatin1Char('(')) && inner.contains(changes))
            return stopAt(since(begin));
        const QString written = since(begin);
        if (isCommand)
            addOutput(text, inner, written);
        else
            text += marked(unknownMark, written);
        return true;
    }
    // $'…', $"…", $[…]
    if (here() == QLatin1Char('[') || (!isQuoted && QStringLiteral("'\"").contains(here())))
        return !isAtEnd() ? stopAt(m_text.mid(begin, 2)) : true;
    text += QLatin1Char('$');
    return true;
}

/// Adds the output of a command if it is one of the few that are known without a shell.
void ShellWords::addOutput(QString &text, const QString &command, const QString &written) const
{
    static const QRegularExpression quotes(QStringLiteral("[\"']"));
    static const QRegularExpression date(QStringLiteral("^\\s*date\\s+\\+((?!.*%[0-9]*N)[^$`]*)$"));
    static const QRegularExpression above(QStringLiteral("^dirname\\$\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?$"));
    // The folder of the script is the current one: pasted, the script is not a file.
    static const QRegularExpression folder(QStringLiteral(
        "^(((cd|realpath|readlink-f)(--)?)?(\\$\\(|`)?dirname(--)?\\$\\{?(0|BASH_SOURCE(\\[0\\])?)"
        "\\}?[)`]?(&?>/dev/null(2>&1)?)?((&&|;)pwd(-P)?)?|pwd)$"));
    const QString plain = QString(command).remove(quotes);
    const QString joined = plain.simplified().remove(QLatin1Char(' '));
    const auto path = known(above.match(joined).captured(1)).value_or(QStringList()).join(QString());
    if (folder.match(joined).hasMatch())
        text += QLatin1Char('.');
    else if (const auto match = date.match(plain); match.hasMatch())
        text += dateAs(match.captured(1));
    else if (!path.isEmpty() && isKnown(path))
        text += path == QLatin1String(".") ? QStringLiteral("..") : QFileInfo(path).path();
    else
        text += marked(unknownMark, written);
}

bool ShellWords::addVariable(QString &text, const QString &name, const QString &written, bool isQuoted)
{
    // Bash sets these itself.
    static const QRegularExpression bashs(QStringLiteral(
        "^(_|RANDOM|SRANDOM|SECONDS|EPOCH.*|LINENO|HOSTNAME|UID|EUID|PPID|OLDPWD|BASH.*|FUNCNAME|"
        "PIPESTATUS|OSTYPE|MACHTYPE|HOSTTYPE|SHELLOPTS)$"));
    const auto value = valueOf(name);
    const bool isAll = name.contains(QLatin1Char('@'));
    if (isAll && isQuoted && m_mayCut && known(arrayOf(name)).value_or(QStringList()).size() != 1)
        return stopAt(written); // It may become several words, or none.
    if (name == QLatin1String("@") || name == QLatin1String("*"))
        return true;
    const bool isMoved = name == QLatin1String("PWD") && !m_launch.workDir.isEmpty();
    const bool isBashs = !m_values.contains(name) && bashs.match(name).hasMatch();
    text += isMoved || isBashs ? marked(unknownMark, written) : value.value_or(marked(unsetMark, written));
    return true;
}

/// Takes the value of "${NAME:-value}" up to its bracket.
bool ShellWords::takeDefault(QString &text, const QString &name, const QString &sign, bool isQuoted)
{
    static const QRegularExpression quote(QStringLiteral("[\"'\\\\]"));
    static const QRegularExpression space(QStringLiteral("\\s"));
    constexpr int deepest = 20;
    const qsizetype begin = m_at;
    QString value;
    bool isWord = false;
    if (++m_depth > deepest)
        return stopAt(QStringLiteral("${") + name);
    while (here() != QLatin1Char('}')) {
        const bool isPlain = isQuoted && here() != QLatin1Char('"') && here() != QLatin1Char('\\');
        const bool isUnclear =
            (here() == QLatin1Char('~') && value.isEmpty()) || (here() == QLatin1Char('\'') && isQuoted);
        if (isAtEnd() || isUnclear)
            return stopAt(QStringLiteral("${") + name);
        if (here() == QLatin1Char('$') || here() == QLatin1Char('`')) {
            if (!takeExpansion(value, isQuoted))
                return false;
        } else if (isPlain) {
            value += here();
            ++m_at;
        } else if (!takeQuoted(value, isWord)) {
            return false;
        }
    }
    ++m_at;
    --m_depth;
    const auto given = valueOf(name);
    const bool isThere = given && (!sign.startsWith(QLatin1Char(':')) || !withoutUnset(*given).isEmpty());
    const QString used = isThere ? *given : value;
    const bool hasQuotes = since(begin).contains(quote);
    const bool isOneWord = !used.isEmpty() && !used.contains(space);
    if (hasQuotes && !isThere && !isQuoted && m_mayCut && !isOneWord)
        return stopAt(QStringLiteral("${") + name);
    if (!isThere && sign.endsWith(QLatin1Char('=')))
        m_values.insert(name, {used});
    text += used;
    return true;
}

/// Skips brackets and what is in them. Returns false if it is not certain where they end.
bool ShellWords::skipBrackets(QString &inner, bool isQuoted)
{
    static const QRegularExpression uncertain(QStringLiteral("<<|(^|[\\s;(])#|\\bcase\\b"));
    const qsizetype begin = m_at;
    QString open;
    do {
        const QChar letter = here();
        const QChar top = open.isEmpty() ? QChar() : open.back();
        const bool isText = top == QLatin1Char('"');
        const bool isName = top == QLatin1Char('{');
        if (isAtEnd())
            return false;
        if (letter == QLatin1Char('\\')) {
            ++m_at;
        } else if (letter == QLatin1Char('`')) {
            return false;
        } else if (letter == QLatin1Char('"') && !isText) {
            open += letter;
        } else if (letter == QLatin1Char('\'') && !isText) {
            if (isName && (isQuoted || open.contains(QLatin1Char('"'))))
                return false;
            m_at = m_text.indexOf(letter, m_at + 1);
            if (m_at < 0) {
                m_at = begin;
                return false;
            }
        } else if (letter == QLatin1Char('(') || letter == QLatin1Char('{')) {
            const bool isExpansion = m_at > 0 && m_text[m_at - 1] == QLatin1Char('$');
            if (isExpansion || (letter == top && letter == QLatin1Char('(')))
                open += letter;
        } else if (letter == QLatin1Char('"') || (letter == QLatin1Char(')') && top == QLatin1Char('(')) ||
                   (letter == QLatin1Char('}') && isName)) {
            open.chop(1);
        }
        ++m_at;
    } while (!open.isEmpty());
    inner = m_text.mid(begin + 1, m_at - begin - 2);
    return !inner.contains(uncertain);
}

} // namespace rankdeck
