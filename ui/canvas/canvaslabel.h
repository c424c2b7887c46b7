#pragma once

#include "canvas/canvaswidget.h"

namespace rankdeck
{

/// A line of plain text that changes often, such as a clock; at the right of its place.
class CanvasLabel : public CanvasWidget
{
    Q_OBJECT

public:
    using CanvasWidget::CanvasWidget;

    void setText(const QString &text);
    const QString &text() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;

private:
    QString m_text;
    QString m_drawn;
};

} // namespace rankdeck
