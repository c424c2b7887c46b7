#pragma once

#include "widgets/widgetparts.h"

#include <QPointer>
#include <QSize>

#include <algorithm>

namespace rankdeck
{

/// Returns the columns for `count` panes in `area`: panes about twice as wide as high, with few gaps.
int tileColumns(int count, const QSize &area);

/// Shows panes row by row, in this tab order, in as many columns as suit its area. All have the same size
/// until the user drags a gap between them; a double click on a gap makes them equal again.
class TileGrid : public QWidget
{
    Q_OBJECT

public:
    explicit TileGrid(QWidget *parent = nullptr);

    /// Returns the size for one column: others are added where there is room.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A pane's strip was double-clicked: the caller may show it alone, or all again.
    void activated(int key);
    /// Ctrl and the wheel in a pane: larger characters, or smaller if negative.
    void zoomRequested(int steps);

protected:
    /// Shows these panes, its children. Those shown before that are not among them must be deleted.
    void setPanes(const QList<QWidget *> &panes);
    int columns() const { return m_columns; }

    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *) override { m_dragged = {}; }
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    /// After which column and row gaps are; -1 for none.
    struct Gaps {
        int column = -1;
        int row = -1;
        bool isNone() const { return column < 0 && row < 0; }
    };
    void fit();
    int mostColumns() const;
    void arrange();
    void share();
    int rows() const { return m_columns == 0 ? 0 : int((m_panes.size() + m_columns - 1) / m_columns); }
    QList<int> widths() const;
    QList<int> heights() const;
    Gaps gapsAt(const QPoint &place) const;

    QGridLayout *m_grid;
    QList<QWidget *> m_panes;
    int m_columns = 0; ///< 0: not arranged yet.
    Gaps m_dragged;
    QPoint m_dragFrom;
    QList<int> m_widthsBefore; ///< Widths of the columns when the drag began.
    QList<int> m_heightsBefore;
};

/// One of several panes: a strip with title and state above the content, a frame that shows the focus.
class TilePane : public QWidget
{
    Q_OBJECT

public:
    explicit TilePane(QWidget *parent = nullptr);
    ~TilePane() override;

    QString title() const { return m_titleText; }
    /// Hides it, and deletes it later: it may be the sender of the present signal.
    virtual void retire()
    {
        hide();
        deleteLater();
    }

Q_SIGNALS:
    /// Emitted when the strip was double-clicked: show this pane alone, or with the others again.
    void activated();
    /// The pane got the focus.
    void focused();

protected:
    /// Adds a button at the right of the strip.
    QToolButton *addStripButton(const QString &text, const QString &toolTip);
    /// Adds a widget below the others; widgets with `stretch` 1 take the room.
    void addBelow(QWidget *widget, int stretch)
    {
        static_cast<QVBoxLayout *>(layout())->addWidget(widget, stretch);
    }
    void showTitle(const QString &title);
    /// Sets the tool tip of the title.
    void setHint(const QString &hint) { m_title->setToolTip(hint); }
    /// Shows the state, elided if too long, in full in the tool tip.
    void showStatusText(const QString &text);

    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void onFocusChanged(QWidget *before, QWidget *now);
    void elide();

    QWidget *m_strip;
    QLabel *m_title;
    QLabel *m_status;
    QString m_titleText;
    QString m_statusText;
    bool m_hasFocus = false;
};

/// Panes of one kind, each of which shows a tile. `key` tells a tile from the others.
template <typename Pane, typename Tile, int Tile::*key>
class TilesOf : public TileGrid
{
public:
    using TileGrid::TileGrid;

    /// Returns the keys of the tiles that are shown, in their order.
    QList<int> keys() const
    {
        return listOf(m_shown, [](const Shown &shown) { return shown.tile.*key; });
    }
    /// Returns nullptr if no such tile is shown.
    Pane *pane(int wanted) const
    {
        const auto found =
            std::ranges::find_if(m_shown, [wanted](const Shown &shown) { return shown.tile.*key == wanted; });
        return found == m_shown.end() ? nullptr : found->pane;
    }
    /// Returns the pane that has the focus or had it last, else the first one; nullptr if there is none.
    Pane *currentPane() const
    {
        if (std::ranges::find(m_shown, m_focused.data(), &Shown::pane) != m_shown.end())
            return m_focused;
        return m_shown.isEmpty() ? nullptr : m_shown.front().pane;
    }

protected:
    struct Shown {
        Pane *pane;
        Tile tile;
    };

    /// Shows these, in this order.
    /// @param isSame whether a pane can stay for a tile with the same key.
    /// @param fill gets each tile with the pane that stays for it, or null. Returns the pane for it.
    template <typename IsSame, typename Fill>
    void showTiles(const QList<Tile> &tiles, IsSame isSame, Fill fill)
    {
        QList<Shown> before = std::exchange(m_shown, {});
        for (const Tile &tile : tiles) {
            const auto same = std::ranges::find_if(before, [&](const Shown &shown) {
                return shown.tile.*key == tile.*key && isSame(shown, tile);
            });
            const bool isNew = same == before.end();
            Pane *const pane = fill(tile, isNew ? nullptr : same->pane);
            if (isNew) {
                connect(pane, &Pane::focused, this, [this, pane] { m_focused = pane; });
                connect(pane, &Pane::activated, this, [this, its = tile.*key] { Q_EMIT activated(its); });
            } else {
                before.erase(same);
            }
            m_shown.append({pane, tile});
        }
        for (const Shown &gone : std::as_const(before))
            gone.pane->retire();
        setPanes(listOf(m_shown, [](const Shown &shown) -> QWidget * { return shown.pane; }));
    }
    const QList<Shown> &shownTiles() const { return m_shown; }

private:
    QList<Shown> m_shown;
    QPointer<Pane> m_focused; ///< The last one that had the focus, shown or not.
};

} // namespace rankdeck
