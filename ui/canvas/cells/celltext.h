#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns how many cells a code point takes in a monospaced grid: 0 for characters that join the one before
/// (combining marks, joiners, variation selectors), 2 for East Asian wide ones (UAX #11 W and F) and emoji,
/// else 1.
int cellWidth(char32_t codePoint);
/// Returns how many cells `text` takes.
int cellWidth(QStringView text);

/// A character with its combining marks, which are drawn together.
struct Cluster {
    qsizetype begin = 0; ///< UTF-16 units
    qsizetype size = 0;  ///< UTF-16 units
    int cells = 0;       ///< 1 or 2; a mark without a character before it takes one.
};

/// Returns the cluster of `text` at `begin`, which must be less than its length.
Cluster clusterAt(QStringView text, qsizetype begin);

/// Returns `text` cut to at most `cells` cells, with "…" at the cut. Control characters become spaces,
/// because a Canvas must not get any.
QString elidedToCells(const QString &text, int cells);

/// Returns `text` wrapped into at most `rows` rows of `cells` each, at a space if one is near the end of a
/// row; the last row is cut as by elidedToCells().
QStringList brokenToCells(const QString &text, int cells, int rows);

} // namespace rankdeck
