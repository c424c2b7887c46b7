#pragma once

#include "background/iothread.h"
#include "background/remoteowner.h"
#include "log/logfollower.h"

#include <QWidget>

namespace rankdeck
{

class LogView;

/// The text of a rank table file as it is on the disk, with a line marked. Only what is on the screen is
/// read.
class TableText : public QWidget
{
    Q_OBJECT

public:
    explicit TableText(QWidget *parent = nullptr);
    ~TableText() override;

    /// Show a file from its beginning; an empty path for none.
    void setFile(const QString &path);
    /// The file has changed: read it anew, and stay where one is.
    void reload();
    /// Mark a line (1-based) and its column (1-based; 0 unknown). No line: no mark.
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
