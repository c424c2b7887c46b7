#pragma once

#include "logview/view/filterstack.h"

namespace rankdeck
{

class LogStrips;

/// One of the merged logs.
struct MergedTile {
    int key = 0;         ///< Key chosen by the caller, such as a process.
    MergedSpec::Log log; ///< Logs beside each other with the same label share a strip.
};

/// Several logs merged, ordered by time, with a filter, and strips that show when each log printed.
class MergedPane : public QWidget
{
    Q_OBJECT

public:
    explicit MergedPane(QWidget *parent = nullptr);
    ~MergedPane() override { m_view->setSource(nullptr); }

    /// Sets the logs; the same again change nothing. `start` is called again for each filter.
    void setLogs(const QList<MergedTile> &logs, const StartLines &start);
    LogView *view() const { return m_view; }
    LogStrips *strips() const { return m_strips; }
    void openFilter() { m_filterBar->focusText(); }
    void setLook(const LogLook &look) { m_stack->setLook(look); }

Q_SIGNALS:
    /// Emitted when the user wants to see a line (0-based) in the log with this key.
    void lineRequested(int key, qint64 line);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showLines();

    LogStrips *m_strips;
    FilterBar *m_filterBar;
    QCheckBox *m_fold;
    LogView *m_view;
    FilterStack *m_stack;
    QList<MergedTile> m_logs;
    QList<int> m_rows; ///< Strip of each log.
    StartLines m_start;
    RemoteOwner<MergedLines> m_lines;
};

} // namespace rankdeck
