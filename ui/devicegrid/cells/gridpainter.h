#pragma once

#include "devicegrid/cells/ranktile.h"
#include "widgets/scrolledgrid.h"

#include <variant>

namespace rankdeck
{

/// The heading of a server in the device grid. It must be drawn again if two of them differ.
struct ServerHeading {
    enum class Fold {
        Never, ///< A single server: the heading is a line of text.
        Open,
        Folded,
    };

    ServerSummary summary;
    Fold fold = Fold::Never;
    /// Selected if a rank in a folded server is.
    DeviceCellMarks marks;

    /// Returns the whole heading in words, for a screen reader.
    QString spoken() const;
    bool operator==(const ServerHeading &) const = default;
};

/// Returns the sizes of headings, cells or tiles at a density, with gaps and margins.
/// @param character the size of a character. @param samples the rows that all cells have for samples.
DeviceGridGeometry::Metrics gridMetrics(GridDensity density, const QSize &character,
                                        const SampleRows &samples);
/// Returns the part of a heading that folds and opens it at a click.
QRect foldMarkArea(const QRect &heading);

/// A heading, a tile or a cell, as the screen shows it.
using ShownItem = std::variant<ServerHeading, RankTile, ShownDeviceCell>;

/// Draws the headings, tiles and cells of a device grid: only those, or their parts, that differ from the
/// screen.
class GridPainter
{
public:
    /// @param drawn the items on the screen, by their number in the grid's geometry; draw() keeps it up to
    /// date.
    /// @param samples, density see DeviceCellPainter.
    GridPainter(Canvas &canvas, const QPalette &palette, QHash<int, ShownItem> &drawn,
                const SampleRows &samples, GridDensity density)
        : m_canvas(canvas)
        , m_palette(palette)
        , m_drawn(drawn)
        , m_cells(canvas, palette, samples, density)
    {
    }

    void draw(int index, const QRect &place, const ShownItem &item);

private:
    Canvas &m_canvas;
    const QPalette &m_palette;
    QHash<int, ShownItem> &m_drawn;
    DeviceCellPainter m_cells;
};

} // namespace rankdeck
