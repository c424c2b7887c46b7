#pragma once

#include "background/iothread.h"
#include "log/file/logfollower.h"

#include <QWidget>

namespace rankdeck
{

class LogView;

/// Shows the text of a rank table file with a marked line. Reads only the lines on the screen.
class TableText : public QWidget
{
    Q_OBJECT

public:
    TableText();
    ~TableText() override;

    /// Shows a file from its beginning; nothing for an empty path.
    void setFile(const QString &path);
    /// Reads the changed file again, without scrolling.
    void reload();
    /// Marks a line and a column, both from 1; column 0 is unknown, line 0 removes the mark.
    void markLine(int line, int column = 0);
    LogView *view() const { return m_view; }

private:
    void openFile();

    IoThread m_thread;
    RemoteOwner<LogFollower> m_follower;
    QString m_path;
    LogView *m_view;
};

} // namespace rankdeck
