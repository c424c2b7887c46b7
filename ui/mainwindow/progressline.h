#pragma once

#include "canvas/canvaswidget.h"

#include <optional>

namespace rankdeck
{

/// How far a run's training is: a bar where its end is known, and words. Only what changed is drawn, which
/// through a network is some bytes a step.
class ProgressLine : public CanvasWidget
{
    Q_OBJECT

public:
    explicit ProgressLine(QWidget *parent = nullptr);

    /// @param fraction 0 .. 1; nothing: there is no bar.
    void setProgress(std::optional<double> fraction, const QString &text);
    const QString &text() const { return m_shown.text; }
    /// Where the bar is; empty without one.
    QRect barRect() const;
    /// What of it is filled.
    QRect filledRect() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;

private:
    struct Shown {
        std::optional<double> fraction;
        QString text;
    };
    Shown m_shown;
    QRect m_drawnBar;
    QRect m_drawnFilled;
    QString m_drawnText;
};

} // namespace rankdeck
