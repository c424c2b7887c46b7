#include "run/keyboard.h"

#include <QList>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype longestName = 120;

/// Other programs show it: one line of plain characters.
QString cleanName(const QByteArray &utf8)
{
    QString name = QString::fromUtf8(utf8).left(longestName);
    std::replace_if(
        name.begin(), name.end(), [](QChar each) { return !each.isPrint(); }, QChar(QChar::Space));
    return name.simplified();
}

} // namespace

QByteArray Keyboard::toLine() const
{
    if (isOurs)
        return "keyboard ours";
    return holder.isEmpty() ? QByteArray("keyboard free") : "keyboard held " + holder.toUtf8().toBase64();
}

std::optional<Keyboard> Keyboard::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() < 2 || words.first() != "keyboard")
        return {};
    if (words[1] == "ours")
        return Keyboard{true, {}};
    if (words[1] == "free")
        return Keyboard{};
    if (words[1] != "held" || words.size() != 3)
        return {};
    return Keyboard{false, cleanName(QByteArray::fromBase64(words[2]))};
}

QByteArray KeyboardRequest::toLine() const
{
    return QByteArray(evenIfHeld ? "keyboard take " : "keyboard ask ") +
           name.left(longestName).toUtf8().toBase64();
}

std::optional<KeyboardRequest> KeyboardRequest::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 3 || words[0] != "keyboard" || (words[1] != "take" && words[1] != "ask"))
        return {};
    return KeyboardRequest{cleanName(QByteArray::fromBase64(words[2])), words[1] == "take"};
}

} // namespace rankdeck
