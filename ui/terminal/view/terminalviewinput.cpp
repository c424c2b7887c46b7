// What keys, input methods, the mouse and the clipboard do in a terminal.
#include "terminal/screen/terminalkeys.h"
#include "terminal/view/terminalview.h"

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
constexpr Qt::KeyboardModifiers controlShift = Qt::ControlModifier | Qt::ShiftModifier;

/// What a key of the view itself does.
enum class OwnKey { None, Copy, Paste, PasteSelection, SelectAll, Neighbour, Leave, Scroll };

struct OwnKeyEntry {
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;
    OwnKey meaning;
};

constexpr OwnKeyEntry ownKeys[] = {
    {Qt::Key_C, controlShift, OwnKey::Copy},
    {Qt::Key_V, controlShift, OwnKey::Paste},
    {Qt::Key_Insert, Qt::ShiftModifier, OwnKey::PasteSelection},
    {Qt::Key_A, controlShift, OwnKey::SelectAll},
    {Qt::Key_Up, Qt::AltModifier, OwnKey::Neighbour},
    {Qt::Key_Down, Qt::AltModifier, OwnKey::Neighbour},
    {Qt::Key_Left, Qt::AltModifier, OwnKey::Neighbour},
    {Qt::Key_Right, Qt::AltModifier, OwnKey::Neighbour},
    {Qt::Key_Tab, Qt::ControlModifier, OwnKey::Leave},
    {Qt::Key_Backtab, controlShift, OwnKey::Leave},
    {Qt::Key_Up, controlShift, OwnKey::Scroll},
    {Qt::Key_Down, controlShift, OwnKey::Scroll},
    {Qt::Key_Home, controlShift, OwnKey::Scroll},
    {Qt::Key_End, controlShift, OwnKey::Scroll},
    {Qt::Key_PageUp, Qt::ShiftModifier, OwnKey::Scroll},
    {Qt::Key_PageDown, Qt::ShiftModifier, OwnKey::Scroll},
};

OwnKey ownKey(const QKeyEvent &key)
{
    const Qt::KeyboardModifiers held = key.modifiers() & terminalModifiers;
    for (const OwnKeyEntry &entry : ownKeys) {
        if (entry.key == key.key() && entry.modifiers == held)
            return entry.meaning;
    }
    return OwnKey::None;
}

} // namespace

bool TerminalView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *const key = static_cast<QKeyEvent *>(event);
        if (ownKey(*key) != OwnKey::None ||
            (m_takesKeys && isForProgram(key->key(), key->modifiers(), key->text()))) {
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
    if (doOwnKey(*event))
        return;
    if (m_takesKeys && isForProgram(event->key(), event->modifiers(), event->text())) {
        type(m_screen.key(event->key(), event->modifiers(), event->text()));
        return;
    }
    if (m_takesKeys || !scrollWith(event->key()))
        CanvasWidget::keyPressEvent(event);
}

/// Scrolls if the key is one that does; returns whether it is.
bool TerminalView::scrollWith(int key)
{
    const int page = std::max(1, m_screen.size().rows - 1);
    switch (key) {
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
        return false;
    }
    return true;
}

bool TerminalView::doOwnKey(const QKeyEvent &key)
{
    switch (ownKey(key)) {
    case OwnKey::None:
        return false;
    case OwnKey::Copy:
        copy();
        return true;
    case OwnKey::Paste:
        paste();
        return true;
    case OwnKey::PasteSelection:
        paste(QClipboard::Selection);
        return true;
    case OwnKey::SelectAll:
        selectAll();
        return true;
    case OwnKey::Neighbour:
        Q_EMIT neighbourWanted(key.key());
        return true;
    case OwnKey::Leave:
        return CanvasWidget::focusNextPrevChild(key.key() == Qt::Key_Tab);
    case OwnKey::Scroll:
        return scrollWith(key.key());
    }
    return false;
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
        const auto row = int(place.line - topLine());
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
        // The alternate screen has no history; less and vim scroll with arrow keys.
        type(m_screen.key(steps > 0 ? Qt::Key_Up : Qt::Key_Down, {}, {}).repeated(std::abs(steps)));
    else
        scrollBy(-steps);
}

void TerminalView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // The view handles the keys itself; the menu only shows them.
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
