#pragma once

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
    DeviceCellPainter(Canvas &canvas, const QPalette &palette);

    /// The size at which everything but a long address or log line is shown whole.
    static QSize minimumSize(const QSize &characterCell);

    /// Draw `shown` in `area`. When `before` is what is there already, only lines that differ are drawn.
    void draw(const QRect &area, const ShownDeviceCell &shown, const ShownDeviceCell *before);

private:
    void drawFrame(const QRect &area, const ShownDeviceCell &shown);
    void drawLine(const QRect &area, int line, const DeviceCell &cell);

    Canvas &m_canvas;
    const QPalette &m_palette;
};

} // namespace rankdeck
