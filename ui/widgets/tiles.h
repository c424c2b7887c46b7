#pragma once

#include "widgets/widgetparts.h"

#include <QSize>

namespace rankdeck
{

/// Returns the number of columns for `count` panes in `area`: panes about twice as wide as high, with few
/// gaps.
int tileColumns(int count, const QSize &area);

/// Shows panes row by row, all of the same size and in this tab order, in as many columns as suit its area.
class TileGrid : public QWidget
{
    Q_OBJECT

public:
    explicit TileGrid(QWidget *parent = nullptr);

protected:
    /// Shows these panes, its children. Those shown before that are not among them must be deleted.
    void setPanes(const QList<QWidget *> &panes);
    int columns() const { return m_columns; }

    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
    void arrange();

    QGridLayout *m_grid;
    QList<QWidget *> m_panes;
    int m_columns = 0; ///< 0: not arranged yet.
};

/// One of several panes side by side: a strip with title and state above the content, and a frame that shows
/// the keyboard focus.
class TilePane : public QWidget
{
    Q_OBJECT

public:
    explicit TilePane(QWidget *parent = nullptr);
    ~TilePane() override;

    QString title() const { return m_titleText; }

Q_SIGNALS:
    /// The strip was double-clicked: show this pane alone, or with the others again.
    void activated();
    /// The pane got the focus.
    void focused();

protected:
    /// Adds a button at the right of the strip.
    QToolButton *addStripButton(const QString &text, const QString &toolTip);
    /// Adds a widget below the others; those with `stretch` 1 take the room.
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
