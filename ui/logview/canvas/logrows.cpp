#include "logview/canvas/logrows.h"

#include "logview/source/logsource.h"

namespace rankdeck
{

constexpr int markWidth = 3;      // pixels
constexpr int streamBarWidth = 2; // pixels

/// Whether the program gave any part of the line a colour, not counting the view's label.
static bool isColoured(const ShownLine &line, int labelCells)
{
    int end = 0;
    return std::ranges::any_of(line.runs(), [&](const LogRun &run) {
        end += cellWidth(run.text);
        return end > labelCells &&
               (run.style.foreground.kind != LogColor::Kind::Default ||
                run.style.background.kind != LogColor::Kind::Default || run.style.reverse);
    });
}

QList<int> LogRows::beginsOf(qint64 line) const
{
    return m_wrapped ? ShownLine(m_source->line(line)).breaks(m_columns) : QList<int>{0};
}

QList<LogRows::Row> LogRows::from(const Place &top, int count) const
{
    QList<Row> rows;
    int skipped = top.row;
    for (qint64 line = top.line; line < m_source->totalLines() && rows.size() < count; ++line) {
        const QList<int> begins = beginsOf(line);
        // A pane that grew wider has fewer rows of the line.
        for (qsizetype row = std::min<qsizetype>(skipped, begins.size() - 1);
             row < begins.size() && rows.size() < count; ++row)
            rows.append(Row{line, {begins[row], begins.value(row + 1, LogSelection::endOfLine)}});
        skipped = 0;
    }
    return rows;
}

LogRows::Place LogRows::moved(Place place, qint64 rows) const
{
    const qint64 last = std::max<qint64>(0, m_source->totalLines() - 1);
    if (!m_wrapped)
        return {std::clamp<qint64>(place.line + rows, 0, last), 0};
    place.row += static_cast<int>(rows);
    while (place.row < 0 && place.line > 0)
        place.row += rowsOf(--place.line);
    for (int there = rowsOf(place.line); place.row >= there && place.line < last;
         there = rowsOf(place.line)) {
        place.row -= there;
        ++place.line;
    }
    place.row = std::clamp(place.row, 0, rowsOf(place.line) - 1);
    return place;
}

LogRows::Place LogRows::lastTop() const
{
    const qint64 total = m_source->totalLines();
    const qint64 first = std::max<qint64>(0, total - m_rows);
    if (!m_wrapped || total == 0)
        return {first, 0};
    if (!m_source->hasLines(first, total - first))
        return {total - 1, 0};
    return moved({total - 1, rowsOf(total - 1) - 1}, 1 - m_rows);
}

LogRows::Place LogRows::placeOf(const CellPosition &position) const
{
    const QList<int> begins = beginsOf(position.line);
    const auto after = std::ranges::upper_bound(begins, position.cell);
    return {position.line, std::max(0, static_cast<int>(after - begins.begin()) - 1)};
}

LogRow::LogRow(const LogSource &source, const LogRows::Row &place)
    : bytes(source.line(place.line))
    , shown(place.cells)
    , severity(source.severity(place.line))
    , isLine(true)
{
    const bool isMark = source.isMark(place.line);
    if (place.isFirst() && !isMark)
        number = source.lineInFile(place.line);
    const auto origin = source.origin(place.line);
    isError = origin && origin->isError && !isMark;
    if (origin && origin->labelBytes > 0)
        labelCells = ShownLine(QByteArrayView(bytes).first(origin->labelBytes)).cells();
}

int LogRowPainter::draw(LogRow &row, const QRect &wholeArea, int cellsBefore)
{
    const ShownLine line(row.bytes);
    const bool isTinted = row.isCurrent || row.isPointedOut || row.isError;
    const bool fullWidth = isTinted || row.selected.end > line.cells();
    const int textEnd = std::min(line.cells(), row.shown.end);
    row.cells = fullWidth ? m_layout.width / m_cellWidth + 1 : std::max(0, textEnd - leftOf(row)) + 1;

    QRect area = wholeArea;
    area.setWidth(std::min(m_layout.width, textLeft() + std::max(cellsBefore, row.cells) * m_cellWidth));
    m_canvas.fill(area, behind(row));
    if (row.number >= 0)
        drawGutter(area, row);
    if (row.isCurrent || row.isBookmarked)
        m_canvas.fill(QRect(area.left(), area.top(), markWidth, area.height()), m_palette.foundMark());

    if (row.isError)
        m_canvas.fill(QRect(textLeft() - streamBarWidth - 1, area.top(), streamBarWidth, area.height()),
                      m_palette.severityColor(LogSeverity::Error, behind(row)));

    const QRect textArea = area.adjusted(textLeft(), 0, 0, 0);
    const LogSeverity severity = isColoured(line, row.labelCells) ? LogSeverity::None : row.severity;
    int at = 0;
    for (const LogRun &run : line.runs()) {
        const int cells = cellWidth(run.text);
        if (at + cells > leftOf(row) && at < endOf(row))
            drawRun(textArea, run, at, row, at + cells > row.labelCells ? severity : LogSeverity::None);
        at += cells;
    }
    if (row.selected.end > at && at <= row.shown.end) {
        const int x =
            textArea.left() + std::max(0, std::max(at, row.selected.begin) - leftOf(row)) * m_cellWidth;
        m_canvas.fill(QRect(x, area.top(), m_layout.width - x, area.height()), m_palette.selection());
    }
    for (const LogRow::Patch &patch : std::as_const(row.highlights))
        drawPatch(textArea, row, line, patch.cells,
                  legibleOn(patch.background, m_palette.text(), LogPalette::leastContrast), patch.background,
                  false);
    for (const CellRange &cells : std::as_const(row.matches)) {
        if (row.isCurrent)
            drawPatch(textArea, row, line, cells, m_palette.selectedText(), m_palette.selection(), true);
        else
            drawPatch(textArea, row, line, cells, m_palette.matchText(), m_palette.match(), false);
    }
    return line.cells();
}

QColor LogRowPainter::behind(const LogRow &row) const
{
    if (row.isCurrent || row.isPointedOut)
        return m_palette.foundLine();
    return row.isError ? m_palette.errorLine() : m_palette.base();
}

void LogRowPainter::drawGutter(const QRect &area, const LogRow &row)
{
    const QString number = QString::number(row.number + 1).rightJustified(m_layout.gutter - gutterGap - 1);
    const bool isMarked = row.isPointedOut || row.isBookmarked;
    const TextStyle style{isMarked ? m_palette.text() : m_palette.muted(), {}, isMarked};
    const QLatin1Char sign(row.isPointedOut ? '>' : row.isBookmarked ? '*' : ' ');
    m_canvas.text({margin, area.top()}, sign + number, style, area);
    if (row.severity >= LogSeverity::Warning) {
        const TextStyle signStyle{m_palette.severityColor(row.severity, behind(row)), {}, true};
        const int x = margin + (m_layout.gutter - gutterGap) * m_cellWidth;
        m_canvas.text({x, area.top()}, QString(QLatin1Char("   WEC"[std::size_t(row.severity)])), signStyle,
                      area);
    }
}

void LogRowPainter::drawRun(const QRect &area, const LogRun &run, int cell, const LogRow &row,
                            LogSeverity severity)
{
    const QColor behind = this->behind(row);
    TextStyle style;
    style.background = m_palette.background(run.style);
    if (severity >= LogSeverity::Warning)
        style.foreground = m_palette.severityColor(severity, behind);
    else
        style.foreground =
            m_palette.foreground(run.style, style.background.isValid() ? style.background : behind);
    style.bold = run.style.bold;
    style.underline = run.style.underline;
    TextStyle selectedStyle = style;
    selectedStyle.background = m_palette.selection();
    selectedStyle.foreground = m_palette.selectedText();

    QStringView rest(run.text);
    const int left = leftOf(row);
    const int end = endOf(row);
    // Draws the visible part of a run, in at most three pieces: before, in and after the selection.
    while (!rest.isEmpty() && cell < end) {
        qsizetype size = 0;
        int cells = 0;
        const bool isSelected = cell >= row.selected.begin && cell < row.selected.end;
        const int border = isSelected
                               ? row.selected.end
                               : (cell < row.selected.begin ? row.selected.begin : LogSelection::endOfLine);
        const bool isVisible = cell + 1 >= left;
        while (size < rest.size() && cell + cells < border && cell + cells < end &&
               (cell + cells + 1 >= left) == isVisible) {
            const Cluster cluster = clusterAt(rest, size);
            size += cluster.size;
            cells += cluster.cells;
        }
        if (isVisible)
            drawText({area.left() + (cell - left) * m_cellWidth, area.top()}, rest.first(size),
                     isSelected ? selectedStyle : style, area);
        rest = rest.sliced(size);
        cell += cells;
    }
}

/// Returns how many eighths of its cell a block character fills from the left; 0 for another.
static int eighthsOf(QChar c)
{
    return c.unicode() >= 0x2588 && c.unicode() <= 0x258F ? 0x2590 - c.unicode() : 0;
}

/// Returns the characters of a bar that begins at `from`, as tqdm draws it: "|███▌  |". 0: none does.
static qsizetype barAt(QStringView text, qsizetype from)
{
    if (eighthsOf(text[from]) == 0 || (from > 0 && text[from - 1] != '|'_L1))
        return 0;
    qsizetype end = from;
    while (end < text.size() && eighthsOf(text[end]) > 0)
        ++end;
    const bool isBar = end == text.size() || text[end] == ' '_L1 || text[end] == '|'_L1;
    return isBar ? end - from : 0;
}

void LogRowPainter::drawText(const QPoint &at, QStringView text, const TextStyle &style, const QRect &area)
{
    QPoint place = at;
    while (!text.isEmpty()) {
        qsizetype before = 0;
        qsizetype blocks = 0;
        while (before < text.size() && (blocks = barAt(text, before)) == 0)
            ++before;
        if (before > 0)
            m_canvas.text(place, text.first(before), style, area);
        place.rx() += cellWidth(text.first(before)) * m_cellWidth;
        text = text.sliced(before);
        if (text.isEmpty())
            return;
        int eighths = 0;
        for (const QChar c : text.first(blocks))
            eighths += eighthsOf(c);
        const int width = static_cast<int>(blocks) * m_cellWidth;
        if (style.background.isValid())
            m_canvas.fill(QRect(place.x(), area.top(), width, area.height()).intersected(area),
                          style.background);
        const int height = std::max(2, area.height() * 2 / 5);
        m_canvas.fill(
            QRect(place.x(), area.top() + (area.height() - height) / 2, eighths * m_cellWidth / 8, height)
                .intersected(area),
            style.foreground);
        place.rx() += width;
        text = text.sliced(blocks);
    }
}

void LogRowPainter::drawPatch(const QRect &area, const LogRow &row, const ShownLine &line, CellRange cells,
                              const QColor &foreground, const QColor &background, bool isBold)
{
    cells = {std::max(cells.begin, row.shown.begin), std::min(cells.end, row.shown.end)};
    const int left = leftOf(row);
    if (cells.isEmpty() || cells.end <= left || cells.begin > left + m_layout.columns)
        return;
    const TextStyle style{foreground, background, isBold, true};
    m_canvas.text({area.left() + (cells.begin - left) * m_cellWidth, area.top()}, line.textIn(cells), style,
                  area);
}

} // namespace rankdeck
