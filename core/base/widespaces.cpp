#include "base/widespaces.h"

namespace rankdeck
{

/// Whether the letter fills two cells: from the radicals of Chinese to its letters, and full-width forms.
static bool isWideLetter(QChar letter)
{
    return (letter >= QChar(0x2E80) && letter <= QChar(0x9FFF)) ||
           (letter >= QChar(0xFF00) && letter <= QChar(0xFFEF));
}

static bool isWideStop(QChar letter)
{
    return isWideLetter(letter) && letter.isPunct();
}

static bool wantSpace(QChar before, QChar after)
{
    return !isWideStop(before) && !isWideStop(after) && !(isWideLetter(before) && isWideLetter(after));
}

QString joinedBySpaces(const QStringList &parts)
{
    QString text;
    for (const QString &part : parts) {
        if (!text.isEmpty() && !part.isEmpty() && wantSpace(text.back(), part.front()))
            text += ' '_L1;
        text += part;
    }
    return text;
}

QString withWord(QString text, const QString &word)
{
    constexpr int placeholder = 2;
    const qsizetype at = text.indexOf("%1"_L1);
    if (at < 0 || word.isEmpty())
        return text.arg(word);
    const qsizetype end = at + placeholder;
    if (end + 1 < text.size() && text.at(end) == ' '_L1 && !wantSpace(word.back(), text.at(end + 1)))
        text.remove(end, 1);
    if (at > 1 && text.at(at - 1) == ' '_L1 && !wantSpace(text.at(at - 2), word.front()))
        text.remove(at - 1, 1);
    return text.arg(word);
}

} // namespace rankdeck
