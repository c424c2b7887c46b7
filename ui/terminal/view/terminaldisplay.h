#pragma once

#include "base/oneshottimer.h"
#include "canvas/widget/canvaswidget.h"
#include "terminal/view/terminalpainter.h"

#include <QBasicTimer>
#include <QClipboard>
#include <QElapsedTimer>

namespace rankdeck
{

/// Shows a program's output as a terminal does, given by write(). The mouse selects text.
class TerminalDisplay : public CanvasWidget
{
    Q_OBJECT

public:
    static constexpr int margin = 4; ///< Pixels left and right of the cells.

    explicit TerminalDisplay(QWidget *parent = nullptr);

    const TerminalScreen &terminalScreen() const { return m_screen; }
    /// Shows the program's output.
    /// @param answers whether typed() is emitted for the emulator's answers to the output.
    void write(const QByteArray &bytes, bool answers);
    /// See TerminalScreen.
    void remark(const QString &text)
    {
        m_screen.remark(text);
        changed();
    }
    /// Clears the terminal and its history.
    void reset();

    /// The line at the top; terminalScreen().topLine() while following the end.
    qint64 topLine() const
    {
        return m_following ? m_screen.topLine() : std::clamp(m_top, m_screen.firstLine(), m_screen.topLine());
    }
    bool isFollowing() const { return m_following; }
    /// Scrolls to a line; at the end or beyond, follows the end.
    void scrollTo(qint64 line);
    /// Rows and columns that fit.
    TerminalSize fittingSize() const;

    const TerminalSelection &selection() const { return m_selection; }
    void setSelection(const TerminalSelection &selection);
    void selectAll() { setSelection(allOf(m_screen)); }
    void copy(QClipboard::Mode mode = QClipboard::Clipboard);
    /// Returns the visible text, lines separated by '\n'.
    QString visibleText() const;

    QSize minimumSizeHint() const override { return cells(20, 3) + QSize(2 * margin, 0); }

Q_SIGNALS:
    /// Bytes for the program.
    void typed(const QByteArray &bytes);
    /// The screen has a new size, soon after the widget has; also the first size.
    void sizeChanged(const rankdeck::TerminalSize &size);
    /// topLine() or the range of lines may have changed.
    void scrolled();
    void titleChanged(const QString &title);

protected:
    /// Shows text that an input method is composing at the cursor.
    void showComposed(const QString &text);
    /// Shows the cursor as one that accepts input, or not.
    void showCursor(bool isShown);
    QRect cursorArea() const;
    TerminalScreen &emulator() { return m_screen; }
    void scrollBy(qint64 lines) { scrollTo(std::max(m_screen.firstLine(), topLine() + lines)); }

    void drawCanvas(Canvas &canvas, bool everything) override;
    void roomChanged() override { m_fitTimer.start(); }
    void paletteChanged() override { m_colors = TerminalColors(LogPalette(palette())); }
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
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
    OneShotTimer m_fitTimer{50};
    QBasicTimer m_edgeTimer;
    QElapsedTimer m_sinceDoubleClick;
    QString m_composed;
    QString m_title;
    qint64 m_top = 0; ///< Valid while not following the end.
    bool m_following = true;
    bool m_hasCursor = false;
    bool m_selecting = false;
    bool m_toldSize = false;
};

} // namespace rankdeck
