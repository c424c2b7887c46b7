#pragma once

#include "devicegrid/cells/devicecellpainter.h"
#include "devicegrid/cells/ranktile.h"

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

    /// Returns all of it in words, for a screen reader.
    QString spoken() const;
    bool operator==(const ServerHeading &) const = default;
};

/// Returns the size at which the heading of a folded server shows an address and one count in full.
QSize minimumHeadingSize(const QSize &characterCell);
/// Returns the part of a heading that folds and opens it at a click.
QRect foldMarkArea(const QRect &heading);

/// Draws the headings and cells of a device grid: only those, or the parts of them, that differ from what is
/// on the screen. They are numbered as in the grid's geometry.
class GridPainter
{
public:
    /// Forgets what is on the screen.
    void clear();
    void drawHeading(Canvas &canvas, const QPalette &palette, int index, const QRect &place,
                     const ServerHeading &heading);
    void drawTile(Canvas &canvas, const QPalette &palette, int index, const QRect &place,
                  const RankTile &tile);
    void drawCell(DeviceCellPainter &painter, int index, const QRect &place, const ShownDeviceCell &cell);
    /// Draws a sentence in place of all cells.
    static void drawSentence(Canvas &canvas, const QPalette &palette, int top, const QString &sentence);

private:
    QHash<int, ShownDeviceCell> m_cells;
    QHash<int, ServerHeading> m_headings;
    QHash<int, RankTile> m_tiles;
};

} // namespace rankdeck
