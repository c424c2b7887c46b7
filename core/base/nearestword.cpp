#include "base/nearestword.h"

#include <algorithm>

namespace rankdeck
{

/// Returns how many letters to add, leave out, change or swap make `to` of `from` (Damerau and Levenshtein).
static qsizetype distanceOf(const QString &from, const QString &to)
{
    QList<qsizetype> beforeLast;
    QList<qsizetype> last;
    QList<qsizetype> row(to.size() + 1);
    for (qsizetype column = 0; column <= to.size(); ++column)
        row[column] = column;
    for (qsizetype line = 1; line <= from.size(); ++line) {
        beforeLast = std::exchange(last, row);
        row[0] = line;
        for (qsizetype column = 1; column <= to.size(); ++column) {
            const bool isEqual = from[line - 1] == to[column - 1];
            row[column] =
                std::min({last[column] + 1, row[column - 1] + 1, last[column - 1] + (isEqual ? 0 : 1)});
            const bool isSwapped = line > 1 && column > 1 && from[line - 1] == to[column - 2] &&
                                   from[line - 2] == to[column - 1];
            if (isSwapped)
                row[column] = std::min(row[column], beforeLast[column - 2] + 1);
        }
    }
    return row.last();
}

QString nearestWord(const QString &word, const QStringList &known)
{
    constexpr qsizetype longWord = 8;
    QString nearest;
    qsizetype least = word.size() < longWord ? 1 : 2;
    for (const QString &each : known) {
        const qsizetype distance = distanceOf(word, each);
        if (distance > least || (distance == least && !nearest.isEmpty()))
            continue;
        nearest = each;
        least = distance;
    }
    return nearest;
}

QString didYouMean(const QString &word, const QStringList &known, const QString &otherwise)
{
    const QString nearest = nearestWord(word, known);
    return nearest.isEmpty() ? otherwise : tr("Did you mean %1?").arg(nearest);
}

} // namespace rankdeck
