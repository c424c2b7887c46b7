#include "terminal/view/terminalview.h"

#include "canvas/widget/accessiblecanvas.h"
#include "terminal/screen/terminalkeys.h"

#include <QApplication>
#include <QMenu>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int linesPerNotch = 3;
constexpr int notch = 120; // eighths of a degree (QWheelEvent::angleDelta)
constexpr Qt::KeyboardModifiers controlShift = Qt::ControlModifier | Qt::ShiftModifier;

/// The view's own action for a key.
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

/// Lets screen readers read the text of a terminal, which is composed only when one asks.
class AccessibleTerminal : public QAccessibleWidget
{
public:
    explicit AccessibleTerminal(TerminalView *view)
        : QAccessibleWidget(view, QAccessible::Terminal)
        , m_view(view)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_view->visibleText() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = !m_view->takesKeys();
        state.multiLine = true;
        return state;
    }

private:
    TerminalView *m_view;
};

} // namespace

TerminalView::TerminalView(QWidget *parent)
    : TerminalDisplay(parent)
{
    installAccessible<TerminalView, AccessibleTerminal>();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_InputMethodEnabled);
    setTitle({});
    setAccessibleDescription(
        tr("Keys go to the program. Ctrl+Tab leaves the terminal; Alt+arrow selects the one beside it."));
}

void TerminalView::setTakesKeys(bool takes)
{
    if (std::exchange(m_takesKeys, takes) == takes)
        return;
    updateMicroFocus();
    showCursor(hasFocus() && takes);
}

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
    return TerminalDisplay::event(event);
}

void TerminalView::keyPressEvent(QKeyEvent *event)
{
    if (doOwnKey(*event))
        return;
    if (m_takesKeys && isForProgram(event->key(), event->modifiers(), event->text())) {
        type(emulator().key(event->key(), event->modifiers(), event->text()));
        return;
    }
    if (m_takesKeys || !scrollWith(event->key()))
        TerminalDisplay::keyPressEvent(event);
}

/// Scrolls if the key is one that does; returns whether it is.
bool TerminalView::scrollWith(int key)
{
    const int page = std::max(1, terminalScreen().size().rows - 1);
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        scrollBy(key == Qt::Key_Up ? -1 : 1);
    else if (key == Qt::Key_PageUp || key == Qt::Key_PageDown)
        scrollBy(key == Qt::Key_PageUp ? -page : page);
    else if (key == Qt::Key_Home || key == Qt::Key_End)
        scrollTo(key == Qt::Key_Home ? terminalScreen().firstLine() : terminalScreen().topLine());
    else
        return false;
    return true;
}

bool TerminalView::doOwnKey(const QKeyEvent &key)
{
    switch (ownKey(key)) {
    case OwnKey::None:
        return false;
    case OwnKey::Copy:
        copy();
        break;
    case OwnKey::Paste:
        paste();
        break;
    case OwnKey::PasteSelection:
        paste(QClipboard::Selection);
        break;
    case OwnKey::SelectAll:
        selectAll();
        break;
    case OwnKey::Neighbour:
        Q_EMIT neighbourRequested(key.key());
        break;
    case OwnKey::Leave:
        return TerminalDisplay::focusNextPrevChild(key.key() == Qt::Key_Tab);
    case OwnKey::Scroll:
        return scrollWith(key.key());
    }
    return true;
}

void TerminalView::type(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return;
    scrollTo(terminalScreen().topLine());
    Q_EMIT typed(bytes);
}

void TerminalView::inputMethodEvent(QInputMethodEvent *event)
{
    if (!m_takesKeys) {
        event->ignore();
        return;
    }
    QString composed = harmless(event->preeditString());
    composed.remove('\r'_L1);
    composed.replace('\t'_L1, ' '_L1);
    showComposed(composed);
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
    case Qt::ImCursorRectangle:
        return cursorArea();
    case Qt::ImFont:
        return font();
    default:
        return TerminalDisplay::inputMethodQuery(query);
    }
}

void TerminalView::paste(QClipboard::Mode mode)
{
    const QString text = QApplication::clipboard()->text(mode);
    if (m_takesKeys && !text.isEmpty())
        type(emulator().paste(text));
}

void TerminalView::focusInEvent(QFocusEvent *event)
{
    TerminalDisplay::focusInEvent(event);
    showCursor(m_takesKeys);
    Q_EMIT focusChanged(true);
}

void TerminalView::focusOutEvent(QFocusEvent *event)
{
    TerminalDisplay::focusOutEvent(event);
    showComposed({});
    showCursor(false);
    Q_EMIT focusChanged(false);
}

void TerminalView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::MiddleButton)
        paste(QApplication::clipboard()->supportsSelection() ? QClipboard::Selection : QClipboard::Clipboard);
    else
        TerminalDisplay::mousePressEvent(event);
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
        Q_EMIT zoomRequested(steps);
    else if (terminalScreen().isAlternate() && m_takesKeys)
        // The alternate screen has no history; less and vim scroll with arrow keys.
        type(emulator().key(steps > 0 ? Qt::Key_Up : Qt::Key_Down, {}, {}).repeated(std::abs(steps)));
    else
        scrollBy(-steps);
}

void TerminalView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // The view handles the keys itself; the menu only shows them.
    const auto add = [&](const QString &text, const QString &key, bool isEnabled, auto slot) {
        QAction *const action = menu->addAction(key.isEmpty() ? text : text + '\t'_L1 + key, this, slot);
        action->setEnabled(isEnabled);
    };
    const bool hasSelection = !textOf(terminalScreen(), selection()).isEmpty();
    add(tr("&Copy"), tr("Ctrl+Shift+C"), hasSelection, [this] { copy(); });
    add(tr("&Paste"), tr("Ctrl+Shift+V"), m_takesKeys, [this] { paste(); });
    add(tr("Paste &selection"), tr("Shift+Insert"),
        m_takesKeys && QApplication::clipboard()->supportsSelection(),
        [this] { paste(QClipboard::Selection); });
    menu->addSeparator();
    add(tr("Select &all"), tr("Ctrl+Shift+A"), true, [this] { selectAll(); });
    add(tr("Clea&r selection"), {}, hasSelection, [this] { setSelection({}); });
    menu->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos()
                                                            : mapToGlobal(cursorArea().bottomLeft()));
}

} // namespace rankdeck
