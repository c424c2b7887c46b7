#pragma once

#include "base/textcells.h"

namespace rankdeck
{

/// Returns `text` cut to at most `cells` cells, with "…" at the cut, and spaces for control characters.
QString elidedToCells(const QString &text, int cells);

/// Returns `text` wrapped into at most `rows` rows of `cells` each, at a space if one is near the end of a
/// row; the last row is cut as by elidedToCells().
QStringList brokenToCells(const QString &text, int cells, int rows);

} // namespace rankdeck
