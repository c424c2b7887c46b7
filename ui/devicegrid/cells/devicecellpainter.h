#pragma once

#include "canvas/cells/canvas.h"
#include "devicegrid/cells/devicecell.h"

namespace rankdeck
{

/// How large the ranks of a grid are, from the smallest.
enum class GridDensity { Tiles8, Tiles12, Tiles16, Tiles20, Tiles24, Lines, Cells };

/// Returns the width and height of a tile in pixels, with its frame; 0 for a density without tiles.
constexpr int tileSize(GridDensity density)
{
    return density <= GridDensity::Tiles24 ? 8 + 4 * int(density) : 0;
}

/// The densities from which a grid takes the largest one at which all its ranks have room.
struct DensityRange {
    GridDensity least = GridDensity::Cells;
    GridDensity most = GridDensity::Cells;

    static constexpr DensityRange automatic() { return {GridDensity::Tiles8, GridDensity::Cells}; }
    static constexpr DensityRange tiles() { return {GridDensity::Tiles8, GridDensity::Tiles24}; }
    static constexpr DensityRange only(GridDensity density) { return {density, density}; }

    bool operator==(const DensityRange &) const = default;
};

/// Text within a row of character cells.
struct RowPart {
    int column = 0; ///< First column.
    QString text;
    TextStyle style; ///< Its background is that of the row.
};

/// The content of a row of character cells; parts do not overlap.
using CellRow = QList<RowPart>;

/// Marks of a cell beyond its content.
struct DeviceCellMarks {
    bool selected = false;
    bool current = false; ///< Has the keyboard's cursor.
    bool operator==(const DeviceCellMarks &) const = default;
};

/// A cell, as the screen shows it.
struct ShownDeviceCell {
    DeviceCell cell;
    DeviceCellMarks marks;
    bool operator==(const ShownDeviceCell &) const = default;
};

/// Draws cells of the device grid, of several lines or of one, through a canvas.
class DeviceCellPainter
{
public:
    /// @param samples the rows that all cells have for samples.
    DeviceCellPainter(Canvas &canvas, const QPalette &palette, const SampleRows &samples,
                      GridDensity density = GridDensity::Cells)
        : m_canvas(canvas)
        , m_palette(palette)
        , m_samples(samples)
        , m_isLine(density == GridDensity::Lines)
    {
    }

    /// Returns the size at which only a long address, note or log line is cut.
    static QSize minimumSize(const QSize &characterCell, const SampleRows &samples);
    /// Returns the size of a cell of one line.
    static QSize lineSize(const QSize &characterCell);

    /// Draws `shown` in `area`. If `before` is there already, draws only what differs: characters and the
    /// ends of bars.
    void draw(const QRect &area, const ShownDeviceCell &shown, const ShownDeviceCell *before);

private:
    void drawFrame(const QRect &area, const ShownDeviceCell &shown);
    /// Returns the rows, top to bottom.
    QList<CellRow> rowsOf(const DeviceCell &cell, int columns) const;
    CellRow lineRow(const DeviceCell &cell, int columns) const;
    CellRow textRow(int line, const DeviceCell &cell, int columns) const;
    CellRow sampleRow(const SampleLine &line, int columns) const;
    void drawBar(const QRect &area, const std::optional<double> &percent, const QColor &background,
                 const std::optional<double> *before);

    Canvas &m_canvas;
    const QPalette &m_palette;
    SampleRows m_samples;
    bool m_isLine;
};

} // namespace rankdeck
