#pragma once

#include "logview/highlightset.h"
#include "logview/startlines.h"
#include "logview/tilepane.h"

#include <QString>

class QSplitter;
class QToolButton;

namespace rankdeck
{

class FilterView;
class LogLines;
class LogView;

/// A log with a strip above it: whose it is, how that one is, whether the view follows.
class LogPane : public TilePane
{
    Q_OBJECT

public:
    explicit LogPane(QWidget *parent = nullptr);
    ~LogPane() override;

    LogView *view() const { return m_view; }
    void setSource(LogLines *lines);
    /// Let the log be filtered, as `log` and by `start`.
    void setFilterable(const MergedSpec::Log &log, const StartLines &start);
    /// Show the filtered lines below the log.
    void openFilter();
    /// See LogView; of both views.
    void setTextSize(qreal points);
    void setHighlights(const QList<Highlight> &highlights);
    void setWrapped(bool wrapped);
    /// Such as "rank 3 · device 3".
    void setTitle(const QString &title);
    /// Such as "running" or "exit code 3"; empty for none.
    void setState(const QString &state);

private:
    void closeFilter();
    void showStatus();

    QToolButton *m_follow;
    QToolButton *m_filter;
    QSplitter *m_splitter;
    LogView *m_view;
    FilterView *m_filterView = nullptr; ///< Once it was opened.
    bool m_isWrapped = false;
    qreal m_textSize = 0; ///< Points; 0: as the window's.
    QList<Highlight> m_highlights;
    MergedSpec::Log m_filtered;
    StartLines m_startLines;
    QString m_state;
    QString m_notice;
    qint64 m_newLines = 0;
};

} // namespace rankdeck
