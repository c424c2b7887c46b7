// What keys and input methods do in a terminal, and the clipboard.

#include "terminal/terminalkeys.h"
#include "terminal/terminalview.h"

#include <QApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>

#include <algorithm>

namespace rankdeck
{

namespace
{

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
    if (m_takesKeys || !scrollWith(event->key()))
        CanvasWidget::keyPressEvent(event);
}

/// Whether the key is one that scrolls.
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
    case Qt::Key_Tab:
        return CanvasWidget::focusNextPrevChild(true);
    case Qt::Key_Backtab:
        return CanvasWidget::focusNextPrevChild(false);
    default:
        return scrollWith(key.key());
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

} // namespace rankdeck
