#pragma once

#include "widgets/widgetparts.h"

#include <QSize>

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

} // namespace rankdeck
