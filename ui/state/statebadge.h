#pragma once

#include "run/runstate.h"

#include <QWidget>

namespace rankdeck
{

/// A run's state: its mark and its word. Repaints only when the state changes.
class StateBadge : public QWidget
{
    Q_OBJECT

public:
    explicit StateBadge(QWidget *parent = nullptr);

    void setPhase(RunPhase phase);
    /// What is shown.
    QString text() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    RunPhase m_phase = RunPhase::Starting;
};

} // namespace rankdeck
