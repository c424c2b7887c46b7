#pragma once

#include "canvas/drawing/displaybackend.h"

// Its subclasses do not include the events again.
#include <QKeyEvent>
#include <QWidget>

namespace rankdeck
{

/// Measures whether lines come faster than anyone can read.
class LineRate
{
public:
    /// More lines a second than this are a flood: 1,000, with room for the jitter of batches.
    static constexpr qint64 flood = 1100;

    /// Takes the number of lines at `ms` of a monotonic clock. Compares over half a second or more.
    bool isFlood(qint64 lines, qint64 ms)
    {
        constexpr qint64 period = 500;
        if (m_ms >= 0 && ms - m_ms < period)
            return m_isFlood;
        // The first lines may be old.
        m_isFlood = m_ms >= 0 && (lines - m_lines) * 1000 > flood * (ms - m_ms);
        m_lines = lines;
        m_ms = ms;
        return m_isFlood;
    }

private:
    qint64 m_lines = 0;
    qint64 m_ms = -1;
    bool m_isFlood = false;
};

/// A widget that is drawn through a Canvas. Subclasses draw in drawCanvas() and call schedule() after a
/// change; frames are paced (see FramePacer), and nothing is drawn while the widget is hidden, minimised or,
/// on an X server, covered by other windows. No background is painted: subclasses draw every pixel.
class CanvasWidget : public QWidget
{
    Q_OBJECT

public:
    explicit CanvasWidget(QWidget *parent = nullptr);
    ~CanvasWidget() override { setFlooded(false); }

    Canvas &canvas() { return *m_canvas; }
    const Canvas &canvas() const { return *m_canvas; }
    /// Returns the size of an area with this many cells, in pixels.
    QSize cells(int columns, int rows) const;

    /// Paints everything again, with a painter in place of the canvas: for a picture, with text as text.
    virtual void paintPicture(QPainter &painter);

    /// Whether a user may see it: not hidden, minimised or, as far as known, covered by other windows.
    bool isSeen() const { return isVisible() && !window()->isMinimized() && !m_canvas->isCovered(); }

Q_SIGNALS:
    /// Emitted when the widget becomes visible after other windows covered it.
    void seenAgain();
    /// Emitted by describe().
    void described(const QString &words);

protected:
    /// Sets what screen readers say of it.
    void describe(const QString &words);
    /// Draws what changed since the last call, or everything (new size, palette or font); present() follows.
    virtual void drawCanvas(Canvas &canvas, bool everything) = 0;
    /// Draws changes at the next frame.
    void schedule()
    {
        m_hasChanged = true;
        wake();
    }
    /// Draws everything at the next frame.
    void scheduleEverything()
    {
        m_everythingChanged = true;
        schedule();
    }
    /// Makes frames rarer while text comes faster than anyone can read.
    void setFlooded(bool flooded);

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *) override { m_everythingChanged = true; }
    void hideEvent(QHideEvent *) override { setFlooded(false); }
    void changeEvent(QEvent *event) final;
    /// Adapts to a new size, font or style, with which another amount fits, or to a new palette. Everything
    /// is drawn again anyway.
    virtual void roomChanged() {}
    virtual void paletteChanged() {}

private:
    void wake();
    void frame();
    void drawNow();
    void present();

    std::unique_ptr<WidgetCanvas> m_canvas;
    bool m_hasChanged = false;
    bool m_everythingChanged = true;
};

/// A right-aligned line of plain text that changes often, such as a clock.
class CanvasLabel : public CanvasWidget
{
    Q_OBJECT

public:
    using CanvasWidget::CanvasWidget;

    void setText(const QString &text);
    const QString &text() const { return m_text; }

    QSize sizeHint() const override { return cells(cellWidth(m_text), 1); }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;

private:
    QString m_text;
    QString m_drawn;
};

} // namespace rankdeck
