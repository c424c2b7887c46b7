#include "terminal/view/terminalpainter.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// A move must save at least this many rows.
constexpr int fewestMoved = 2;

bool isBlank(const TerminalLook &look)
{
    return (look.characters[0] == U' ' || look.characters[0] == 0) && !look.style.underline;
}

bool isBlank(const TerminalRow &row)
{
    return std::ranges::all_of(row, [](const TerminalLook &look) { return isBlank(look); });
}

size_t hashOf(const TerminalRow &row)
{
    size_t hash = 0;
    for (const TerminalLook &look : row)
        hash = qHashMulti(hash, quint32(look.characters[0]), quint32(look.characters[1]),
                          look.style.foreground.rgb(), look.style.background.rgb());
    return hash;
}

/// Whether emulator and canvas agree on its width: only then can it be drawn in a run.
bool isSimple(const TerminalLook &look)
{
    return look.characters[1] == 0 && cellWidth(look.characters[0]) == look.width;
}

/// Rows [begin, end) whose content is on the canvas `from` rows below (negative: above).
struct Move {
    int begin = 0;
    int end = 0; ///< After the last.
    int from = 0;
    int saved = 0; ///< Rows that need no drawing because of the move.
};

/// Returns the move that saves most; there is one move per frame.
Move bestMove(const QList<TerminalRow> &before, const QList<TerminalRow> &now)
{
    const auto count = int(now.size());
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

QList<TerminalRow> TerminalRows::from(qint64 top) const
{
    QList<TerminalRow> rows;
    for (int row = 0; row < screen.size().rows; ++row)
        rows.append(rowOf(top + row));
    return rows;
}

TerminalRow TerminalRows::rowOf(qint64 line) const
{
    const int columns = screen.size().columns;
    const TerminalLine content = screen.line(line);
    const auto [selectedBegin, selectedEnd] = selection.columnsOf(line);
    const auto cursor = screen.cursor();
    TerminalRow row(columns);
    TerminalCell last;
    TextStyle style = colors.style(last);
    for (int column = 0; column < columns; ++column) {
        const TerminalCell cell = column < content.cells.size() ? content.cells[column] : TerminalCell();
        if (cell.style != last.style || cell.isInverse != last.isInverse)
            style = colors.style(cell);
        last = cell;
        TerminalLook &look = row[column];
        look = {cell.characters, cell.width, style};
        if (look.characters[0] == 0)
            look.characters[0] = cell.width == 0 ? 0 : U' ';
        if (column >= selectedBegin && column < selectedEnd)
            look.style = colors.selected(style);
        // The line may be wider than the screen, as in a history.
        if (cell.width == 2 && column + 1 == columns)
            look = {{U' '}, 1, look.style};
    }
    if (cursor && cursor->line == line) {
        const bool isWide = row[cursor->column].width == 2;
        for (int column = cursor->column; column <= cursor->column + (isWide ? 1 : 0); ++column)
            row[column].style = colors.cursor(row[column].style, hasKeys);
    }
    if (!preedit.isEmpty() && screen.cursorPlace().line == line)
        showPreedit(row);
    return row;
}

void TerminalRows::showPreedit(TerminalRow &row) const
{
    TextStyle style = colors.style({});
    style.underline = true;
    int column = screen.cursorPlace().column;
    if (column > 0 && row[column].width == 0)
        row[column - 1] = {{U' '}, 1, row[column - 1].style};
    for (qsizetype at = 0; at < preedit.size();) {
        const Cluster cluster = clusterAt(preedit, at);
        if (column + cluster.cells > row.size())
            break;
        TerminalLook look{{}, static_cast<quint8>(cluster.cells), style};
        const QList<uint> characters = preedit.mid(at, cluster.size).toUcs4();
        std::copy_n(characters.begin(), std::min<qsizetype>(characters.size(), 3), look.characters.begin());
        row[column] = look;
        if (cluster.cells == 2)
            row[column + 1] = {{}, 0, style};
        column += cluster.cells;
        at += cluster.size;
    }
    if (column < row.size() && row[column].width == 0)
        row[column] = {{U' '}, 1, row[column].style};
}

void TerminalPainter::draw(Canvas &canvas, const QPoint &place, const QList<TerminalRow> &rows,
                           const QColor &base, bool everything)
{
    if (everything || m_drawn.size() != rows.size()) {
        canvas.fill(QRect(QPoint(), canvas.size()), base);
        TerminalLook blank;
        blank.style.background = base;
        m_drawn.clear();
        // Blanks in the base colour are on the canvas already.
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
        // Rows that scrolled in are undefined.
        moved[row] = from >= top && from < bottom ? m_drawn[from] : TerminalRow();
    }
    m_drawn = moved;
}

void TerminalPainter::drawRow(Canvas &canvas, const QPoint &place, const TerminalRow &row,
                              const TerminalRow &before)
{
    const auto count = int(row.size());
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
                                        : std::ranges::find(look.characters, U'\0') - look.characters.begin();
            text += look.characters[0] == 0 ? u" "_s : QString::fromUcs4(look.characters.data(), characters);
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
