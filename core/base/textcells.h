#pragma once

#include "base/tr.h"

namespace rankdeck
{

// How much room text takes on a terminal, where a Chinese character is two cells wide.

int cellsOf(char32_t character);
int cellsOf(QStringView text);
/// Returns how many UTF-16 units of the text, from `at` on, take at most so many cells.
qsizetype unitsIn(QStringView text, qsizetype at, int cells);
/// Returns the text in exactly so many cells: filled with blanks, or cut, which shows as "…".
QString inCells(const QString &text, int cells, bool isAlignedRight = false);
/// Returns the text in at least so many cells, filled with blanks; never cut.
QString filled(const QString &text, int cells, bool isAlignedRight = false);

/// Breaks text into lines of at most `cells` cells, the first of at most `cellsOfFirst`, at blanks and
/// between Chinese characters; never before punctuation that ends something. A longer word stands in its own
/// line.
QStringList brokenLines(const QString &text, int cellsOfFirst, int cells);

} // namespace rankdeck
