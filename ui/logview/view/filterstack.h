#pragma once

#include "background/iothread.h"
#include "log/merge/mergedlines.h"
#include "logview/find/filterbar.h"
#include "logview/view/logview.h"

namespace rankdeck
{

/// Starts to read lines of logs, in a thread of its own.
using StartLines = std::function<RemoteOwner<MergedLines>(const MergedSpec &)>;

/// The matching lines of one log, or of several as one, with their line numbers: a view below the log.
class FilterView : public QWidget
{
    Q_OBJECT

public:
    /// Reads nothing before open(). With `isLabelled` each line has the label of its log.
    FilterView(std::vector<MergedSpec::Log> logs, StartLines start, bool isLabelled = false,
               QWidget *parent = nullptr);
    ~FilterView() override { m_view->setSource(nullptr); }

    LogView *view() const { return m_view; }
    FilterBar *bar() const { return m_bar; }
    /// Shows only lines that also pass this filter.
    void setWithin(const LogFilter &filter);
    void setLogs(std::vector<MergedSpec::Log> logs);
    /// Returns the filter for the visible lines, without the context around them.
    LogFilter filter() const { return LogFilter::both(m_within, m_bar->filter()); }
    /// Puts the cursor into the filter, and reads the lines if that is the first time.
    void open();
    /// Sets the look of the lines; they are always numbered.
    void setLook(const LogLook &look);

Q_SIGNALS:
    /// Emitted when the user wants to see a line in its log.
    void lineRequested(const rankdeck::LogPage::Origin &origin);
    void closed();
    void filterChanged();
    /// The lines are to be filtered again.
    void againRequested();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showLines();

    std::vector<MergedSpec::Log> m_logs;
    StartLines m_start;
    bool m_isLabelled;
    LogFilter m_within;
    FilterBar *m_bar;
    LogView *m_view;
    RemoteOwner<MergedLines> m_lines;
};

/// A log, and below it views of its matching lines, each of which filters the lines of the one above.
class FilterStack : public QSplitter
{
    Q_OBJECT

public:
    /// @param view the log, which it owns.
    explicit FilterStack(LogView *view, QWidget *parent = nullptr);

    /// Sets the logs to filter; without `start` there are no filtered views.
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
    void closeAll() { closeFrom(0); }

Q_SIGNALS:
    void openChanged(bool isOpen);
    /// Emitted when the user wants to see a line of a log.
    void lineRequested(const rankdeck::LogPage::Origin &origin);

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
