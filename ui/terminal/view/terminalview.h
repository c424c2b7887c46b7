#pragma once

#include "terminal/view/terminaldisplay.h"

namespace rankdeck
{

/// A terminal that can be typed into: typed() reports it for the program.
///
/// Keys go to the program, including Tab and the window's shortcuts with Ctrl or Alt, except: Ctrl+Tab and
/// Ctrl+Shift+Tab leave it, Alt and an arrow choose a neighbour, Ctrl+Shift+C and V copy and paste,
/// Shift+Insert pastes the last selection, Shift+Page Up and Down, Ctrl+Shift+Up, Down, Home and End scroll.
/// The window takes all other keys with Ctrl and Shift, and Ctrl with a digit.
class TerminalView : public TerminalDisplay
{
    Q_OBJECT

public:
    explicit TerminalView(QWidget *parent = nullptr);

    /// Sets whether keys go to the program; at first they do not.
    void setTakesKeys(bool takes);
    bool takesKeys() const { return m_takesKeys; }
    /// Sets the terminal's owner, such as "rank 3", for screen readers.
    void setTitle(const QString &title)
    {
        setAccessibleName(title.isEmpty() ? tr("Terminal") : tr("Terminal of %1").arg(title));
    }
    void paste(QClipboard::Mode mode = QClipboard::Clipboard);

    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

Q_SIGNALS:
    /// Alt and an arrow were pressed; `arrow` is its Qt::Key.
    void neighbourRequested(int arrow);
    /// The wheel was turned with Ctrl: larger characters, or smaller if negative.
    void zoomRequested(int steps);
    void focusChanged(bool hasFocus);

protected:
    bool event(QEvent *event) override;
    /// Tab goes to the program.
    bool focusNextPrevChild(bool next) override
    {
        return !m_takesKeys && TerminalDisplay::focusNextPrevChild(next);
    }
    void keyPressEvent(QKeyEvent *event) override;
    void inputMethodEvent(QInputMethodEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    bool doOwnKey(const QKeyEvent &key);
    bool scrollWith(int key);
    void type(const QByteArray &bytes);

    QPoint m_wheelRest;
    bool m_takesKeys = false;
};

} // namespace rankdeck
