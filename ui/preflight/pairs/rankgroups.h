#pragma once

#include "collective/selftest.h"
#include "devicegrid/scrolledgrid.h"
#include "logview/logpalette.h"
#include "preflight/rankgroupcell.h"
#include "preflight/ranknames.h"

#include <QHash>

namespace rankdeck
{

/// The ranks of a self-test, a cell each, by node: how far each is, and by letter and colour which group it
/// is in. Cells are small where large ones have no room. Arrows, Home, End, Page Up and Page Down move a
/// cursor; what its cell says is told by described() and to screen readers, and stands in tool tips.
class RankGroups : public ScrolledGrid
{
    Q_OBJECT

public:
    explicit RankGroups(QWidget *parent = nullptr);

    void setResults(const SelfTestResults &results, const RankNames &names);
    int count() const { return static_cast<int>(m_cells.size()); }
    RankGroupCell cell(int rank) const { return m_cells.at(rank); }
    /// Empty where it is scrolled away.
    QRect cellRect(int rank) const;
    /// What stands in a cell, top to bottom.
    QStringList cellLines(const RankGroupCell &cell) const;
    /// "rank 3 on node1: collectives, in group B with ranks 2 and 3".
    QString wordsOf(int rank) const;
    /// What the cursor's cell or heading says.
    QString words() const;
    /// -1 on a heading.
    int currentRank() const { return rankOf(m_current); }

Q_SIGNALS:
    void described(const QString &words);

protected:
    GridItem cursor() const override { return m_current; }
    DeviceGridGeometry::Metrics metrics() const override;
    void drawCanvas(Canvas &canvas, bool everything) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Node {
        QString name;
        QList<int> ranks;
        bool operator==(const Node &) const = default;
    };
    struct Shown {
        RankGroupCell cell;
        QString heading; ///< Of a heading.
        bool isCurrent = false;
        bool operator==(const Shown &) const = default;
    };

    int rankOf(const GridItem &item) const;
    GridItem itemOf(int rank) const;
    QString headingText(int node) const;
    void setCurrent(const GridItem &item);
    void describe();
    void drawItem(Canvas &canvas, const QRect &area, const Shown &shown) const;
    QColor groupColor(int group, const QColor &behind) const;
    DeviceGridGeometry::Metrics metricsOf(bool small) const;
    QList<DeviceGridGeometry::Block> blocks() const;
    bool largeCellsFit() const;

    LogPalette m_palette;
    RankNames m_names;
    QList<RankGroupCell> m_cells; ///< By rank.
    QList<Node> m_nodes;
    GridItem m_current;
    bool m_isSmall = false;    ///< Cells are.
    QHash<int, Shown> m_drawn; ///< By item.
};

} // namespace rankdeck
