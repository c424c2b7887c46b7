#include "base/numberranges.h"

#include <algorithm>

namespace rankdeck
{

constexpr int mostNumbers = 65536;

/// Digits alone: toInt() would also take signs and blanks.
static std::optional<int> numberFrom(const QString &text)
{
    const bool isDigits = !text.isEmpty() && std::ranges::all_of(text, [](QChar each) {
        return each >= QLatin1Char('0') && each <= QLatin1Char('9');
    });
    bool fits = false;
    const int number = text.toInt(&fits);
    return isDigits && fits ? std::optional(number) : std::nullopt;
}

QString numberRanges(const QList<int> &numbers)
{
    QStringList ranges;
    for (qsizetype first = 0; first < numbers.size();) {
        qsizetype last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        ranges << (last == first ? QString::number(numbers[first])
                                 : QStringLiteral("%1-%2").arg(numbers[first]).arg(numbers[last]));
        first = last + 1;
    }
    return ranges.join(QLatin1Char(','));
}

std::optional<QList<int>> numbersFromRanges(const QString &text)
{
    QList<int> numbers;
    const QStringList ranges = text.split(QLatin1Char(','));
    for (const QString &range : ranges) {
        const auto first = numberFrom(range.section(QLatin1Char('-'), 0, 0));
        const auto last =
            range.contains(QLatin1Char('-')) ? numberFrom(range.section(QLatin1Char('-'), 1)) : first;
        if (!first || !last || *last < *first || *last >= mostNumbers ||
            *last - *first >= mostNumbers - numbers.size())
            return std::nullopt;
        for (int number = *first; number <= *last; ++number)
            numbers << number;
    }
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

} // namespace rankdeck
