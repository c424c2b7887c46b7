#pragma once

#include "background/iothread.h"
#include "log/merge/mergedlines.h"

#include <QWidget>

namespace rankdeck
{

class FilterBar;
class LogView;
struct LogLook;

/// Starts to read lines of logs, in a thread of its own.
using StartLines = std::function<RemoteOwner<MergedLines>(const MergedSpec &)>;

/// The matching lines of one log, or of several as one, with their line numbers: a second view below the log
/// itself.
class FilterView : public QWidget
{
    Q_OBJECT

public:
    /// Reads nothing before open().
    FilterView(std::vector<MergedSpec::Log> logs, StartLines start, QWidget *parent = nullptr);
    ~FilterView() override;

    LogView *view() const { return m_view; }
    /// Puts the cursor into the filter, and reads the lines if that is the first time.
    void open();
    /// Sets the look of the lines; they are always numbered.
    void setLook(const LogLook &look);

Q_SIGNALS:
    /// The user wants to see a line in its log.
    void lineWanted(const rankdeck::LogPage::Origin &origin);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showLines();

    std::vector<MergedSpec::Log> m_logs;
    StartLines m_start;
    FilterBar *m_bar;
    LogView *m_view;
    RemoteOwner<MergedLines> m_lines;
};

} // namespace rankdeck
