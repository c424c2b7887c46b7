#pragma once

#include "base/tr.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>

namespace rankdeck
{

/// Notices that the other end of a stream has been silent for a limit. Counts only time in which this process
/// ran: after it was frozen, or its machine slept, the limit begins again, since the other end may have been
/// frozen as well, and its last bytes are not read yet.
class Silence : public QObject
{
    Q_OBJECT

public:
    Silence();

    /// @param limit at least some seconds. 0: silence has no limit; only the end of the stream counts.
    void setLimit(std::chrono::milliseconds limit);
    std::chrono::milliseconds limit() const { return m_limit; }
    /// Begins, or the other end has just been heard.
    void start();
    void stop() { m_tick.stop(); }

Q_SIGNALS:
    /// The limit is reached. Emitted once for each start().
    void reached();

private:
    void look();

    std::chrono::milliseconds m_limit{0};
    std::chrono::milliseconds m_silent{0};
    QTimer m_tick;
    QElapsedTimer m_sinceTick;
};

} // namespace rankdeck
