// What the mouse does in a terminal.

#include "terminal/terminalview.h"

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QTimerEvent>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr int linesPerNotch = 3;
constexpr int notch = 120;              // eighths of a degree (QWheelEvent::angleDelta)
constexpr int edgeScrollInterval = 100; // ms

} // namespace

/// @param nearest the border between cells that is nearest, else the cell.
TerminalScreen::Place TerminalView::placeAt(const QPoint &point, bool nearest) const
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

void TerminalView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::MiddleButton) {
        paste(QApplication::clipboard()->supportsSelection() ? QClipboard::Selection : QClipboard::Clipboard);
        return;
    }
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

void TerminalView::mouseMoveEvent(QMouseEvent *event)
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

void TerminalView::dragTo(const QPoint &point)
{
    setSelection({m_selection.anchor, placeAt(point, true)});
}

void TerminalView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_edgeTimer.timerId()) {
        CanvasWidget::timerEvent(event);
        return;
    }
    const QPoint point = mapFromGlobal(QCursor::pos());
    scrollBy(point.y() < 0 ? -1 : 1);
    dragTo(point);
}

void TerminalView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_selecting, false))
        return;
    m_edgeTimer.stop();
    if (QApplication::clipboard()->supportsSelection())
        copy(QClipboard::Selection);
}

void TerminalView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_sinceDoubleClick.start();
    setSelection(wordAt(m_screen, placeAt(event->pos(), false)));
    if (QApplication::clipboard()->supportsSelection())
        copy(QClipboard::Selection);
}

void TerminalView::wheelEvent(QWheelEvent *event)
{
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier);
    const int unit = zooms ? notch : notch / linesPerNotch;
    m_wheelRest += event->angleDelta();
    const int steps = m_wheelRest.y() / unit;
    m_wheelRest = {0, m_wheelRest.y() - steps * unit};
    event->accept();
    if (steps == 0)
        return;
    if (zooms)
        Q_EMIT zoomWanted(steps);
    else if (m_screen.isAlternate() && m_takesKeys)
        // There is nothing to scroll to; less and vim do it themselves.
        type(m_screen.key(steps > 0 ? Qt::Key_Up : Qt::Key_Down, {}, {}).repeated(std::abs(steps)));
    else
        scrollBy(-steps);
}

void TerminalView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // The keys are the view's own; here they are only said.
    const auto add = [&](const QString &text, const QString &key, bool isEnabled, auto slot) {
        QAction *const action =
            menu->addAction(key.isEmpty() ? text : text + QLatin1Char('\t') + key, this, slot);
        action->setEnabled(isEnabled);
    };
    const bool hasSelection = !textOf(m_screen, m_selection).isEmpty();
    add(tr("&Copy"), tr("Ctrl+Shift+C"), hasSelection, [this] { copy(); });
    add(tr("&Paste"), tr("Ctrl+Shift+V"), m_takesKeys, [this] { paste(); });
    add(tr("Paste what was &selected"), tr("Shift+Insert"),
        m_takesKeys && QApplication::clipboard()->supportsSelection(),
        [this] { paste(QClipboard::Selection); });
    menu->addSeparator();
    add(tr("Select &all"), tr("Ctrl+Shift+A"), true, [this] { selectAll(); });
    add(tr("Clea&r selection"), {}, hasSelection, [this] { setSelection({}); });
    menu->popup(event->reason() == QContextMenuEvent::Mouse
                    ? event->globalPos()
                    : mapToGlobal(inputMethodQuery(Qt::ImCursorRectangle).toRect().bottomLeft()));
}

} // namespace rankdeck
