#pragma once

#include "canvas/canvaswidget.h"
#include "logview/logpalette.h"
#include "plot/plotscale.h"

namespace rankdeck
{

/// A plot with a cursor: Left and Right move it, with Ctrl farther, Home and End to the first and the last
/// place, and a press sets it.
class PlotWidget : public CanvasWidget
{
    Q_OBJECT

public:
    explicit PlotWidget(QWidget *parent = nullptr);

    /// As rankColor() has it, legible here.
    QColor colorOf(int curve) const;

protected:
    enum class CursorMove { Back, On, First, Last };

    virtual void moveCursor(CursorMove where, bool isFar) = 0;
    /// A press at this place.
    virtual void placeCursor(const QPoint &place) = 0;
    /// The size is another one.
    virtual void scaleAxes() = 0;

    const LogPalette &look() const { return m_look; }
    PlotScaleLook scaleLook() const;
    /// All of the canvas empty but for a sentence in its middle.
    void drawEmpty(Canvas &canvas, const QString &sentence) const;

    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    LogPalette m_look;
};

} // namespace rankdeck
