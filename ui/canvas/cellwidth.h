#pragma once

#include <QStringView>

namespace rankdeck
{

/// Cells that a code point takes in a monospaced grid: 0 for what joins the character before it (combining
/// marks, joiners, variation selectors), 2 for East Asian wide ones (UAX #11 W and F) and emoji, else 1.
int cellWidth(char32_t codePoint);
/// Cells that `text` takes.
int cellWidth(QStringView text);

/// What is drawn as one: a character with the marks that belong to it.
struct Cluster {
    qsizetype begin = 0; ///< UTF-16 units
    qsizetype size = 0;  ///< UTF-16 units
    int cells = 0;       ///< 1 or 2; a mark without a character before it takes one.
};

/// The cluster of `text` that begins at `begin`, which must be less than its length.
Cluster clusterAt(QStringView text, qsizetype begin);

} // namespace rankdeck
