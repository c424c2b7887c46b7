#include "launch/exchange/shellwords.h"

namespace rankdeck
{

constexpr QChar endMark(0xf8f2);

QString marked(QChar mark, const QString &text)
{
    return mark + text + endMark;
}

QString unmarked(QString text)
{
    return text.remove(unsetMark).remove(unknownMark).remove(endMark);
}

QString withoutUnset(QString text)
{
    static const QRegularExpression unset(u"%1[^%2]*%2"_s.arg(unsetMark).arg(endMark));
    return text.remove(unset);
}

QString markedPart(const QString &text, QChar mark)
{
    const qsizetype begin = text.indexOf(mark);
    return begin < 0 ? QString() : unmarked(text.mid(begin, text.indexOf(endMark, begin) - begin));
}

bool isKnown(const QString &text)
{
    return !text.contains(unsetMark) && !text.contains(unknownMark);
}

ShellText::ShellText(const QString &text)
    : m_text(QString(text).remove('\r'_L1))
{
}

bool ShellText::stop(const QString &reason)
{
    if (goesOn())
        m_reason = reason;
    return false;
}

bool ShellText::stopAtOpenQuote(qsizetype begin)
{
    m_error = Error{tr("a quote is not closed"), m_text.mid(begin, 20).simplified(), {}};
    return false;
}

QChar ShellText::here(qsizetype ahead) const
{
    return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar();
}

QRegularExpressionMatch ShellText::take(const QRegularExpression &pattern)
{
    const auto match = pattern.match(m_text, m_at);
    if (match.hasMatch())
        m_at = match.capturedEnd();
    return match;
}

void ShellText::skipBlanks(bool newlinesToo)
{
    static const QRegularExpression blanks(u"\\G([ \\t]|\\\\\\n)+"_s);
    static const QRegularExpression all(u"\\G(\\s|\\\\\\n|#[^\\n]*)+"_s);
    take(newlinesToo ? all : blanks);
}

ShellWords::ShellWords(const QString &text, const QProcessEnvironment &environment)
    : ShellText(text)
    , m_environment(environment)
{
}

std::optional<QStringList> ShellWords::known(const QString &name) const
{
    if (const auto found = m_values.constFind(name); found != m_values.cend())
        return *found;
    if (m_environment.contains(name) && !m_launch.unset.contains(name))
        return QStringList{m_environment.value(name)};
    return std::nullopt;
}

/// Whether a ~ stands where bash puts a directory: first in a word or a value, or behind a : in a value.
bool ShellWords::isAtHome(qsizetype begin) const
{
    static const QRegularExpression inWord(u"^([A-Za-z_][A-Za-z0-9_]*\\+?=(.*:)?)?(\\\\\\n)*$"_s,
                                           QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression inValue(u"^(.*:)?(\\\\\\n)*$"_s,
                                            QRegularExpression::DotMatchesEverythingOption);
    return (m_mayCut ? inWord : inValue).match(since(begin)).hasMatch();
}

bool ShellWords::takeWordParts(QStringList &words, bool mayCut)
{
    static const QRegularExpression wholeArray(
        u"\\G\"\\$(\\{([A-Za-z_][A-Za-z0-9_]*)\\[@\\]\\}|@|\\{@\\})\"(?=[\\s;&|<>()]|\\\\\\n\\s|$)"_s);
    static const QRegularExpression spaces(u"\\s+"_s);
    if (const auto match = wholeArray.match(m_text, m_at); match.hasMatch() && mayCut) {
        // A script that is pasted has no arguments.
        const QString name = match.captured(2);
        const auto values = name.isEmpty() ? QStringList() : known(name);
        if (!values)
            return stop(tr("Only a shell knows the value of %1.").arg(match.captured(1)));
        m_at = match.capturedEnd();
        words << *values;
        return true;
    }
    const qsizetype begin = m_at;
    m_mayCut = mayCut;
    QString text;
    bool isWord = false; // "" is one.
    while (!isAtEndOfWord()) {
        const QChar letter = here();
        if (letter == '$'_L1 || letter == '`'_L1) {
            QString value;
            if (!takeExpansion(value, false))
                return false;
            const QStringList parts = value.split(spaces);
            if (!mayCut || parts.size() == 1 || value.contains(unknownMark)) {
                text += value;
                continue;
            }
            for (const QString &part : parts.mid(0, parts.size() - 1)) {
                text += part;
                if (isWord || !text.isEmpty())
                    words << text;
                text.clear();
                isWord = false;
            }
            text = parts.last();
        } else if (letter == '{'_L1) {
            return stopAt(letter);
        } else if (mayCut && (letter == '*'_L1 || letter == '?'_L1)) {
            text += marked(unsetMark, letter); // Files that match are not looked up.
            ++m_at;
        } else if (letter == '~'_L1 && isAtHome(begin)) {
            const QString home = m_environment.value(u"HOME"_s);
            ++m_at;
            const bool isHome = isAtEndOfWord() || here() == '/'_L1 || here() == ':'_L1;
            text += isHome && !home.isEmpty() ? home : marked(unknownMark, letter);
        } else if (!takeQuoted(text, isWord)) {
            return false;
        }
    }
    if (isWord || !text.isEmpty())
        words << text;
    return true;
}

/// Takes "…", '…', \x or a plain character.
bool ShellWords::takeQuoted(QString &text, bool &isQuoted)
{
    const QChar letter = here();
    const qsizetype begin = m_at++;
    if (letter == '\\'_L1) {
        if (here() != '\n'_L1)
            text += here().isNull() ? letter : here();
        ++m_at;
    } else if (letter == '\''_L1) {
        isQuoted = true;
        const qsizetype close = m_text.indexOf(letter, m_at);
        if (close < 0)
            return stopAtOpenQuote(begin);
        text += m_text.mid(m_at, close - m_at);
        m_at = close + 1;
    } else if (letter == '"'_L1) {
        isQuoted = true;
        while (here() != letter) {
            if (isAtEnd())
                return stopAtOpenQuote(begin);
            if (here() == '$'_L1 || here() == '`'_L1) {
                if (!takeExpansion(text, true))
                    return false;
                continue;
            }
            const bool isEscape = here() == '\\'_L1 && u"\\\"$`\n"_s.contains(here(1));
            m_at += isEscape ? 1 : 0;
            if (!isEscape || here() != '\n'_L1)
                text += here();
            ++m_at;
        }
        ++m_at;
    } else {
        text += letter;
    }
    return true;
}

} // namespace rankdeck
