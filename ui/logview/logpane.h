#pragma once

#include "logview/highlightset.h"
#include "logview/startlines.h"

#include <QString>
#include <QWidget>

class QLabel;
class QSplitter;
class QToolButton;

namespace rankdeck
{

class FilterView;
class LogLines;
class LogView;

/// A log with a strip above it: whose it is, how that one is, whether the view follows.
class LogPane : public QWidget
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
    QString title() const { return m_titleText; }
    /// Such as "running" or "exit code 3"; empty for none.
    void setState(const QString &state);

Q_SIGNALS:
    /// The strip was double-clicked: show this log alone, or with the others again.
    void activated();
    /// The focus came into it.
    void focused();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void onFocusChanged(QWidget *before, QWidget *now);
    void closeFilter();
    void showStatus();
    void elide();

    QWidget *m_strip;
    QLabel *m_title;
    QLabel *m_status;
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
    QString m_titleText;
    QString m_state;
    QString m_notice;
    QString m_statusText;
    qint64 m_newLines = 0;
    bool m_hasFocus = false;
};

} // namespace rankdeck
