#pragma once

#include "logview/highlightset.h"
#include "logview/startlines.h"

#include <QHash>
#include <QList>
#include <QPointer>
#include <QString>
#include <QWidget>

class QGridLayout;

namespace rankdeck
{

class LogLines;
class LogPane;
class LogView;

/// One log to show: a key of the caller's (such as a rank), what to call it, where it comes from.
struct LogTile {
    int key = 0;
    QString title;
    LogLines *lines = nullptr;
    MergedSpec::Log filtered{}; ///< The same log, for a view of some of its lines.
};

/// One log pane, or several side by side in a grid that suits the area.
class LogTiles : public QWidget
{
    Q_OBJECT

public:
    explicit LogTiles(QWidget *parent = nullptr);

    /// Show these logs, in this order. A pane whose key and lines stay keeps its place in its log.
    /// @param start for views of some lines of a log.
    void setTiles(const QList<LogTile> &tiles, const StartLines &start = {});
    QList<int> keys() const;
    /// Of all panes, also of those to come; see LogView.
    void setNumbered(bool numbered);
    void setTextSize(qreal points);
    void setWrapped(bool wrapped);
    /// Scroll all panes to the time to which the user scrolls one; lines without a time move nothing.
    void setTogether(bool together) { m_isTogether = together; }
    void setHighlights(const QList<Highlight> &highlights);
    /// nullptr when `key` is not shown.
    LogPane *pane(int key) const;
    /// The view that has the focus or had it last, else the first one; nullptr when there is none.
    LogView *currentView() const;
    /// The state that a pane says beside its title. Kept for a key that is not shown yet.
    void setState(int key, const QString &state);

Q_SIGNALS:
    /// A pane's strip was double-clicked: the caller may show it alone, or all again.
    void activated(int key);
    /// See LogView.
    void zoomWanted(int steps);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Shown {
        int key;
        LogPane *pane;
    };

    LogPane *makePane(const LogTile &tile, const StartLines &start);
    void arrange();
    void alignOthers(const LogView *view, LogTime time);
    void followWith(const LogView *view);

    QGridLayout *m_grid;
    QList<Shown> m_shown;
    QPointer<LogPane> m_focused; ///< Last; may be one that is not shown any more.
    QHash<int, QString> m_states;
    bool m_isNumbered = false;
    bool m_isTogether = false;
    bool m_isWrapped = false;
    QList<Highlight> m_highlights;
    qreal m_textSize = 0; ///< Points; 0: as the window's.
    int m_columns = 0;
};

} // namespace rankdeck
