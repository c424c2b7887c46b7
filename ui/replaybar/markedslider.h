#pragma once

#include "replay/replayplayer.h"

#include <QSlider>

namespace rankdeck
{

/// The time line of a replay. Its values are tenths of a second since the begin. The marks stand over the
/// groove; their texts are in tool tips.
class MarkedSlider : public QSlider
{
    Q_OBJECT

public:
    explicit MarkedSlider(QWidget *parent = nullptr);

    static constexpr int msOfStep = 100;

    void setMarks(const QDateTime &begin, const QDateTime &end, const QList<ReplayMark> &marks);
    /// Sets the steps that are written under the groove, as many as there is room for.
    void setSteps(const QList<ReplayStep> &steps);
    /// Returns the mark whose letter is at this place; null if there is none.
    const ReplayMark *markAt(const QPoint &place) const;

    QSize sizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *) override { setSliderDown(false); }

private:
    int valueAt(int x) const;
    int placeOf(const QDateTime &time) const;
    void drawMarks(QPainter &painter) const;
    void drawSteps(QPainter &painter) const;
    int letterHeight() const { return fontMetrics().height(); }

    QDateTime m_begin;
    QList<ReplayStep> m_steps;
    QList<ReplayMark> m_marks; ///< The most important mark is last.
};

} // namespace rankdeck
