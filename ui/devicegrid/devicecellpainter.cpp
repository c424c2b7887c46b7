#include "devicegrid/devicecellpainter.h"

#include "canvas/canvas.h"
#include "canvas/celltext.h"
#include "canvas/cellwidth.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int frameWidth = 2;
constexpr int stripeWidth = 4;
constexpr int paddingX = 8;
constexpr int paddingY = 5;
/// "rank 12  device 4" and "running", "192.168.100.104" and "pid 123456".
constexpr int minimumCharacters = 26;
/// The last log line is what one looks at: it may take two rows.
constexpr int logRows = 2;
constexpr int logLine = DeviceCell::lineCount - 1;

QRect textArea(const QRect &area)
{
    return area.adjusted(stripeWidth + paddingX, paddingY, -paddingX, -paddingY);
}

} // namespace

DeviceCellPainter::DeviceCellPainter(Canvas &canvas, const QPalette &palette)
    : m_canvas(canvas)
    , m_palette(palette)
{
}

QSize DeviceCellPainter::minimumSize(const QSize &characterCell)
{
    return {minimumCharacters * characterCell.width() + stripeWidth + 2 * paddingX,
            (logLine + logRows) * characterCell.height() + 2 * paddingY};
}

void DeviceCellPainter::draw(const QRect &area, const ShownDeviceCell &shown, const ShownDeviceCell *before)
{
    const bool whole = !before || before->marks != shown.marks || before->cell.tone != shown.cell.tone ||
                       before->cell.process != shown.cell.process;
    if (whole)
        drawFrame(area, shown);
    for (int line = 0; line < DeviceCell::lineCount; ++line) {
        if (whole || before->cell.lines[size_t(line)] != shown.cell.lines[size_t(line)])
            drawLine(area, line, shown.cell);
    }
}

void DeviceCellPainter::drawFrame(const QRect &area, const ShownDeviceCell &shown)
{
    QColor frame = m_palette.color(QPalette::Mid);
    int width = 1;
    if (shown.marks.selected || shown.marks.current) {
        frame = shown.marks.selected ? m_palette.color(QPalette::Highlight) : m_palette.color(QPalette::Text);
        width = shown.marks.selected ? frameWidth : 1;
    }
    const QColor background = toneBackground(shown.cell.tone, m_palette);
    m_canvas.fill(area, frame);
    m_canvas.fill(area.adjusted(width, width, -width, -width), background);
    if (shown.cell.process >= 0) {
        const QRect inner = area.adjusted(frameWidth, frameWidth, -frameWidth, -frameWidth);
        m_canvas.fill(QRect(inner.topLeft(), QSize(stripeWidth, inner.height())),
                      toneColor(shown.cell.tone, m_palette));
    }
    if (shown.marks.selected && shown.marks.current) {
        // A second, inner line tells the cursor from the rest of a selection.
        const QRect ring = area.adjusted(width + 1, width + 1, -width - 1, -width - 1);
        const QColor text = m_palette.color(QPalette::Text);
        m_canvas.fill(QRect(ring.left(), ring.top(), ring.width(), 1), text);
        m_canvas.fill(QRect(ring.left(), ring.bottom(), ring.width(), 1), text);
        m_canvas.fill(QRect(ring.left(), ring.top(), 1, ring.height()), text);
        m_canvas.fill(QRect(ring.right(), ring.top(), 1, ring.height()), text);
    }
}

void DeviceCellPainter::drawLine(const QRect &area, int line, const DeviceCell &cell)
{
    const QSize character = m_canvas.cellSize();
    const QRect content = textArea(area);
    const int rows = line == logLine ? logRows : 1;
    const QRect place(content.left(), content.top() + line * character.height(), content.width(),
                      rows * character.height());
    const QColor background = toneBackground(cell.tone, m_palette);
    m_canvas.fill(place, background);

    const DeviceCell::Line &text = cell.lines[size_t(line)];
    const QColor strong = m_palette.color(QPalette::Text);
    const QColor quiet = quietColor(m_palette);
    const QColor tone = toneColor(cell.tone, m_palette);

    const int columns = std::max(place.width() / character.width(), 0);
    if (line == logLine) {
        QPoint at = place.topLeft();
        for (const QString &row : brokenToCells(text.left, columns, logRows)) {
            if (!row.isEmpty())
                m_canvas.text(at, row, {strong, background}, place);
            at.ry() += character.height();
        }
        return;
    }

    TextStyle left{quiet, background};
    TextStyle right{quiet, background};
    if (line == 0) {
        left = {cell.process < 0 ? quiet : strong, background, true};
        right = {tone, background, true};
    } else if (line == 2) {
        left = {tone, background, true};
    }

    const QString rightText = elidedToCells(text.right, columns);
    const int rightCells = cellWidth(rightText);
    const int leftCells = rightCells > 0 ? columns - rightCells - 1 : columns;
    const QString leftText = elidedToCells(text.left, leftCells);
    if (!leftText.isEmpty())
        m_canvas.text(place.topLeft(), leftText, left, place);
    if (!rightText.isEmpty()) {
        m_canvas.text(QPoint(place.right() + 1 - rightCells * character.width(), place.top()), rightText,
                      right, place);
    }
}

} // namespace rankdeck
