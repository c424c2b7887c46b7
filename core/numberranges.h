#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace rankdeck
{

/// "0-3,7" for ascending numbers 0, 1, 2, 3 and 7.
QString numberRanges(const QList<int> &numbers);
/// The numbers of such a text, ascending, each once. Nothing when it is none, names more than 65536, or one
/// beyond them.
std::optional<QList<int>> numbersFromRanges(const QString &text);

} // namespace rankdeck
