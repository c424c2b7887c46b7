#pragma once

#include "canvas/widget/canvaswidget.h"
#include "devicegrid/cells/ranktile.h"

namespace rankdeck
{

/// Says in one line what the colours and signs of tiles mean.
class GridLegend : public CanvasWidget
{
    Q_OBJECT

public:
    explicit GridLegend(QWidget *parent = nullptr);

    /// Shows this scale; one without a name is that of the states.
    /// @param kinds what else is explained; empty: everything.
    void setScale(const TileScale &scale, const TileKinds &kinds = {});
    /// Returns the words of the explained tiles, in their order.
    QStringList words() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;

private:
    struct Entry {
        QList<RankTile> tiles;
        QString text; ///< After the tiles.
    };
    QList<Entry> entries() const;

    TileScale m_scale;
    TileKinds m_kinds;
};

} // namespace rankdeck
