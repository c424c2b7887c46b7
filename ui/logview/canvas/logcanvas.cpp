#include "logview/canvas/logcanvas.h"

#include "logview/canvas/accessiblelog.h"
#include "logview/source/logsource.h"

#include <QTimerEvent>

namespace rankdeck
{

constexpr int margin = LogRowPainter::margin;
constexpr int edgeScrollInterval = 100; // ms
constexpr int fewestDigits = 3;

LogCanvas::LogCanvas(LogSource *source, QWidget *parent)
    : CanvasWidget(parent)
    , m_source(source)
    , m_palette(palette())
    , m_rows(source)
{
    installAccessibleLog();
    m_clock.start();
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::IBeamCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

int LogCanvas::columns() const
{
    return std::max(1, (width() - textLeft() - margin) / canvas().cellSize().width());
}

qint64 LogCanvas::bottom() const
{
    const QList<LogRows::Row> shown = logRows().from(m_top, rows());
    return shown.isEmpty() ? m_top.line : shown.constLast().line;
}

void LogCanvas::setWrapped(bool wrapped)
{
    if (wrapped == m_rows.isWrapped())
        return;
    m_rows.setWrapped(wrapped);
    m_left = 0;
    m_top.row = 0;
    scheduleEverything();
    Q_EMIT fitChanged();
}

LogRows LogCanvas::logRows() const
{
    LogRows sized = m_rows;
    sized.setSize(rows(), columns());
    return sized;
}

void LogCanvas::setLeft(int cell)
{
    if (std::exchange(m_left, cell) != cell)
        scheduleEverything();
}

void LogCanvas::setCurrentLine(const std::optional<qint64> &line)
{
    if (std::exchange(m_current, line) == line)
        return;
    m_clicked.reset();
    schedule();
    tellCursor(this);
}

qint64 LogCanvas::lineMeant() const
{
    for (const qint64 line : {m_clicked ? m_clicked->line : -1, m_current.value_or(-1)}) {
        if (line >= top() && line <= bottom() && line < m_source->totalLines())
            return line;
    }
    return top();
}

void LogCanvas::linesChanged()
{
    setFlooded(m_rate.isFlood(m_source->totalLines(), m_clock.elapsed()));
    fitGutter();
    schedule();
}

void LogCanvas::fitGutter()
{
    // Lines of a filter have larger numbers further down: the gutter grows, but does not move back and forth.
    if (m_source->totalLines() == 0)
        m_digits = fewestDigits;
    m_digits = std::max(m_digits, int(QString::number(m_source->largestNumber()).size()));
    const int cells = m_numbered ? 1 + m_digits + LogRowPainter::gutterGap : 0;
    if (std::exchange(m_gutter, cells) == cells)
        return;
    scheduleEverything();
    Q_EMIT fitChanged();
}

QString LogCanvas::visibleText() const
{
    if (m_source->totalLines() == 0)
        return m_emptyText;
    QStringList lines;
    for (qint64 line = top(); line <= bottom(); ++line)
        lines.append(AnsiDecoder::plainText(m_source->line(line)));
    return lines.join('\n'_L1);
}

QString LogCanvas::selectedText() const
{
    const qint64 line = m_selection.begin().line;
    if (m_selection.isEmpty() || m_selection.end().line != line)
        return {};
    return ShownLine(m_source->line(line)).textIn(m_selection.cellsOf(line));
}

LogRow LogCanvas::rowFor(const LogRows::Row &place) const
{
    const qint64 line = place.line;
    LogRow row(*m_source, place);
    if (!m_numbered)
        row.number = -1;
    row.selected = m_selection.cellsOf(line);
    row.isCurrent = m_current == line;
    row.isBookmarked = !m_source->isMark(line) && m_bookmarks.contains(m_source->fileLine(line));
    row.isPointedOut = m_marked == line;
    if (!m_matcher && m_highlights.isEmpty())
        return row;
    const ShownLine shown(row.bytes);
    if (m_matcher)
        row.matches = shown.matches(*m_matcher);
    for (const auto &[matcher, color] : m_highlights) {
        for (const CellRange &cells : shown.matches(matcher))
            row.highlights.append({cells, m_palette.highlight(color)});
    }
    return row;
}

void LogCanvas::drawCanvas(Canvas &canvas, bool everything)
{
    const int count = rows();
    const bool showsEmptyText = m_source->totalLines() == 0;
    // Until the lines arrive, the old ones stay on screen.
    if (!everything && !m_source->hasLines(top(), count))
        return;
    everything = everything || m_drawn.size() != count || showsEmptyText || m_drawnEmptyText;
    if (everything) {
        canvas.fill(QRect(QPoint(), canvas.size()), m_palette.base());
        m_drawn = QList<LogRow>(count);
        m_drawnRows.clear();
    }
    m_drawnEmptyText = showsEmptyText;
    if (showsEmptyText) {
        drawBroken(canvas, {margin, 0}, m_emptyText, columns(), {m_palette.muted(), {}});
        return;
    }
    const QList<LogRows::Row> shown = logRows().from(m_top, count);
    moveRows(canvas, shown);
    m_drawnRows = shown;

    LogRowPainter painter(canvas, m_palette, {width(), m_left, columns(), m_gutter});
    const int widestBefore = m_widest;
    const int height = canvas.cellSize().height();
    for (int index = 0; index < count; ++index) {
        LogRow row = index < shown.size() ? rowFor(shown[index]) : LogRow();
        row.cells = m_drawn[index].cells;
        if (row == m_drawn[index])
            continue;
        m_widest =
            std::max(m_widest, painter.draw(row, {0, index * height, width(), height}, m_drawn[index].cells));
        m_drawn[index] = row;
    }
    if (m_widest != widestBefore)
        Q_EMIT widthInCellsChanged(m_widest);
}

/// Moves rows that are still on screen, so that only new and changed rows are drawn.
void LogCanvas::moveRows(Canvas &canvas, const QList<LogRows::Row> &shown)
{
    if (m_drawnRows.isEmpty() || shown.isEmpty())
        return;
    const qsizetype down = m_drawnRows.indexOf(shown.first());
    const qsizetype up = shown.indexOf(m_drawnRows.first());
    const auto shift = static_cast<int>(down > 0 ? down : up > 0 ? -up : 0);
    if (shift == 0)
        return;
    const auto count = static_cast<int>(m_drawn.size());
    const int height = canvas.cellSize().height();
    const int widest = canvas.size().width() / canvas.cellSize().width() + 1;
    canvas.scroll(QRect(0, 0, width(), count * height), -shift * height);
    QList<LogRow> moved(count);
    for (int row = 0; row < count; ++row) {
        const int from = row + shift;
        if (from >= 0 && from < count)
            moved[row] = m_drawn[from];
        else
            moved[row].cells = widest; // The pixels of a new row are unknown: clear all of them.
    }
    m_drawn = moved;
}

CellPosition LogCanvas::positionAt(const QPoint &point) const
{
    const QSize cell = canvas().cellSize();
    const int row = point.y() < 0 ? -1 : std::min(point.y() / cell.height(), rows());
    const QList<LogRows::Row> there =
        logRows().from(row < 0 ? logRows().moved(m_top, -1) : m_top, rows() + 1);
    if (there.isEmpty())
        return {};
    const LogRows::Row &place = there.at(std::clamp<qsizetype>(row, 0, there.size() - 1));
    const ShownLine line(m_source->line(place.line));
    if (row >= there.size())
        return {place.line, line.cells()};
    const int halfCell = 2 * (m_left + place.cells.begin) + (point.x() - textLeft()) * 2 / cell.width();
    const int border = line.borderNear(halfCell);
    return {place.line, std::clamp(border, place.cells.begin, std::min(place.cells.end, line.cells()))};
}

QRect LogCanvas::rectOf(const CellPosition &place) const
{
    const QSize cell = canvas().cellSize();
    const LogRows::Place row = logRows().placeOf(place);
    const QList<LogRows::Row> shown = logRows().from(m_top, rows() + 1);
    const auto there = std::ranges::find_if(shown, [&](const LogRows::Row &each) {
        return each.line == row.line && place.cell >= each.cells.begin && place.cell < each.cells.end;
    });
    if (there == shown.end())
        return {};
    const int column = place.cell - m_left - there->cells.begin;
    return {QPoint(textLeft() + column * cell.width(), int(there - shown.begin()) * cell.height()), cell};
}

void LogCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        setCurrentLine({});
    const CellPosition position = positionAt(event->pos());
    m_clicked = position;
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        Q_EMIT cellPressed(position.line, position.cell);
        return;
    }
    m_selecting = true;
    m_dragging = false;
    Q_EMIT linePressed(position.line);
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        Q_EMIT selectingBegan();
        setSelection({m_selection.anchor, position});
    } else {
        setSelection({position, position});
    }
}

void LogCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_selecting)
        return;
    if (!std::exchange(m_dragging, true))
        Q_EMIT selectingBegan();
    setSelection({m_selection.anchor, positionAt(event->pos())});
    const bool outside = !rect().contains(event->pos());
    if (outside && !m_edgeTimer.isActive())
        m_edgeTimer.start(edgeScrollInterval, this);
    else if (!outside)
        m_edgeTimer.stop();
}

void LogCanvas::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_edgeTimer.timerId()) {
        CanvasWidget::timerEvent(event);
        return;
    }
    const QPoint point = mapFromGlobal(QCursor::pos());
    const QSize cell = canvas().cellSize();
    const int above = std::min(0, point.y() / cell.height() - (point.y() < 0 ? 1 : 0));
    const int below = std::max(0, (point.y() - height()) / cell.height() + (point.y() > height() ? 1 : 0));
    const int before = point.x() < 0 ? -4 : 0;
    const int behind = point.x() > width() ? 4 : 0;
    Q_EMIT scrollRequested(above + below, before + behind);
    setSelection({m_selection.anchor, positionAt(point)});
}

void LogCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_selecting, false))
        return;
    m_edgeTimer.stop();
    if (!m_selection.isEmpty())
        Q_EMIT selectionFinished();
}

void LogCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QList<LogRows::Row> shown = logRows().from(m_top, rows() + 1);
    const int row = event->pos().y() / canvas().cellSize().height();
    if (row >= shown.size())
        return;
    const qint64 line = shown[row].line;
    const int cell = m_left + shown[row].cells.begin +
                     std::max(0, event->pos().x() - textLeft()) / canvas().cellSize().width();
    const CellRange word = ShownLine(m_source->line(line)).wordAt(cell);
    Q_EMIT selectingBegan();
    setSelection({{line, word.begin}, {line, word.end}});
    if (!word.isEmpty())
        Q_EMIT selectionFinished();
}

} // namespace rankdeck
