#pragma once

#include "devicegrid/cellrow.h"
#include "devicegrid/devicecell.h"

#include <QPalette>
#include <QRect>
#include <QSize>

namespace rankdeck
{

class Canvas;

/// How a cell is marked beyond what it holds.
struct DeviceCellMarks {
    bool selected = false;
    bool current = false; ///< Has the keyboard's cursor.
    bool operator==(const DeviceCellMarks &) const = default;
};

/// What is on the screen at a cell's place.
struct ShownDeviceCell {
    DeviceCell cell;
    DeviceCellMarks marks;
    bool operator==(const ShownDeviceCell &) const = default;
};

/// Draws cells of the device grid through a canvas.
class DeviceCellPainter
{
public:
    /// @param samples the rows that all cells have for samples.
    DeviceCellPainter(Canvas &canvas, const QPalette &palette, const SampleRows &samples);

    /// The size at which everything but a long address, note or log line is shown whole.
    static QSize minimumSize(const QSize &characterCell, const SampleRows &samples);

    /// Draw `shown` in `area`. When `before` is what is there already, only what differs is drawn: characters
    /// and the ends of bars.
    void draw(const QRect &area, const ShownDeviceCell &shown, const ShownDeviceCell *before);

private:
    void drawFrame(const QRect &area, const ShownDeviceCell &shown);
    /// Top to bottom.
    QList<CellRow> rowsOf(const DeviceCell &cell, int columns) const;
    CellRow textRow(int line, const DeviceCell &cell, int columns) const;
    CellRow sampleRow(const SampleLine &line, int columns) const;
    void drawBar(const QRect &area, const std::optional<double> &percent, const QColor &background,
                 const std::optional<double> *before);

    Canvas &m_canvas;
    const QPalette &m_palette;
    SampleRows m_samples;
};

} // namespace rankdeck
