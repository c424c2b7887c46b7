#include "launch/exchange/shellvariables.h"

#include "launch/exchange/shellarithmetic.h"
#include "launch/exchange/shellcutter.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

#include <array>
#include <ctime>

namespace rankdeck
{

// Marks around what is not known: characters that no script has, of Unicode's private use area.
constexpr QChar unsetMark(0xf8f0);
constexpr QChar unknownMark(0xf8f1);
constexpr QChar endMark(0xf8f2);

static QString marked(QChar mark, const QString &text)
{
    return mark + text + endMark;
}

static qsizetype closingBracket(const QString &text, qsizetype at)
{
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == QLatin1Char('('))
            ++depth;
        else if (text[at] == QLatin1Char(')') && --depth == 0)
            return at + 1;
    }
    return text.size();
}

static qsizetype closingQuote(const QString &word, qsizetype at)
{
    int depth = 0;
    for (qsizetype index = at + 1; index < word.size(); ++index) {
        if (word[index] == QLatin1Char('\\'))
            ++index;
        else if (word[index] == QLatin1Char('('))
            ++depth;
        else if (word[index] == QLatin1Char(')'))
            --depth;
        else if (word[index] == QLatin1Char('"') && depth <= 0)
            return index;
    }
    return word.size();
}

bool ShellVariables::isAssignment(const QString &word)
{
    static const QRegularExpression assignment(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*\\+?=(?!=)"));
    return assignment.match(word).hasMatch();
}

void ShellVariables::assign(const QString &assignment)
{
    if (!isAssignment(assignment))
        return;
    QString name = assignment.section(QLatin1Char('='), 0, 0);
    const bool adds = name.endsWith(QLatin1Char('+'));
    name.remove(QLatin1Char('+'));
    const QString value = assignment.section(QLatin1Char('='), 1);
    const QStringList before = adds ? known(name).value_or(QStringList()) : QStringList();
    if (!value.startsWith(QLatin1Char('(')) || !value.endsWith(QLatin1Char(')'))) {
        set(name, {before.join(QLatin1Char(' ')) + valueOf(value)});
        return;
    }
    QStringList values = before;
    const auto parts = cutShellScript(value.mid(1, value.size() - 2));
    for (const ShellCommand &part : parts ? *parts : std::vector<ShellCommand>())
        values << expanded(part.words);
    set(name, values);
}

QStringList ShellVariables::expanded(const QStringList &words) const
{
    QStringList all;
    for (const QString &word : words)
        all << fields(word, true);
    return all;
}

QStringList ShellVariables::fields(const QString &word, bool mayCut) const
{
    static const QRegularExpression wholeArray(
        QStringLiteral("^\"\\$(\\{([A-Za-z_][A-Za-z0-9_]*)\\[@\\]\\}|@)\"$"));
    static const QRegularExpression spaces(QStringLiteral("\\s+"));
    if (const auto match = wholeArray.match(word); match.hasMatch() && mayCut) {
        // A script that is pasted has no arguments.
        if (match.captured(2).isEmpty())
            return {};
        if (const auto values = known(match.captured(2)))
            return *values;
    }
    QStringList found;
    QString text;
    bool isWord = false;
    const auto end = [&] {
        if (isWord || !text.isEmpty())
            found << text;
        text.clear();
        isWord = false;
    };
    if (word.startsWith(QLatin1String("<(")) || word.startsWith(QLatin1String(">(")))
        return {marked(unknownMark, word)};
    qsizetype at = 0;
    const bool isHome = word == QLatin1String("~") || word.startsWith(QLatin1String("~/"));
    if (isHome && m_environment.contains(QStringLiteral("HOME"))) {
        text = m_environment.value(QStringLiteral("HOME"));
        at = 1;
    }
    while (at < word.size()) {
        const QChar letter = word[at];
        if (letter == QLatin1Char('\\')) {
            text += word.mid(at + 1, 1);
            at += 2;
        } else if (letter == QLatin1Char('\'')) {
            const qsizetype close = word.indexOf(letter, at + 1);
            text += word.mid(at + 1, close - at - 1);
            isWord = true;
            at = close < 0 ? word.size() : close + 1;
        } else if (letter == QLatin1Char('"')) {
            const qsizetype close = closingQuote(word, at);
            text += expandedText(word.mid(at + 1, close - at - 1));
            isWord = true;
            at = close + 1;
        } else if (letter == QLatin1Char('$') || letter == QLatin1Char('`')) {
            const auto [value, next] = variableAt(word, at);
            const QStringList parts = value.split(spaces);
            if (mayCut && parts.size() > 1 && unknownIn(value).isEmpty()) {
                text += parts.first();
                for (const QString &part : parts.mid(1)) {
                    end();
                    text = part;
                }
            } else {
                text += value;
            }
            at = next;
        } else if (mayCut && (letter == QLatin1Char('*') || letter == QLatin1Char('?') ||
                              (at == 0 && letter == QLatin1Char('~')))) {
            text += marked(unsetMark, letter); // Files that match are not looked up.
            ++at;
        } else {
            text += letter;
            ++at;
        }
    }
    end();
    return found;
}

QString ShellVariables::expandedText(const QString &text) const
{
    QString whole;
    for (qsizetype at = 0; at < text.size();) {
        if (text[at] == QLatin1Char('\\') && at + 1 < text.size() &&
            QStringLiteral("\\\"$`\n").contains(text[at + 1])) {
            if (text[at + 1] != QLatin1Char('\n'))
                whole += text[at + 1];
            at += 2;
        } else if (text[at] == QLatin1Char('$') || text[at] == QLatin1Char('`')) {
            const auto [value, next] = variableAt(text, at);
            whole += value;
            at = next;
        } else {
            whole += text[at++];
        }
    }
    return whole;
}

ShellVariables::Expansion ShellVariables::variableAt(const QString &text, qsizetype at) const
{
    static const QRegularExpression plain(QStringLiteral("\\G\\$([A-Za-z_][A-Za-z0-9_]*)"));
    static const QRegularExpression braced(
        QStringLiteral("\\G\\$\\{(#?)([A-Za-z_][A-Za-z0-9_]*)(\\[[@*0-9]+\\]|:?[-=][^}]*)?\\}"));
    static const QRegularExpression argument(QStringLiteral("\\G\\$([0-9]|\\{[0-9]+\\})"));
    static const QRegularExpression otherwiseArgument(QStringLiteral("\\G\\$\\{[0-9]+:?-([^}]*)\\}"));
    static const QRegularExpression all(QStringLiteral("\\G\\$([@*]|\\{[@*]\\})"));
    static const QRegularExpression other(QStringLiteral("\\G\\$(\\{[^}]*\\}|['\"#?$!-])"));
    if (const auto match = plain.match(text, at); match.hasMatch()) {
        const auto values = known(match.captured(1));
        return {values ? values->join(QLatin1Char(' ')) : marked(unsetMark, match.captured()),
                match.capturedEnd()};
    }
    if (const auto match = braced.match(text, at); match.hasMatch()) {
        const auto values = known(match.captured(2));
        const QString more = match.captured(3);
        const bool isIndex = more.startsWith(QLatin1Char('['));
        if (!match.captured(1).isEmpty()) {
            const bool isCount = values && isIndex && !more.at(1).isDigit();
            return {isCount ? QString::number(values->size()) : marked(unknownMark, match.captured()),
                    match.capturedEnd()};
        }
        if (values && isIndex && more.at(1).isDigit())
            return {values->value(more.mid(1, more.size() - 2).toLongLong()), match.capturedEnd()};
        const bool isEmptyToo = more.startsWith(QLatin1Char(':'));
        const bool hasDefault = !more.isEmpty() && !isIndex;
        if (hasDefault && (!values || (isEmptyToo && values->join(QString()).isEmpty())))
            return {expandedText(more.mid(isEmptyToo ? 2 : 1)), match.capturedEnd()};
        return {values ? values->join(QLatin1Char(' ')) : marked(unsetMark, match.captured()),
                match.capturedEnd()};
    }
    if (const auto match = otherwiseArgument.match(text, at); match.hasMatch())
        return {expandedText(match.captured(1)), match.capturedEnd()};
    if (const auto match = all.match(text, at); match.hasMatch())
        return {QString(), match.capturedEnd()};
    if (const auto match = argument.match(text, at); match.hasMatch())
        return {marked(unsetMark, match.captured()), match.capturedEnd()};
    if (text.mid(at, 3) == QLatin1String("$((")) {
        const qsizetype close = closingBracket(text, at + 1);
        const auto value = calculated(text.mid(at + 3, close - at - 5));
        return {value ? QString::number(*value) : marked(unknownMark, text.mid(at, close - at)), close};
    }
    if (text.mid(at, 2) == QLatin1String("$(")) {
        const qsizetype close = closingBracket(text, at + 1);
        return {commandValue(text.mid(at, close - at)), close};
    }
    if (text[at] == QLatin1Char('`')) {
        const qsizetype close = text.indexOf(text[at], at + 1);
        const qsizetype next = close < 0 ? text.size() : close + 1;
        const QString inner = text.mid(at + 1, next - at - 2);
        return {commandValue(QStringLiteral("$(") + inner + QLatin1Char(')')), next};
    }
    if (const auto match = other.match(text, at); match.hasMatch())
        return {marked(unknownMark, match.captured()), match.capturedEnd()};
    return {QStringLiteral("$"), at + 1};
}

std::optional<QStringList> ShellVariables::known(const QString &name) const
{
    if (const auto found = m_values.constFind(name); found != m_values.cend())
        return *found;
    if (m_environment.contains(name))
        return QStringList{m_environment.value(name)};
    return std::nullopt;
}

std::optional<qint64> ShellVariables::calculated(const QString &expression) const
{
    static const QRegularExpression name(QStringLiteral("\\$?\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?"));
    QString numbers;
    qsizetype last = 0;
    auto names = name.globalMatch(expression);
    while (names.hasNext()) {
        const auto match = names.next();
        numbers += expression.mid(last, match.capturedStart() - last) +
                   known(match.captured(1)).value_or(QStringList()).join(QLatin1Char(' '));
        last = match.capturedEnd();
    }
    return shellArithmetic(numbers + expression.mid(last));
}

/// The few commands whose output is known without a shell.
QString ShellVariables::commandValue(const QString &text) const
{
    static const QRegularExpression date(QStringLiteral("^\\$\\(\\s*date\\s+\\+(.*)\\)$"));
    static const QRegularExpression nameOf(
        QStringLiteral("^\\$\\(\\s*(dirname|basename|realpath)\\s+(--\\s+)?(.*)\\)$"));
    // The folder of the script, however it is asked for: the current one, as the script is not a file here.
    if (text.contains(QLatin1String("dirname")) &&
        (text.contains(QLatin1String("$0")) || text.contains(QLatin1String("BASH_SOURCE"))))
        return QStringLiteral(".");
    if (text == QLatin1String("$(pwd)"))
        return QStringLiteral(".");
    if (const auto match = date.match(text); match.hasMatch()) {
        const std::time_t now = std::time(nullptr);
        std::tm local{};
        localtime_r(&now, &local);
        std::array<char, 128> words{};
        const QByteArray format =
            QString(match.captured(1)).remove(QLatin1Char('"')).remove(QLatin1Char('\'')).toUtf8();
        const auto size = std::strftime(words.data(), words.size(), format.constData(), &local);
        return QString::fromUtf8(words.data(), qsizetype(size));
    }
    if (const auto match = nameOf.match(text); match.hasMatch()) {
        const QString path = valueOf(match.captured(3).trimmed());
        if (hasUnset(path) || !unknownIn(path).isEmpty())
            return marked(unknownMark, text);
        if (match.captured(1) == QLatin1String("basename"))
            return QFileInfo(path).fileName();
        if (match.captured(1) == QLatin1String("realpath"))
            return path;
        return path == QLatin1String(".") ? QStringLiteral("..") : QFileInfo(path).path();
    }
    return marked(unknownMark, text);
}

QString ShellVariables::unknownIn(const QString &text)
{
    const qsizetype begin = text.indexOf(unknownMark);
    return begin < 0 ? QString() : unmarked(text.mid(begin + 1, text.indexOf(endMark, begin) - begin - 1));
}

bool ShellVariables::hasUnset(const QString &text)
{
    return text.contains(unsetMark);
}

QString ShellVariables::unmarked(const QString &text)
{
    return QString(text).remove(unsetMark).remove(unknownMark).remove(endMark);
}

QString ShellVariables::withoutUnset(const QString &text)
{
    static const QRegularExpression unset(QStringLiteral("%1[^%2]*%2").arg(unsetMark).arg(endMark));
    return QString(text).remove(unset);
}

} // namespace rankdeck
