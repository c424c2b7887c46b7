#pragma once

#include "run/control/peer.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QSocketNotifier>

namespace rankdeck
{

/// Lines over a pair of file descriptors without ever blocking: what the other end does not take is kept.
class LineChannel : public QObject
{
    Q_OBJECT

public:
    /// Descriptors stay the caller's; both are made non-blocking.
    LineChannel(int readFrom, int writeTo, QObject *parent = nullptr);

    /// Written at once, unless there was one within the last 20 ms: then as soon as the event loop runs
    /// again.
    void send(const QByteArray &line);
    /// A frame between lines, see framed().
    void sendFrame(quint16 channel, QByteArrayView bytes);
    /// Before the process ends: block until everything sent has been taken, or the other end is gone.
    void flush();
    /// Take what has come, without waiting.
    void drain();

Q_SIGNALS:
    void received(const QByteArray &line);
    /// End of file, an error at either end, or a line without an end. Emitted once.
    void closed();

private:
    /// False: there is nothing more now.
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

} // namespace rankdeck
