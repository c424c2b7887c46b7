#pragma once

#include <QWidget>

namespace rankdeck
{

class DeviceGrid;
class OrderLine;

/// The device grid, and above it, when it is asked for, the line that sorts and filters it.
class DevicePanel : public QWidget
{
    Q_OBJECT

public:
    explicit DevicePanel(QWidget *parent = nullptr);

    DeviceGrid *grid() const { return m_grid; }
    /// Show the line and put the cursor into its filter.
    void openOrder();

Q_SIGNALS:
    /// Its sizeHint() may be another.
    void laidOut();

private:
    /// All ranks as in the rank table, without the line.
    void closeOrder();
    void tellShown();

    OrderLine *m_order;
    DeviceGrid *m_grid;
};

} // namespace rankdeck
