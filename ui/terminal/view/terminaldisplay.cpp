#include "terminal/view/terminaldisplay.h"

#include <QApplication>
#include <QTimerEvent>

#include <algorithm>

namespace rankdeck
{

constexpr int edgeScrollInterval = 100; // ms

TerminalDisplay::TerminalDisplay(QWidget *parent)
    : CanvasWidget(parent)
    , m_colors(LogPalette(palette()))
{
    m_clock.start();
    setCursor(Qt::IBeamCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&m_fitTimer, &QTimer::timeout, this, &TerminalDisplay::fit);
}

TerminalSize TerminalDisplay::fittingSize() const
{
    const QSize cell = canvas().cellSize();
    return {
        std::clamp(height() / cell.height(), TerminalScreen::leastSize.rows, TerminalScreen::mostSize.rows),
        std::clamp((width() - 2 * margin) / cell.width(), TerminalScreen::leastSize.columns,
                   TerminalScreen::mostSize.columns)};
}

void TerminalDisplay::fit()
{
    const TerminalSize size = fittingSize();
    if (size == m_screen.size() && m_toldSize)
        return;
    m_toldSize = true;
    keepSelection([&] { m_screen.resize(size); });
    changed();
    Q_EMIT sizeChanged(size);
}

/// Clears the selection if the change alters the selected text.
void TerminalDisplay::keepSelection(const std::function<void()> &change)
{
    TerminalSelection onScreen = m_selection;
    if (onScreen.isEmpty() || onScreen.end().line < m_screen.topLine()) {
        change();
        return;
    }
    onScreen = {onScreen.begin(), onScreen.end()};
    if (onScreen.anchor.line < m_screen.topLine())
        onScreen.anchor = {m_screen.topLine(), 0};
    const QString before = textOf(m_screen, onScreen);
    change();
    if (textOf(m_screen, onScreen) != before)
        setSelection({});
}

void TerminalDisplay::write(const QByteArray &bytes, bool answers)
{
    QByteArray answer;
    keepSelection([&] { answer = m_screen.write(bytes); });
    changed();
    if (answers && !answer.isEmpty())
        Q_EMIT typed(answer);
}

void TerminalDisplay::reset()
{
    m_screen.reset();
    m_following = true;
    setSelection({});
    changed();
}

void TerminalDisplay::changed()
{
    setFlooded(m_rate.isFlood(m_screen.topLine(), m_clock.elapsed()));
    schedule();
    if (const QString title = m_screen.title(); std::exchange(m_title, title) != title)
        Q_EMIT titleChanged(title);
    Q_EMIT scrolled();
}

void TerminalDisplay::scrollTo(qint64 line)
{
    m_following = line >= m_screen.topLine();
    m_top = line;
    schedule();
    Q_EMIT scrolled();
}

QString TerminalDisplay::visibleText() const
{
    QStringList lines;
    const qint64 top = topLine();
    for (qint64 line = top; line < top + m_screen.size().rows; ++line)
        lines.append(m_screen.line(line).text());
    while (!lines.isEmpty() && lines.constLast().isEmpty())
        lines.removeLast();
    return lines.join('\n'_L1);
}

void TerminalDisplay::drawCanvas(Canvas &canvas, bool everything)
{
    const TerminalRows rows{m_screen, m_colors, m_selection, m_composed, m_hasCursor};
    m_painter.draw(canvas, {margin, 0}, rows.from(topLine()), m_colors.palette().base(), everything);
}

void TerminalDisplay::showComposed(const QString &text)
{
    m_composed = text;
    schedule();
}

void TerminalDisplay::showCursor(bool isShown)
{
    m_hasCursor = isShown;
    schedule();
}

QRect TerminalDisplay::cursorArea() const
{
    const TerminalScreen::Place place = m_screen.cursorPlace();
    const QSize cell = canvas().cellSize();
    const auto row = int(place.line - topLine());
    return {margin + place.column * cell.width(), row * cell.height(), cell.width(), cell.height()};
}

void TerminalDisplay::setSelection(const TerminalSelection &selection)
{
    if (std::exchange(m_selection, selection) != selection)
        schedule();
}

void TerminalDisplay::copy(QClipboard::Mode mode)
{
    const QString text = textOf(m_screen, m_selection);
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text, mode);
}

/// @param nearest the border between cells that is nearest, else the cell.
TerminalScreen::Place TerminalDisplay::placeAt(const QPoint &point, bool nearest) const
{
    const QSize cell = canvas().cellSize();
    const TerminalSize size = m_screen.size();
    const int row = std::clamp(point.y() < 0 ? 0 : point.y() / cell.height(), 0, size.rows - 1);
    const int x = point.x() - margin + (nearest ? cell.width() / 2 : 0);
    int column = std::clamp(x < 0 ? 0 : x / cell.width(), 0, size.columns);
    const qint64 number = topLine() + row;
    const TerminalLine line = m_screen.line(number);
    // Never between the halves of a wide character.
    if (column < line.cells.size() && line.cells[column].width == 0)
        column += nearest ? 1 : -1;
    return {number, column};
}

void TerminalDisplay::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const bool isThird =
        m_sinceDoubleClick.isValid() && m_sinceDoubleClick.elapsed() < QApplication::doubleClickInterval();
    if (isThird) {
        setSelection(wholeLineAt(m_screen, placeAt(event->pos(), false).line));
        m_sinceDoubleClick.invalidate();
        copy(QClipboard::Selection);
        return;
    }
    const TerminalScreen::Place place = placeAt(event->pos(), true);
    m_selecting = true;
    const bool extends = event->modifiers().testFlag(Qt::ShiftModifier) && !m_selection.isEmpty();
    setSelection({extends ? m_selection.anchor : place, place});
}

void TerminalDisplay::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_selecting)
        return;
    dragTo(event->pos());
    const bool isOutside = event->pos().y() < 0 || event->pos().y() >= height();
    if (isOutside && !m_edgeTimer.isActive())
        m_edgeTimer.start(edgeScrollInterval, this);
    else if (!isOutside)
        m_edgeTimer.stop();
}

void TerminalDisplay::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_edgeTimer.timerId()) {
        CanvasWidget::timerEvent(event);
        return;
    }
    const QPoint point = mapFromGlobal(QCursor::pos());
    scrollBy(point.y() < 0 ? -1 : 1);
    dragTo(point);
}

void TerminalDisplay::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_selecting, false))
        return;
    m_edgeTimer.stop();
    if (QApplication::clipboard()->supportsSelection())
        copy(QClipboard::Selection);
}

void TerminalDisplay::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_sinceDoubleClick.start();
    setSelection(wordAt(m_screen, placeAt(event->pos(), false)));
    if (QApplication::clipboard()->supportsSelection())
        copy(QClipboard::Selection);
}

} // namespace rankdeck
