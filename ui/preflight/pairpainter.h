#pragma once

#include "preflight/heatscale.h"
#include "preflight/pairgeometry.h"
#include "preflight/pairtable.h"

#include <QCoreApplication>
#include <QPalette>

namespace rankdeck
{

class Canvas;

/// What is on the screen at a cell's place.
struct ShownPairCell {
    PairCell cell;
    bool isCurrent = false; ///< Has the keyboard's cursor.
    bool operator==(const ShownPairCell &) const = default;
};

/// What stands in a cell that has room for a number: "21", "! 250", "× fail", "·".
QString pairCellText(const PairCell &cell);

/// Draws the parts of a matrix of ranks through a canvas.
class PairPainter
{
    Q_DECLARE_TR_FUNCTIONS(rankdeck::PairMatrix)

public:
    static constexpr int mostNodeCharacters = 14;

    /// The arguments must outlive it.
    PairPainter(Canvas &canvas, const QPalette &palette, const PairGeometry &parts, const PairTable &table,
                PairMeasure measure);

    void drawHeadings();
    void drawLegend();
    void drawCell(const QRect &area, const ShownPairCell &shown);

    static HeatScale scaleOf(const QPalette &palette, const PairTable &table, PairMeasure measure);
    /// What is said where nothing has been measured.
    static QString nothingText();

private:
    Canvas &m_canvas;
    const QPalette &m_palette;
    const PairGeometry &m_parts;
    const PairTable &m_table;
    PairMeasure m_measure;
    HeatScale m_scale;
};

} // namespace rankdeck
