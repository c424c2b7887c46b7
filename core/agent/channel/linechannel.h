#pragma once

#include "agent/channel/frames.h"
#include "base/tr.h"
#include "run/control/peer.h"

#include <QElapsedTimer>
#include <QSocketNotifier>
#include <QTimer>

#include <chrono>

namespace rankdeck
{

/// Lines over a pair of file descriptors, without ever blocking: keeps bytes that the other end does not
/// accept yet.
class LineChannel : public QObject
{
    Q_OBJECT

public:
    /// Descriptors stay the caller's; both are made non-blocking.
    LineChannel(int readFrom, int writeTo);

    /// Writes a line at once, or, less than 20 ms after another one, as soon as the event loop runs again.
    void send(const QByteArray &line) { add(line + '\n'); }
    /// Writes a frame between lines; see framed().
    void sendFrame(quint16 channel, QByteArrayView bytes) { add(framed(channel, bytes)); }
    /// Blocks until the other end has taken everything, or is gone. For the end of the process.
    void flush();
    /// Reads all bytes that have arrived, without waiting.
    void drain();

Q_SIGNALS:
    void received(const QByteArray &line);
    /// End of file, an error at either end, or a line without an end. Emitted once.
    void closed();

private:
    /// Returns false if nothing more has come.
    bool read();
    void write();
    void add(const QByteArray &bytes);
    void close();

    int m_writeTo;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    LineBuffer m_lines;
    QByteArray m_unsent;
    QElapsedTimer m_sinceWrite;
    bool m_closed = false;
};

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
