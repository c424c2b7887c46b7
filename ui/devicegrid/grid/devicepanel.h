#pragma once

#include "base/oneshottimer.h"
#include "canvas/widget/canvaswidget.h"
#include "devicegrid/cells/ranktile.h"
#include "run/samples/samplefilter.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class NoteLabel;

/// The line that sorts and filters the ranks of a grid. Reports a filter a moment after the user typed, and
/// only a valid one; shows errors below the field.
class OrderLine : public QWidget
{
    Q_OBJECT

public:
    explicit OrderLine(QWidget *parent = nullptr);

    void focusFilter();
    /// Resets order and filter.
    void clear();
    void setOrder(const RankOrder &order);
    /// Shows the number of shown ranks.
    void setResult(const QString &result) { showResult(m_result, result); }

Q_SIGNALS:
    void orderChanged(const rankdeck::RankOrder &order);
    void filterChanged(const rankdeck::SampleFilter &filter);
    /// The user closed the line.
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void reportOrder() { Q_EMIT orderChanged({RankValue(m_by->currentIndex()), m_descending->isChecked()}); }
    void reportFilter();

    QComboBox *m_by;
    QCheckBox *m_descending;
    QLineEdit *m_edit;
    QLabel *m_result;
    NoteLabel *m_problem;
    OneShotTimer m_soon{300}; ///< After a key: the user may still be typing.
};

/// Explains the colours and signs of tiles in one line.
class GridLegend : public CanvasWidget
{
    Q_OBJECT

public:
    explicit GridLegend(QWidget *parent = nullptr);

    /// Shows this scale; one without a name is that of the states.
    /// @param kinds what else is explained; empty: everything.
    void setScale(const TileScale &scale, const TileKinds &kinds = {});
    /// Returns the words of the explained tiles, in their order.
    QStringList words() const { return listOf(entries(), &Entry::text); }

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

class DeviceGrid;

/// The device grid with the line that sorts and filters it, which is hidden at first, and the legend of its
/// tiles.
class DevicePanel : public QWidget
{
    Q_OBJECT

public:
    explicit DevicePanel(QWidget *parent = nullptr);

    DeviceGrid *grid() const { return m_grid; }
    /// The grid, and what explains it.
    QList<CanvasWidget *> canvases() const;
    /// Shows the line and sets the focus to its filter.
    void openOrder();
    /// Sorts failed, stalled and chosen ranks first, or no longer.
    void setTroubleFirst(bool isFirst);

Q_SIGNALS:
    void troubleFirstChanged(bool isFirst);
    /// sizeHint() may have changed.
    void laidOut();

private:
    void updateLegend();

    OrderLine *m_order;
    GridLegend *m_legend;
    DeviceGrid *m_grid;
};

} // namespace rankdeck
