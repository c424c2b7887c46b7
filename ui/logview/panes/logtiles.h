#pragma once

#include "logview/view/filterstack.h"
#include "widgets/tiles.h"

namespace rankdeck
{

/// A log with a strip above it: its title, its state, and whether the view follows.
class LogPane : public TilePane
{
    Q_OBJECT

public:
    explicit LogPane(QWidget *parent = nullptr);

    LogView *view() const { return m_view; }
    void setSource(LogLines *lines) { m_view->setSource(lines); }
    /// Lets the log be filtered; `start` reads the filtered lines of `logs`, which are shown as one.
    void setFilterable(const std::vector<MergedSpec::Log> &logs, const StartLines &start);
    /// Shows the filtered lines below the log.
    void openFilter() { m_stack->open(); }
    /// Marks a line (0-based) of one of the files of the log.
    void markLine(int log, qint64 line);
    /// Sets the look of the log and of the filtered lines.
    void setLook(const LogLook &look) { m_stack->setLook(look); }
    /// Sets the title, such as "rank 3 · device 3".
    void setTitle(const QString &title);
    /// Sets the state, such as "running" or "exit code 3"; empty for none.
    void setState(const QString &state);

private:
    void showStatus();

    QToolButton *m_follow;
    QToolButton *m_filter;
    LogView *m_view;
    FilterStack *m_stack;
    std::size_t m_logCount = 0;
    QString m_state;
    QString m_notice;
    qint64 m_newLines = 0;
};

/// One log to show.
struct LogTile {
    int key = 0; ///< Key chosen by the caller, such as a rank.
    QString title;
    LogLines *lines = nullptr;
    std::vector<MergedSpec::Log> logs{}; ///< The same log, or the logs that it joins.
};

/// One log pane, or several side by side in a grid that suits the area.
class LogTiles : public TilesOf<LogPane, LogTile, &LogTile::key>
{
    Q_OBJECT

public:
    using TilesOf::TilesOf;

    /// Shows these logs, in this order. A pane whose key and lines stay keeps its scroll position.
    /// @param start for views of some lines of a log.
    void setTiles(const QList<LogTile> &tiles, const StartLines &start = {});
    /// Sets the look of all panes, also of later ones.
    void setLook(const LogLook &look);
    /// Scrolls all panes to the time to which the user scrolls one; lines without a time move nothing.
    void setTogether(bool together) { m_isTogether = together; }
    /// Returns the view of currentPane(); nullptr if there is none.
    LogView *currentView() const;
    /// Sets the state that a pane shows beside its title. Kept for a key that is not shown yet.
    void setState(int key, const QString &state);

Q_SIGNALS:
    // See LogView.
    void highlightRequested(const QString &text);
    void allRequested(const rankdeck::LogPattern &pattern);

private:
    LogPane *makePane(const LogTile &tile, const StartLines &start);
    /// The other views that scroll together with `view`.
    QList<LogView *> viewsMovedWith(const LogView *view) const;

    QHash<int, QString> m_states;
    bool m_isTogether = false;
    LogLook m_look;
};

} // namespace rankdeck
