#pragma once

#include "run/record/runphase.h"

#include <QColor>
#include <QRect>
#include <QWidget>

namespace rankdeck
{

/// Returns the word with a sign, because colour must not be the only one: "‖ paused". Empty for none.
QString shownWord(Hold hold);

/// Draws the small shape beside a run's state word, so that colour is not the only sign: ring (starting),
/// disc (running), tick, cross, square (stopped), bar (stopping), "?" (lost), lines (logs alone).
void drawStateMark(QPainter &painter, const QRect &area, RunPhase phase, const QColor &color);

/// The mark and the word of a run's state. Repaints only when the state changes.
class StateBadge : public QWidget
{
    Q_OBJECT

public:
    explicit StateBadge(QWidget *parent = nullptr);

    void setPhase(RunPhase phase);
    QString text() const { return shownWord(m_phase); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    RunPhase m_phase = RunPhase::Starting;
};

} // namespace rankdeck
