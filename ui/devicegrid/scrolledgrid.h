#pragma once

#include "canvas/canvaswidget.h"
#include "devicegrid/devicegridgeometry.h"

class QScrollBar;

namespace rankdeck
{

/// Where the headings and cells of a grid of devices or ranks are in a widget that scrolls them. What they
/// show, how much room they need and what one does with them is its subclass's.
class ScrolledGrid : public CanvasWidget
{
    Q_OBJECT

public:
    explicit ScrolledGrid(QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    /// Lay these out, top to bottom, and draw everything. What is on the screen moves as little as can be:
    /// the cursor's item stays where it is when it is seen, else the first one; scrolled to its top, the grid
    /// stays there, where what comes in should be seen.
    void setBlocks(const QList<DeviceGridGeometry::Block> &blocks);
    const DeviceGridGeometry &geometry() const { return m_geometry; }
    /// Within the widget, scrolled as it is; empty for what is folded away.
    QRect placeOf(const GridItem &item) const;
    GridItem itemAt(const QPoint &place) const;
    void scrollTo(const GridItem &item);
    /// Forget where everything was.
    void scrollToTop();
    virtual GridItem cursor() const = 0;
    virtual DeviceGridGeometry::Metrics metrics() const = 0;

    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    GridItem heldItem() const;
    void layOut();

    QList<DeviceGridGeometry::Block> m_blocks;
    DeviceGridGeometry m_geometry;
    QScrollBar *m_bar;
};

} // namespace rankdeck
