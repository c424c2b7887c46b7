#pragma once

#include "diagnosis/logdirectory/logdirectory.h"

#include <QObject>
#include <QTimer>

namespace rankdeck
{

/// Watches a directory of logs as RunClient watches a run. Lives in any thread with an event loop and does
/// its file access there: keep it off the GUI thread.
class LogDirectoryWatch : public QObject
{
    Q_OBJECT

public:
    explicit LogDirectoryWatch(const QString &directory, QObject *parent = nullptr);

public Q_SLOTS:
    /// Read what is there, emit stateChanged(), and look again every two seconds.
    void open();

Q_SIGNALS:
    void stateChanged(const rankdeck::RunState &state);
    /// There are no such logs; a sentence for the user.
    void failed(const QString &sentence);

private:
    LogDirectory m_logs;
    QTimer m_timer;
};

} // namespace rankdeck
