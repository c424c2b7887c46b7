#pragma once

#include <QList>
#include <QPoint>
#include <QRect>
#include <QSize>
#include <Qt>

namespace rankdeck
{

/// Where the headings and cells of a device grid are, in pixels from the top left of the whole grid. A value:
/// the same servers and width always give the same places, whatever the cells hold.
class DeviceGridGeometry
{
public:
    struct Metrics {
        QSize minimumCell; ///< Cells are never smaller, but for a grid narrower than one cell.
        int maximumCellWidth = 0;
        int headingHeight = 0;
        int gap = 0;    ///< Between cells, and below a server's last row.
        int margin = 0; ///< Around everything.
    };

    DeviceGridGeometry() = default;
    /// @param devicesPerServer number of cells below each heading, top to bottom.
    DeviceGridGeometry(const QList<int> &devicesPerServer, const Metrics &metrics, int width);

    int columns() const { return m_columns; }
    int height() const { return m_height; }
    int cellCount() const { return m_cellCount; }
    int headingCount() const { return int(m_headings.size()); }

    QRect heading(int server) const { return m_headings.at(server); }
    /// Cells are numbered through all servers.
    QRect cell(int index) const;
    /// -1 between cells.
    int cellAt(const QPoint &point) const;
    /// The cell that an arrow key, Home, End, Page Up or Page Down leads to from `index`; `index` itself at
    /// an edge.
    /// @param pageHeight how far a page is, in pixels.
    int neighbour(int index, Qt::Key key, int pageHeight = 0) const;

private:
    struct Row {
        int first = 0; ///< Cell.
        int count = 0;
        int top = 0;
    };

    int rowOf(int index) const;

    QList<QRect> m_headings;
    QList<Row> m_rows;
    QSize m_cell;
    int m_columns = 1;
    int m_gap = 0;
    int m_margin = 0;
    int m_height = 0;
    int m_cellCount = 0;
};

} // namespace rankdeck
