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
    return name.endsWith(']'_L1) ? name.chopped(3) : name;
}

/// Returns the value of NAME, of NAME[@] or NAME[*].
std::optional<QString> ShellWords::valueOf(const QString &name) const
{
    const bool isAll = name.endsWith(']'_L1);
    const auto values = known(arrayOf(name));
    if (!values)
        return std::nullopt;
    return isAll ? values->join(' '_L1) : values->value(0);
}

/// Takes $NAME, ${…}, $(…), $((…)) or `…`, and adds its value to `text`.
bool ShellWords::takeExpansion(QString &text, bool isQuoted)
{
    static const QRegularExpression plain(u"\\G\\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*])"_s);
    static const QRegularExpression braced(
        u"\\G\\$\\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(\\[[@*]\\])?(\\}|:?[-=])"_s);
    static const QRegularExpression special(u"\\G\\$[#?$!-]"_s);
    static const QRegularExpression changes(u"=|\\+\\+|--"_s);
    static const QRegularExpression continued(u"\\G\\$([A-Za-z0-9_]*)\\\\\\n[A-Za-z0-9_({$]"_s);
    const qsizetype begin = m_at;
    if (continued.match(m_text, m_at).hasMatch())
        return stopAt(u"$"_s);
    if (const auto match = take(plain); match.hasMatch())
        return addVariable(text, match.captured(1), match.captured(), isQuoted);
    if (const auto match = take(braced); match.hasMatch()) {
        const QString name = match.captured(1) + match.captured(2);
        if (match.captured(3) == "}"_L1)
            return addVariable(text, name, match.captured(), isQuoted);
        return takeDefault(text, name, match.captured(3), isQuoted);
    }
    if (const auto match = take(special); match.hasMatch()) {
        text += marked(unknownMark, match.captured());
        return true;
    }
    QString inner;
    if (here() == '`'_L1) {
        const qsizetype close = m_text.indexOf(here(), m_at + 1);
        inner = m_text.mid(m_at + 1, close - m_at - 1);
        m_at = close + 1;
        if (close < 0 || inner.contains('\\'_L1))
            return stopAt(u"`"_s);
        addOutput(text, inner, since(begin));
        return true;
    }
    ++m_at;
    const bool isCommand = here() == '('_L1;
    if (isCommand || here() == '{'_L1) {
        if (!skipBrackets(inner, isQuoted))
            return stopAt(m_text.mid(begin, 20).simplified());
        if (isCommand && inner.startsWith('('_L1) && inner.contains(changes))
            return stopAt(since(begin));
        const QString written = since(begin);
        if (isCommand)
            addOutput(text, inner, written);
        else
            text += marked(unknownMark, written);
        return true;
    }
    // $'…', $"…", $[…]
    if (here() == '['_L1 || (!isQuoted && u"'\""_s.contains(here())))
        return !isAtEnd() ? stopAt(m_text.mid(begin, 2)) : true;
    text += '$'_L1;
    return true;
}

/// Adds the output of a command if it is one of the few that are known without a shell.
void ShellWords::addOutput(QString &text, const QString &command, const QString &written) const
{
    static const QRegularExpression quotes(u"[\"']"_s);
    static const QRegularExpression date(u"^\\s*date\\s+\\+((?!.*%[0-9]*N)[^$`]*)$"_s);
    static const QRegularExpression above(u"^dirname\\$\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?$"_s);
    // The folder of the script is the current one: pasted, the script is not a file.
    static const QRegularExpression folder(
        u"^(((cd|realpath|readlink-f)(--)?)?(\\$\\(|`)?dirname(--)?\\$\\{?(0|BASH_SOURCE(\\[0\\])?)"
        "\\}?[)`]?(&?>/dev/null(2>&1)?)?((&&|;)pwd(-P)?)?|pwd)$"_s);
    const QString plain = QString(command).remove(quotes);
    const QString joined = plain.simplified().remove(' '_L1);
    const auto path = known(above.match(joined).captured(1)).value_or(QStringList()).join(QString());
    if (folder.match(joined).hasMatch())
        text += '.'_L1;
    else if (const auto match = date.match(plain); match.hasMatch())
        text += dateAs(match.captured(1));
    else if (!path.isEmpty() && isKnown(path))
        text += path == "."_L1 ? u".."_s : QFileInfo(path).path();
    else
        text += marked(unknownMark, written);
}

bool ShellWords::addVariable(QString &text, const QString &name, const QString &written, bool isQuoted)
{
    // Bash sets these itself.
    static const QRegularExpression bashs(
        u"^(_|RANDOM|SRANDOM|SECONDS|EPOCH.*|LINENO|HOSTNAME|UID|EUID|PPID|OLDPWD|BASH.*|FUNCNAME|"
        "PIPESTATUS|OSTYPE|MACHTYPE|HOSTTYPE|SHELLOPTS)$"_s);
    const auto value = valueOf(name);
    const bool isAll = name.contains('@'_L1);
    if (isAll && isQuoted && m_mayCut && known(arrayOf(name)).value_or(QStringList()).size() != 1)
        return stopAt(written); // It may become several words, or none.
    if (name == "@"_L1 || name == "*"_L1)
        return true;
    const bool isMoved = name == "PWD"_L1 && !m_launch.workDir.isEmpty();
    const bool isBashs = !m_values.contains(name) && bashs.match(name).hasMatch();
    text += isMoved || isBashs ? marked(unknownMark, written) : value.value_or(marked(unsetMark, written));
    return true;
}

/// Takes the value of "${NAME:-value}" up to its bracket.
bool ShellWords::takeDefault(QString &text, const QString &name, const QString &sign, bool isQuoted)
{
    static const QRegularExpression quote(u"[\"'\\\\]"_s);
    static const QRegularExpression space(u"\\s"_s);
    constexpr int deepest = 20;
    const qsizetype begin = m_at;
    QString value;
    bool isWord = false;
    if (++m_depth > deepest)
        return stopAt(u"${"_s + name);
    while (here() != '}'_L1) {
        const bool isPlain = isQuoted && here() != '"'_L1 && here() != '\\'_L1;
        const bool isUnclear = (here() == '~'_L1 && value.isEmpty()) || (here() == '\''_L1 && isQuoted);
        if (isAtEnd() || isUnclear)
            return stopAt(u"${"_s + name);
        if (here() == '$'_L1 || here() == '`'_L1) {
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
    const bool isThere = given && (!sign.startsWith(':'_L1) || !withoutUnset(*given).isEmpty());
    const QString used = isThere ? *given : value;
    const bool hasQuotes = since(begin).contains(quote);
    const bool isOneWord = !used.isEmpty() && !used.contains(space);
    if (hasQuotes && !isThere && !isQuoted && m_mayCut && !isOneWord)
        return stopAt(u"${"_s + name);
    if (!isThere && sign.endsWith('='_L1))
        m_values.insert(name, {used});
    text += used;
    return true;
}

/// Skips brackets and what is in them. Returns false if it is not certain where they end.
bool ShellWords::skipBrackets(QString &inner, bool isQuoted)
{
    static const QRegularExpression uncertain(u"<<|(^|[\\s;(])#|\\bcase\\b"_s);
    const qsizetype begin = m_at;
    QString open;
    do {
        const QChar letter = here();
        const QChar top = open.isEmpty() ? QChar() : open.back();
        const bool isText = top == '"'_L1;
        const bool isName = top == '{'_L1;
        if (isAtEnd())
            return false;
        if (letter == '\\'_L1) {
            ++m_at;
        } else if (letter == '`'_L1) {
            return false;
        } else if (letter == '"'_L1 && !isText) {
            open += letter;
        } else if (letter == '\''_L1 && !isText) {
            if (isName && (isQuoted || open.contains('"'_L1)))
                return false;
            m_at = m_text.indexOf(letter, m_at + 1);
            if (m_at < 0) {
                m_at = begin;
                return false;
            }
        } else if (letter == '('_L1 || letter == '{'_L1) {
            const bool isExpansion = m_at > 0 && m_text[m_at - 1] == '$'_L1;
            if (isExpansion || (letter == top && letter == '('_L1))
                open += letter;
        } else if (letter == '"'_L1 || (letter == ')'_L1 && top == '('_L1) || (letter == '}'_L1 && isName)) {
            open.chop(1);
        }
        ++m_at;
    } while (!open.isEmpty());
    inner = m_text.mid(begin + 1, m_at - begin - 2);
    return !inner.contains(uncertain);
}

} // namespace rankdeck
