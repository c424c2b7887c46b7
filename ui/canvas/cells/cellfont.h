#pragma once

#include "base/tr.h"

#include <QFont>
#include <QHash>
#include <QSize>

namespace rankdeck
{

/// A monospaced font fitted to a grid of whole-pixel cells.
class CellFont
{
public:
    /// Takes the size of `like`; the families are fixed, because Qt's fallback for Han is often a
    /// proportional font or none. The cell height is rounded so that a line is whole device pixels at
    /// `devicePixelRatio`: only then can a scroll be a copy.
    explicit CellFont(const QFont &like = QFont(), qreal devicePixelRatio = 1.0);

    /// Device-independent pixels.
    QSize cellSize() const { return m_cellSize; }
    /// From the top of a cell, device-independent pixels.
    int baseline() const { return m_baseline; }
    int underlineThickness() const { return m_underlineThickness; }
    const QFont &font(bool bold) const { return bold ? m_bold : m_regular; }
    /// Whether a run of narrow ASCII that is drawn at once keeps to the cells.
    bool asciiFitsCells(bool bold) const { return bold ? m_boldFits : m_regularFits; }
    /// Returns how far right of its first cell a cluster is drawn so that it is centred in its cells.
    qreal indent(QStringView cluster, int cells, bool bold) const;

private:
    QFont m_regular;
    QFont m_bold;
    QSize m_cellSize;
    int m_baseline = 0;
    int m_underlineThickness = 1;
    bool m_regularFits = false;
    bool m_boldFits = false;
    mutable QHash<QString, qreal> m_indents;
};

} // namespace rankdeck
