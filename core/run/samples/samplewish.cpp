#include "run/samples/samplewish.h"

namespace rankdeck
{

namespace
{

constexpr char wishWord[] = "sample ";
constexpr char allWord[] = "all";
constexpr char noneWord[] = "none";

} // namespace

QByteArray SampleWish::toLine() const
{
    if (!isWanted)
        return QByteArray(wishWord) + noneWord;
    return QByteArray(wishWord) + (detailed < 0 ? QByteArray(allWord) : QByteArray::number(detailed));
}

std::optional<SampleWish> SampleWish::fromLine(const QByteArray &line)
{
    if (!line.startsWith(wishWord))
        return std::nullopt;
    const QByteArray what = line.mid(qstrlen(wishWord));
    if (what == noneWord)
        return SampleWish{};
    if (what == allWord)
        return SampleWish{true, -1};
    bool isNumber = false;
    const int process = what.toInt(&isNumber);
    if (!isNumber || process < 0)
        return std::nullopt;
    return SampleWish{true, process};
}

} // namespace rankdeck
