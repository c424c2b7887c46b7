#pragma once

#include "canvas/widget/canvaswidget.h"
#include "terminal/screen/terminalscreen.h"
#include "terminal/view/terminalpainter.h"

#include <QBasicTimer>
#include <QClipboard>
#include <QElapsedTimer>
#include <QTimer>

#include <functional>

namespace rankdeck
{

/// A terminal: shows a program's output, given by write(), and reports what is typed for the program with
/// typed().
///
/// Keys go to the program, including Tab and the window's shortcuts with Ctrl or Alt, except: Ctrl+Tab and
/// Ctrl+Shift+Tab leave it, Alt and an arrow choose a neighbour, Ctrl+Shift+C and V copy and paste,
/// Shift+Insert pastes the last selection, Shift+Page Up and Down, Ctrl+Shift+Up, Down, Home and End scroll.
/// The window takes all other keys with Ctrl and Shift, and Ctrl with a digit.
class TerminalView : public CanvasWidget
{
    Q_OBJECT

public:
    static constexpr int margin = 4; ///< Pixels left and right of the cells.

    explicit TerminalView(QWidget *parent = nullptr);
    ~TerminalView() override;

    const TerminalScreen &terminalScreen() const { return m_screen; }
    /// Shows the program's output.
    /// @param answers whether what the emulator answers to it is typed().
    void write(const QByteArray &bytes, bool answers);
    /// See TerminalScreen.
    void remark(const QString &text);
    /// Clears the terminal and its history.
    void reset();
    /// Sets whether keys go to the program; at first they do not.
    void setTakesKeys(bool takes);
    bool takesKeys() const { return m_takesKeys; }
    /// Sets whose terminal it is, such as "rank 3", for screen readers.
    void setTitle(const QString &title);

    /// The line at the top; terminalScreen().topLine() while following the end.
    qint64 topLine() const;
    bool isFollowing() const { return m_following; }
    /// Scrolls to a line; at the end or beyond, follows the end.
    void scrollTo(qint64 line);
    /// Rows and columns that fit.
    TerminalSize fittingSize() const;

    const TerminalSelection &selection() const { return m_selection; }
    void setSelection(const TerminalSelection &selection);
    void selectAll() { setSelection(allOf(m_screen)); }
    void copy(QClipboard::Mode mode = QClipboard::Clipboard);
    void paste(QClipboard::Mode mode = QClipboard::Clipboard);
    /// Returns the visible text, lines separated by '\n'.
    QString visibleText() const;

    QSize minimumSizeHint() const override;
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

Q_SIGNALS:
    /// Bytes for the program.
    void typed(const QByteArray &bytes);
    /// The screen has a new size, soon after the widget has; also the first size.
    void sizeChanged(const rankdeck::TerminalSize &size);
    /// topLine() or the range of lines may have changed.
    void scrolled();
    void titleChanged(const QString &title);
    /// Alt and an arrow were pressed; `arrow` is its Qt::Key.
    void neighbourWanted(int arrow);
    /// The wheel was turned with Ctrl: larger characters, or smaller if negative.
    void zoomWanted(int steps);
    void focusChanged(bool hasFocus);

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    bool event(QEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent *event) override;
    void inputMethodEvent(QInputMethodEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    bool doOwnKey(const QKeyEvent &key);
    bool scrollWith(int key);
    void type(const QByteArray &bytes);
    void scrollBy(qint64 lines) { scrollTo(std::max(m_screen.firstLine(), topLine() + lines)); }
    void fit();
    void changed();
    void keepSelection(const std::function<void()> &change);

    TerminalScreen::Place placeAt(const QPoint &point, bool nearest) const;
    void dragTo(const QPoint &point) { setSelection({m_selection.anchor, placeAt(point, true)}); }

    TerminalScreen m_screen;
    TerminalColors m_colors;
    TerminalPainter m_painter;
    TerminalSelection m_selection;
    LineRate m_rate;
    QElapsedTimer m_clock;
    QTimer m_fitTimer;
    QBasicTimer m_edgeTimer;
    QElapsedTimer m_sinceDoubleClick;
    QString m_preedit;
    QString m_title;
    QPoint m_wheelRest;
    qint64 m_top = 0; ///< Valid while not following the end.
    bool m_following = true;
    bool m_takesKeys = false;
    bool m_selecting = false;
    bool m_toldSize = false;
};

} // namespace rankdeck
