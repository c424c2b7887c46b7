#pragma once

#include "canvas/canvas.h"
#include "logview/logpalette.h"
#include "terminal/terminalline.h"

#include <QList>

namespace rankdeck
{

/// A cell as it is to be drawn.
struct TerminalLook {
    std::array<char32_t, 3> characters{U' '};
    quint8 width = 1; ///< As in TerminalCell.
    TextStyle style;  ///< With a background.

    bool operator==(const TerminalLook &) const = default;
};

using TerminalRow = QList<TerminalLook>;

/// The colours of cells: those of logs (see LogPalette), since the same programs print both.
class TerminalColors
{
public:
    explicit TerminalColors(const LogPalette &palette)
        : m_palette(palette)
    {
    }

    const LogPalette &palette() const { return m_palette; }
    TextStyle style(const TerminalCell &cell) const;
    /// `style` where the cursor stands: a block that has the keys, else a line below.
    TextStyle cursor(const TextStyle &style, bool hasKeys) const;
    TextStyle selected(const TextStyle &style) const;

private:
    LogPalette m_palette;
};

/// Draws rows of cells, and of those only what is not on the canvas already; rows that are there at another
/// place are moved.
class TerminalPainter
{
public:
    /// @param place of the first cell.
    /// @param everything the canvas holds nothing of ours.
    void draw(Canvas &canvas, const QPoint &place, const QList<TerminalRow> &rows, const QColor &base,
              bool everything);

private:
    void move(Canvas &canvas, const QPoint &place, const QList<TerminalRow> &rows);
    void drawRow(Canvas &canvas, const QPoint &place, const TerminalRow &row, const TerminalRow &before);

    QList<TerminalRow> m_drawn;
};

} // namespace rankdeck
