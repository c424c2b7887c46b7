#pragma once

#include "canvas/canvaswidget.h"
#include "logview/linerate.h"
#include "terminal/terminalpainter.h"
#include "terminal/terminalscreen.h"
#include "terminal/terminalselection.h"

#include <QBasicTimer>
#include <QClipboard>
#include <QElapsedTimer>
#include <QTimer>

#include <functional>

namespace rankdeck
{

/// A terminal: shows what a program prints, and says what is typed. It has no program of its own: write() is
/// given what one printed, typed() says what to send it.
///
/// Keys go to the program, Tab and those of the window's shortcuts with Ctrl or Alt too, except: Ctrl+Tab and
/// Ctrl+Shift+Tab leave it, Alt and arrows choose a neighbour, Ctrl+Shift+C and V copy and paste,
/// Shift+Insert pastes what was selected last, Shift+Page up and down, Ctrl+Shift+Up, Down, Home and End
/// scroll; what else has Ctrl and Shift, or Ctrl and a digit, is the window's.
class TerminalView : public CanvasWidget
{
    Q_OBJECT

public:
    static constexpr int margin = 4; ///< Pixels left and right of the cells.

    explicit TerminalView(QWidget *parent = nullptr);
    ~TerminalView() override;

    const TerminalScreen &terminalScreen() const { return m_screen; }
    /// What the program printed.
    /// @param answers whether what the emulator answers to it is typed().
    void write(const QByteArray &bytes, bool answers);
    /// See TerminalScreen.
    void remark(const QString &text);
    /// Forget all of it.
    void reset();
    /// Whether keys go to the program; not at first.
    void setTakesKeys(bool takes);
    bool takesKeys() const { return m_takesKeys; }
    /// Whose terminal it is, such as "rank 3", for screen readers.
    void setTitle(const QString &title);

    /// the line at the top; terminalScreen().topLine() while the end is followed.
    qint64 topLine() const;
    bool isFollowing() const { return m_following; }
    /// Scroll, to the end and behind it: follow.
    void scrollTo(qint64 line);
    /// Rows and columns that fit.
    TerminalSize fittingSize() const;

    const TerminalSelection &selection() const { return m_selection; }
    void setSelection(const TerminalSelection &selection);
    void selectAll();
    void copy(QClipboard::Mode mode = QClipboard::Clipboard);
    void paste(QClipboard::Mode mode = QClipboard::Clipboard);
    /// What is on the screen, plain text, lines separated by '\n'.
    QString visibleText() const;

    QSize minimumSizeHint() const override;
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

Q_SIGNALS:
    /// For the program.
    void typed(const QByteArray &bytes);
    /// The screen has another size, a frame after the widget has; at first too.
    void sizeChanged(const rankdeck::TerminalSize &size);
    /// topLine(), or the lines there are, may be others.
    void scrolled();
    void titleChanged(const QString &title);
    /// Alt and an arrow: the terminal there, by the arrow's Qt::Key.
    void neighbourWanted(int arrow);
    /// The wheel was turned with Ctrl: larger characters, or smaller where it is negative.
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
    bool isOurs(const QKeyEvent &key) const;
    bool doOwnKey(const QKeyEvent &key);
    bool scrollWith(int key);
    void type(const QByteArray &bytes);
    void scrollBy(qint64 lines);
    void fit();
    void changed();
    void keepSelection(const std::function<void()> &change);
    TerminalRow rowOf(qint64 line, int columns) const;
    void showPreedit(TerminalRow &row) const;
    TerminalScreen::Place placeAt(const QPoint &point, bool nearest) const;
    void dragTo(const QPoint &point);

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
    qint64 m_top = 0; ///< While the end is not followed.
    bool m_following = true;
    bool m_takesKeys = false;
    bool m_selecting = false;
    bool m_toldSize = false;
};

} // namespace rankdeck
