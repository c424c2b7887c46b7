// What keys, the mouse and input methods do in a terminal.

#include "terminal/terminalkeys.h"
#include "terminal/terminalview.h"

#include <QApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
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
constexpr Qt::KeyboardModifiers meant =
    Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier | Qt::MetaModifier;
constexpr Qt::KeyboardModifiers controlShift = Qt::ControlModifier | Qt::ShiftModifier;

bool isArrow(int key)
{
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Left || key == Qt::Key_Right;
}

} // namespace

/// Keys of the view itself.
bool TerminalView::isOurs(const QKeyEvent &key) const
{
    const Qt::KeyboardModifiers held = key.modifiers() & meant;
    switch (key.key()) {
    case Qt::Key_C:
    case Qt::Key_V:
    case Qt::Key_A:
    case Qt::Key_Home:
    case Qt::Key_End:
        return held == controlShift;
    case Qt::Key_Up:
    case Qt::Key_Down:
        return held == controlShift || held == Qt::AltModifier;
    case Qt::Key_Left:
    case Qt::Key_Right:
        return held == Qt::AltModifier;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Insert:
        return held == Qt::ShiftModifier;
    case Qt::Key_Tab:
        return held == Qt::ControlModifier;
    case Qt::Key_Backtab:
        return held == controlShift;
    default:
        return false;
    }
}

bool TerminalView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *const key = static_cast<QKeyEvent *>(event);
        if (isOurs(*key) || (m_takesKeys && isForProgram(key->key(), key->modifiers(), key->text()))) {
            event->accept();
            return true;
        }
    }
    return CanvasWidget::event(event);
}

/// Tab goes to the program.
bool TerminalView::focusNextPrevChild(bool next)
{
    return !m_takesKeys && CanvasWidget::focusNextPrevChild(next);
}

void TerminalView::keyPressEvent(QKeyEvent *event)
{
    if (isOurs(*event) && doOwnKey(*event))
        return;
    if (m_takesKeys && isForProgram(event->key(), event->modifiers(), event->text())) {
        type(m_screen.key(event->key(), event->modifiers(), event->text()));
        return;
    }
    const int page = std::max(1, m_screen.size().rows - 1);
    switch (m_takesKeys ? 0 : event->key()) {
    case Qt::Key_Up:
        scrollBy(-1);
        break;
    case Qt::Key_Down:
        scrollBy(1);
        break;
    case Qt::Key_PageUp:
        scrollBy(-page);
        break;
    case Qt::Key_PageDown:
        scrollBy(page);
        break;
    case Qt::Key_Home:
        scrollTo(m_screen.firstLine());
        break;
    case Qt::Key_End:
        scrollTo(m_screen.topLine());
        break;
    default:
        CanvasWidget::keyPressEvent(event);
    }
}

bool TerminalView::doOwnKey(const QKeyEvent &key)
{
    const int page = std::max(1, m_screen.size().rows - 1);
    if (isArrow(key.key()) && (key.modifiers() & meant) == Qt::AltModifier) {
        Q_EMIT neighbourWanted(key.key());
        return true;
    }
    switch (key.key()) {
    case Qt::Key_C:
        copy();
        break;
    case Qt::Key_V:
        paste();
        break;
    case Qt::Key_A:
        selectAll();
        break;
    case Qt::Key_Insert:
        paste(QClipboard::Selection);
        break;
    case Qt::Key_Up:
        scrollBy(-1);
        break;
    case Qt::Key_Down:
        scrollBy(1);
        break;
    case Qt::Key_PageUp:
        scrollBy(-page);
        break;
    case Qt::Key_PageDown:
        scrollBy(page);
        break;
    case Qt::Key_Home:
        scrollTo(m_screen.firstLine());
        break;
    case Qt::Key_End:
        scrollTo(m_screen.topLine());
        break;
    case Qt::Key_Tab:
        return CanvasWidget::focusNextPrevChild(true);
    case Qt::Key_Backtab:
        return CanvasWidget::focusNextPrevChild(false);
    default:
        return false;
    }
    return true;
}

void TerminalView::type(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return;
    scrollTo(m_screen.topLine());
    Q_EMIT typed(bytes);
}

void TerminalView::inputMethodEvent(QInputMethodEvent *event)
{
    if (!m_takesKeys) {
        event->ignore();
        return;
    }
    m_preedit = harmless(event->preeditString());
    m_preedit.remove(QLatin1Char('\r'));
    m_preedit.replace(QLatin1Char('\t'), QLatin1Char(' '));
    type(harmless(event->commitString()).toUtf8());
    updateMicroFocus();
    schedule();
    event->accept();
}

QVariant TerminalView::inputMethodQuery(Qt::InputMethodQuery query) const
{
    switch (query) {
    case Qt::ImEnabled:
        return m_takesKeys;
    case Qt::ImCursorRectangle: {
        const TerminalScreen::Place place = m_screen.cursorPlace();
        const QSize cell = canvas().cellSize();
        const auto row = static_cast<int>(place.line - topLine());
        return QRect(margin + place.column * cell.width(), row * cell.height(), cell.width(), cell.height());
    }
    case Qt::ImFont:
        return font();
    default:
        return CanvasWidget::inputMethodQuery(query);
    }
}

void TerminalView::setSelection(const TerminalSelection &selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    schedule();
}

void TerminalView::selectAll()
{
    setSelection(allOf(m_screen));
}

void TerminalView::copy(QClipboard::Mode mode)
{
    const QString text = textOf(m_screen, m_selection);
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text, mode);
}

void TerminalView::paste(QClipboard::Mode mode)
{
    const QString text = QApplication::clipboard()->text(mode);
    if (m_takesKeys && !text.isEmpty())
        type(m_screen.paste(text));
}

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
