#pragma once

#include <QWidget>

class QScrollBar;

namespace rankdeck
{

class DevicePlot;

/// A plot with a scroll bar beside it while there is no room for all of its charts. The wheel, Page Up and
/// Page Down move it.
class DevicePlotPane : public QWidget
{
    Q_OBJECT

public:
    explicit DevicePlotPane(DevicePlot *plot, QWidget *parent = nullptr);

protected:
    /// What the plot has no use for.
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void fit();

    DevicePlot *m_plot;
    QScrollBar *m_bar;
};

} // namespace rankdeck
