#include "launch/text/commandline.h"

#include <algorithm>

namespace rankdeck
{

static bool isPlain(const QString &word)
{
    static const QLatin1String harmless("_-./:=,+@%^");
    return !word.isEmpty() && std::all_of(word.cbegin(), word.cend(), [](QChar c) {
        return c.isLetterOrNumber() || (c.unicode() < 128 && harmless.contains(c));
    });
}

QString shellWord(QString text)
{
    return '\''_L1 + text.replace('\''_L1, "'\\''"_L1) + '\''_L1;
}

QStringList namesIn(const char *names)
{
    return QString::fromLatin1(names).split(' '_L1);
}

Result<QStringList> splitCommandLine(const QString &line)
{
    static const QLatin1String escapedInDoubleQuotes("\"\\$`");
    QStringList words;
    QString word;
    bool inWord = false; // An empty pair of quotes is a word too.
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line.at(i);
        const bool last = i + 1 == line.size();
        if (quote.isNull() && c.isSpace()) {
            if (inWord)
                words += word;
            word.clear();
            inWord = false;
        } else if (quote.isNull() && (c == '\''_L1 || c == '"'_L1)) {
            quote = c;
            inWord = true;
        } else if (!quote.isNull() && c == quote) {
            quote = QChar();
        } else if (c == '\\'_L1 && quote.isNull()) {
            if (last)
                return Error{tr("The command ends in a \\"), tr("command"), tr("Remove it, or write \\\\.")};
            ++i;
            if (line.at(i) == '\n'_L1) // A continued line of a script.
                continue;
            word += line.at(i);
            inWord = true;
        } else if (c == '\\'_L1 && quote == '"'_L1 && !last &&
                   escapedInDoubleQuotes.contains(line.at(i + 1))) {
            word += line.at(++i);
        } else {
            word += c;
            inWord = true;
        }
    }
    if (!quote.isNull())
        return Error{tr("The quote %1 is not closed").arg(quote), tr("command"),
                     tr("Add %1 where it ends.").arg(quote)};
    if (inWord)
        words += word;
    return words;
}

QString joinCommandLine(const QStringList &words)
{
    const QStringList parts =
        listOf(words, [&](const QString &word) { return isPlain(word) ? word : shellWord(word); });
    return parts.join(' '_L1);
}

bool asksForShell(const QString &line)
{
    static const QLatin1String everywhere("$`");
    static const QLatin1String unquoted("|&;<>*?~");
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line.at(i);
        if (c == '\\'_L1 && quote != '\''_L1) {
            ++i;
        } else if (quote.isNull() && (c == '\''_L1 || c == '"'_L1)) {
            quote = c;
        } else if (c == quote) {
            quote = QChar();
        } else if (quote != '\''_L1 && c.unicode() < 128 &&
                   (everywhere.contains(c) || (quote.isNull() && unquoted.contains(c)))) {
            return true;
        }
    }
    return false;
}

} // namespace rankdeck
