#pragma once

#include <QFont>
#include <QHash>
#include <QSize>
#include <QStringView>

namespace rankdeck
{

/// A monospaced font fitted to a grid of whole-pixel cells.
class CellFont
{
public:
    /// The size is that of `like`; the families are named here, since the fallback for Han by chance is often
    /// a proportional or a missing one. `devicePixelRatio` rounds the cell height so that a line is whole
    /// device pixels: only then can a scroll be a copy.
    explicit CellFont(const QFont &like = QFont(), qreal devicePixelRatio = 1.0);

    /// Device-independent pixels.
    QSize cellSize() const { return m_cellSize; }
    /// From the top of a cell, device-independent pixels.
    int baseline() const { return m_baseline; }
    int underlineThickness() const { return m_underlineThickness; }
    const QFont &font(bool bold) const { return bold ? m_bold : m_regular; }
    /// A run of narrow ASCII drawn at once keeps to the cells.
    bool asciiFitsCells(bool bold) const { return bold ? m_boldFits : m_regularFits; }
    /// How far right of its first cell a cluster is drawn so that it stands in the middle of its cells.
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
