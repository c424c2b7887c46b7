#pragma once

#include "preflight/pairs/pairtable.h"
#include "widgets/logpalette.h"
#include "widgets/scrolledgrid.h"
#include "widgets/tone.h"

namespace rankdeck
{

/// The content of a cell in the grid of ranks; a changed one is drawn again.
struct RankGroupCell {
    int rank = 0; ///< Rank in the self-test.
    SelfTestStage stage = SelfTestStage::Missing;
    QString text;         ///< Why it failed.
    int group = -1;       ///< Index; -1 for none.
    QList<int> members;   ///< The launch's ranks in its group.
    bool isWhole = false; ///< The group is all ranks.

    bool operator==(const RankGroupCell &) const = default;
};

/// Returns "A" … "Z", "AA" …
QString groupLetter(int group);
/// Returns the word of a stage with a sign: "▸ collectives".
QString shownStage(SelfTestStage stage);

/// Shows the ranks of a self-test by node, a cell each: the stage of the rank, and its group by letter and
/// colour. Cells are small if large ones do not fit. Arrows, Home, End, Page Up and Page Down move the
/// cursor; described(), screen readers and tool tips report its cell.
class RankGroups : public ScrolledGrid
{
    Q_OBJECT

public:
    RankGroups();

    void setResults(const SelfTestResults &results, const RankNames &names);
    int count() const { return int(m_cells.size()); }
    RankGroupCell cell(int rank) const { return m_cells.at(rank); }
    /// Empty if it is scrolled away.
    QRect cellRect(int rank) const { return placeOf(itemOf(rank)).intersected(rect()); }
    /// Returns the lines of a cell, top to bottom.
    QStringList cellLines(const RankGroupCell &cell) const;
    /// Returns "rank 3 on node1: collectives, in group B with ranks 2 and 3".
    QString wordsOf(int rank) const;
    /// Describes the cursor's cell or heading.
    QString words() const
    {
        return current().isHeading() ? headingText(current().server) : wordsOf(currentRank());
    }
    /// -1 on a heading.
    int currentRank() const { return rankOf(current()); }

protected:
    QString describedCurrent() const override { return words(); }
    QString noteOf(const GridItem &item) const override { return wordsOf(rankOf(item)); }
    DeviceGridGeometry::Metrics metrics() const override { return metricsOf(m_isSmall); }
    void drawCanvas(Canvas &canvas, bool everything) override;
    void paletteChanged() override { m_palette = LogPalette(palette()); }
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override
    {
        m_isSmall = !largeCellsFit();
        ScrolledGrid::resizeEvent(event);
    }

private:
    struct Node {
        QString name;
        QList<int> ranks;
        bool operator==(const Node &) const = default;
    };
    struct Shown {
        RankGroupCell cell;
        QString heading; ///< Text of a heading.
        bool isCurrent = false;
        bool operator==(const Shown &) const = default;
    };

    int rankOf(const GridItem &item) const
    {
        return item.isValid() && !item.isHeading() ? m_nodes.value(item.server).ranks.value(item.cell, -1)
                                                   : -1;
    }
    GridItem itemOf(int rank) const;
    QString headingText(int node) const;
    void drawItem(Canvas &canvas, const QRect &area, const Shown &shown) const;
    DeviceGridGeometry::Metrics metricsOf(bool small) const;
    QList<DeviceGridGeometry::Block> blocks() const;
    bool largeCellsFit() const
    {
        return DeviceGridGeometry(blocks(), metricsOf(false), width()).height() <= height();
    }

    LogPalette m_palette;
    RankNames m_names;
    QList<RankGroupCell> m_cells; ///< By rank.
    QList<Node> m_nodes;
    bool m_isSmall = false;    ///< Large cells do not fit.
    QHash<int, Shown> m_drawn; ///< By item.
};

} // namespace rankdeck
