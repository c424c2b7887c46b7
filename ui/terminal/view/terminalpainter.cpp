#include "terminal/terminalpainter.h"

#include "canvas/cellwidth.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// A move that saves less than so many rows is none.
constexpr int fewestMoved = 2;

bool isBlank(const TerminalLook &look)
{
    return (look.characters[0] == U' ' || look.characters[0] == 0) && !look.style.underline;
}

bool isBlank(const TerminalRow &row)
{
    return std::all_of(row.begin(), row.end(), [](const TerminalLook &look) { return isBlank(look); });
}

size_t hashOf(const TerminalRow &row)
{
    size_t hash = 0;
    for (const TerminalLook &look : row)
        hash = qHashMulti(hash, quint32(look.characters[0]), quint32(look.characters[1]),
                          look.style.foreground.rgb(), look.style.background.rgb());
    return hash;
}

/// Of the emulator and of the canvas: only such characters may stand in a run with others.
bool isSimple(const TerminalLook &look)
{
    return look.characters[1] == 0 && cellWidth(look.characters[0]) == look.width;
}

/// Rows of which the same are `from` rows further down now, or up.
struct Move {
    int begin = 0;
    int end = 0; ///< Behind the last.
    int from = 0;
    int saved = 0; ///< Rows that need not be drawn for it.
};

/// The best there is: the canvas is asked for one move a frame.
Move bestMove(const QList<TerminalRow> &before, const QList<TerminalRow> &now)
{
    const auto count = static_cast<int>(now.size());
    QList<size_t> old(count);
    QList<size_t> wanted(count);
    QList<bool> isWorth(count);
    for (int row = 0; row < count; ++row) {
        old[row] = hashOf(before[row]);
        wanted[row] = hashOf(now[row]);
        isWorth[row] = wanted[row] != old[row] && !isBlank(now[row]);
    }
    Move best;
    for (int from = 1 - count; from < count; ++from) {
        if (from == 0)
            continue;
        Move move{0, 0, from, 0};
        for (int row = std::max(0, -from); row < std::min(count, count - from); ++row) {
            if (wanted[row] != old[row + from]) {
                move = {row + 1, row + 1, from, 0};
                continue;
            }
            if (move.saved == 0 && move.end != row)
                move.begin = row;
            move.end = row + 1;
            move.saved += isWorth[row] ? 1 : 0;
            if (move.saved > best.saved)
                best = move;
        }
    }
    return best;
}

} // namespace

TextStyle TerminalColors::style(const TerminalCell &cell) const
{
    LogStyle asked = cell.style;
    TextStyle style;
    style.bold = asked.bold;
    style.underline = asked.underline;
    if (!cell.isInverse) {
        style.background = m_palette.background(asked);
        if (!style.background.isValid())
            style.background = m_palette.base();
        style.foreground = m_palette.foreground(asked, style.background);
        return style;
    }
    std::swap(asked.foreground, asked.background);
    style.background = m_palette.background(asked);
    if (!style.background.isValid())
        style.background = m_palette.text();
    style.foreground = asked.foreground.kind == LogColor::Kind::Default
                           ? legibleOn(style.background, m_palette.base(), LogPalette::leastContrast)
                           : m_palette.foreground(asked, style.background);
    return style;
}

TextStyle TerminalColors::cursor(const TextStyle &style, bool hasKeys) const
{
    TextStyle cursor = style;
    if (hasKeys) {
        cursor.background = style.foreground;
        cursor.foreground = style.background;
    } else {
        cursor.underline = true;
    }
    return cursor;
}

TextStyle TerminalColors::selected(const TextStyle &style) const
{
    TextStyle selected = style;
    selected.background = m_palette.selection();
    selected.foreground = m_palette.selectedText();
    return selected;
}

void TerminalPainter::draw(Canvas &canvas, const QPoint &place, const QList<TerminalRow> &rows,
                           const QColor &base, bool everything)
{
    if (everything || m_drawn.size() != rows.size()) {
        canvas.fill(QRect(QPoint(), canvas.size()), base);
        TerminalLook blank;
        blank.style.background = base;
        m_drawn.clear();
        // What is blank in the colour of the view is there already.
        for (const TerminalRow &row : rows)
            m_drawn.append(TerminalRow(row.size(), blank));
        for (qsizetype row = 0; row < rows.size(); ++row) {
            for (qsizetype column = 0; column < rows[row].size(); ++column) {
                const TerminalLook &look = rows[row][column];
                if (isBlank(look) && look.width == 1 && look.style.background == base)
                    m_drawn[row][column] = look;
            }
        }
    } else {
        move(canvas, place, rows);
    }
    const int height = canvas.cellSize().height();
    for (qsizetype row = 0; row < rows.size(); ++row) {
        if (rows[row] == m_drawn[row])
            continue;
        drawRow(canvas, place + QPoint(0, int(row) * height), rows[row], m_drawn[row]);
        m_drawn[row] = rows[row];
    }
}

void TerminalPainter::move(Canvas &canvas, const QPoint &place, const QList<TerminalRow> &rows)
{
    const Move move = bestMove(m_drawn, rows);
    if (move.saved < fewestMoved)
        return;
    const int top = std::min(move.begin, move.begin + move.from);
    const int bottom = std::max(move.end, move.end + move.from);
    const int height = canvas.cellSize().height();
    const QRect area(0, place.y() + top * height, canvas.size().width(), (bottom - top) * height);
    canvas.scroll(area, -move.from * height);
    QList<TerminalRow> moved = m_drawn;
    for (int row = top; row < bottom; ++row) {
        const int from = row + move.from;
        // What came in may be anything.
        moved[row] = from >= top && from < bottom ? m_drawn[from] : TerminalRow();
    }
    m_drawn = moved;
}

void TerminalPainter::drawRow(Canvas &canvas, const QPoint &place, const TerminalRow &row,
                              const TerminalRow &before)
{
    const auto count = static_cast<int>(row.size());
    const auto differs = [&](int column) {
        return column >= before.size() || row[column] != before[column];
    };
    int begin = 0;
    int end = count;
    while (begin < count && !differs(begin))
        ++begin;
    while (end > begin && !differs(end - 1))
        --end;
    // A wide character is drawn whole.
    if (begin > 0 && begin < count && row[begin].width == 0)
        --begin;
    if (end < count && row[end].width == 0)
        ++end;

    const QSize cell = canvas.cellSize();
    const QRect clip(place.x(), place.y(), count * cell.width(), cell.height());
    QString text;
    while (begin < end) {
        int next = begin;
        text.clear();
        const TextStyle style = row[begin].style;
        const bool blank = isBlank(row[begin]);
        const bool simple = isSimple(row[begin]);
        do {
            const TerminalLook &look = row[next];
            const auto characters = look.characters[0] == 0
                                        ? 1
                                        : std::find(look.characters.begin(), look.characters.end(), U'\0') -
                                              look.characters.begin();
            text += look.characters[0] == 0 ? QStringLiteral(" ")
                                            : QString::fromUcs4(look.characters.data(), characters);
            next += std::max<int>(1, look.width);
        } while (next < end && row[next].style == style && isBlank(row[next]) == blank && simple &&
                 isSimple(row[next]));
        const QRect area(place.x() + begin * cell.width(), place.y(), (next - begin) * cell.width(),
                         cell.height());
        if (blank)
            canvas.fill(area & clip, style.background);
        else
            canvas.text(area.topLeft(), text, style, area & clip);
        begin = next;
    }
}

} // namespace rankdeck
