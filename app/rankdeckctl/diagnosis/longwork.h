#pragma once

#include "diagnosis/progress/progresslogs.h"

#include <QElapsedTimer>

namespace rankdeck
{

/// A command that may read gigabytes. After a second a line on standard error says how far it is, on a
/// terminal alone, and is wiped at the end. SIGINT, SIGTERM and SIGHUP cancel the work, so that it can tidy
/// up; a second one ends the program at once. One per process; its handlers stay.
class LongWork
{
public:
    LongWork();
    ~LongWork() { wipe(); }
    Q_DISABLE_COPY_MOVE(LongWork)

    /// Returns what the work is to call. This object must live as long as it does.
    LongReading reading();
    static bool isCancelled() { return cancelledBy() != 0; }
    /// Exit code of a command that was cancelled: 128 and the signal's number.
    static int exitCode() { return 128 + cancelledBy(); }
    /// Removes the line: results follow.
    void wipe();

private:
    static int cancelledBy();
    void tell(qint64 doneBytes, qint64 allBytes);
    void show();

    bool m_isOnTerminal;
    QElapsedTimer m_clock;
    qint64 m_shownAt = 0;  ///< ms of that clock.
    qsizetype m_cells = 0; ///< Length of the line on the terminal.
    qint64 m_done = 0;
    qint64 m_all = 0;
};

} // namespace rankdeck
