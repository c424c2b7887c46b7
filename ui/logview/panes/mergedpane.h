#pragma once

#include "logview/startlines.h"

#include <QList>
#include <QWidget>

class QCheckBox;

namespace rankdeck
{

class FilterBar;
class LogStrips;
class LogView;

/// A log among those that are shown as one.
struct MergedTile {
    int key = 0; ///< The caller's, such as a process.
    MergedSpec::Log log;
};

/// Several logs as one, ordered by time: which of them, which of their lines, and when each printed.
class MergedPane : public QWidget
{
    Q_OBJECT

public:
    explicit MergedPane(QWidget *parent = nullptr);
    ~MergedPane() override;

    /// Other logs; the same again change nothing. `start` is asked again whenever other lines are wanted.
    void setLogs(const QList<MergedTile> &logs, const StartLines &start);
    LogView *view() const { return m_view; }
    LogStrips *strips() const { return m_strips; }

Q_SIGNALS:
    /// The user wants to see a line (0-based) where it stands, in the log with this key.
    void lineWanted(int key, qint64 line);

private:
    void showLines();

    QWidget *m_stripArea;
    LogStrips *m_strips;
    FilterBar *m_filterBar;
    QCheckBox *m_fold;
    LogView *m_view;
    QList<MergedTile> m_logs;
    StartLines m_start;
    RemoteOwner<MergedLines> m_lines;
};

} // namespace rankdeck
