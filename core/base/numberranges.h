#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// Returns "0-3,7" for the ascending numbers 0, 1, 2, 3 and 7.
QString numberRanges(const QList<int> &numbers);
/// Returns the numbers of such a text, ascending, each once. Returns nothing for other text, for more than
/// 65536 numbers, and for a number beyond 65535.
std::optional<QList<int>> numbersFromRanges(const QString &text);

} // namespace rankdeck
