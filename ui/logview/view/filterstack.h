#pragma once

#include "logview/view/filterview.h"
#include "logview/view/logview.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// A log, and below it views of its matching lines, each of which filters the lines of the one above.
class FilterStack : public QSplitter
{
    Q_OBJECT

public:
    /// @param view the log, which it owns.
    explicit FilterStack(LogView *view, QWidget *parent = nullptr);

    /// Sets the logs that are filtered; without `start` there are no filtered views.
    void setLogs(const std::vector<MergedSpec::Log> &logs, const StartLines &start, bool isLabelled);
    /// Sets a filter that the log itself is shown with.
    void setWithin(const LogFilter &filter);
    void setLook(const LogLook &look);
    bool isOpen() const { return !m_views.isEmpty(); }
    /// Goes to the first filtered view.
    void open();
    /// Adds a text that filtered lines must have, or must not have.
    void filterBy(const QString &text, bool isExcluded);
    /// Opens a view that filters the lines of the last one.
    void addView();
    void closeAll();

Q_SIGNALS:
    void openChanged(bool isOpen);
    /// The user wants to see a line of a log.
    void lineWanted(const rankdeck::LogPage::Origin &origin);

private:
    void closeFrom(qsizetype first);

    LogView *m_view;
    QList<FilterView *> m_views;
    std::vector<MergedSpec::Log> m_logs;
    StartLines m_start;
    bool m_isLabelled = false;
    LogFilter m_within;
    LogLook m_look;
};

} // namespace rankdeck
