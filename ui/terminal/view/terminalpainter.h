#pragma once

#include "canvas/cells/canvas.h"
#include "terminal/screen/terminalscreen.h"
#include "widgets/logpalette.h"

namespace rankdeck
{

/// The look of a cell on the canvas.
struct TerminalLook {
    std::array<char32_t, 3> characters{U' '};
    quint8 width = 1; ///< As in TerminalCell.
    TextStyle style;  ///< With a background.

    bool operator==(const TerminalLook &) const = default;
};

using TerminalRow = QList<TerminalLook>;

/// The colours of cells: the same as in logs (see LogPalette), because the same programs print both.
class TerminalColors
{
public:
    explicit TerminalColors(const LogPalette &palette)
        : m_palette(palette)
    {
    }

    const LogPalette &palette() const { return m_palette; }
    TextStyle style(const TerminalCell &cell) const;
    /// Returns the style of the cursor's cell: a block if the terminal takes keys, else an underline.
    TextStyle cursor(const TextStyle &style, bool hasKeys) const;
    TextStyle selected(const TextStyle &style) const;

private:
    LogPalette m_palette;
};

/// Makes the rows that a view draws: the cells of a screen with the selection, the cursor and the text of an
/// unfinished input method (preedit) over them. Refers to its arguments.
struct TerminalRows {
    const TerminalScreen &screen;
    const TerminalColors &colors;
    const TerminalSelection &selection;
    const QString &preedit;
    bool hasKeys; ///< Keys go to the program now.

    /// Returns as many rows as the screen has, from line `top` on.
    QList<TerminalRow> from(qint64 top) const;

private:
    TerminalRow rowOf(qint64 line) const;
    void showPreedit(TerminalRow &row) const;
};

/// Draws rows of cells, only where the canvas differs; rows that are elsewhere on the canvas are moved.
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
