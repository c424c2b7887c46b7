#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// Returns "0-3,7" for the ascending numbers 0, 1, 2, 3 and 7.
QString numberRanges(const QList<int> &numbers);
/// Returns such numbers, ascending, each once; nothing for other text, over 65536 numbers, or one over 65535.
std::optional<QList<int>> numbersFromRanges(const QString &text);

} // namespace rankdeck
