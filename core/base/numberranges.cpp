#include "base/numberranges.h"

#include <algorithm>

namespace rankdeck
{

constexpr int mostNumbers = 65536;

/// Digits alone: toInt() would also take signs and blanks.
static std::optional<int> numberFrom(const QString &text)
{
    const bool isDigits = !text.isEmpty() && std::ranges::all_of(text, [](QChar each) {
        return each >= '0'_L1 && each <= '9'_L1;
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
                                 : u"%1-%2"_s.arg(numbers[first]).arg(numbers[last]));
        first = last + 1;
    }
    return ranges.join(','_L1);
}

std::optional<QList<int>> numbersFromRanges(const QString &text)
{
    QList<int> numbers;
    const QStringList ranges = text.split(','_L1);
    for (const QString &range : ranges) {
        const auto first = numberFrom(range.section('-'_L1, 0, 0));
        const auto last = range.contains('-'_L1) ? numberFrom(range.section('-'_L1, 1)) : first;
        if (!first || !last || *last < *first || *last >= mostNumbers ||
            *last - *first >= mostNumbers - numbers.size())
            return std::nullopt;
        for (int number = *first; number <= *last; ++number)
            numbers << number;
    }
    return sortedOnce(numbers);
}

} // namespace rankdeck
