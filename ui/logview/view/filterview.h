#pragma once

#include "logview/startlines.h"

#include <QWidget>

namespace rankdeck
{

class FilterBar;
class LogView;

/// The wanted lines of one log, numbered as they are there: a second view below the log itself.
class FilterView : public QWidget
{
    Q_OBJECT

public:
    /// Reads nothing before open().
    FilterView(MergedSpec::Log log, StartLines start, QWidget *parent = nullptr);
    ~FilterView() override;

    LogView *view() const { return m_view; }
    /// Put the cursor into the filter, and read when that is the first time.
    void open();

Q_SIGNALS:
    /// The user wants to see a line (0-based) of the log.
    void lineWanted(qint64 line);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showLines();

    MergedSpec::Log m_log;
    StartLines m_start;
    FilterBar *m_bar;
    LogView *m_view;
    RemoteOwner<MergedLines> m_lines;
};

} // namespace rankdeck
