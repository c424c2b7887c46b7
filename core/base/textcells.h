#pragma once

#include "base/tr.h"

namespace rankdeck
{

// How much room text takes in a monospaced grid, in the window and on a terminal alike.

/// Returns how many cells a code point takes in a monospaced grid: 0 for characters that join the one before
/// (marks, joiners, variation selectors), 2 for East Asian wide ones (UAX #11 W and F) and emoji, else 1.
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

/// Returns the number of UTF-16 units of the text, from `at` on, that fit into this many cells.
qsizetype unitsIn(QStringView text, qsizetype at, int cells);
/// Returns the text in exactly this many cells: filled with blanks, or cut, which shows as "…".
QString inCells(const QString &text, int cells, bool isAlignedRight = false);
/// Returns the text in at least this many cells, filled with blanks; never cut.
QString filled(const QString &text, int cells, bool isAlignedRight = false);

/// Breaks text into lines of at most `cells` cells, the first of `cellsOfFirst`, at blanks and between
/// Chinese characters; never before punctuation that ends something. A longer word has its own line.
QStringList brokenLines(const QString &text, int cellsOfFirst, int cells);

} // namespace rankdeck
