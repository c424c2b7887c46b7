#pragma once

#include "agent/stacks/processlook.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

namespace rankdeck
{

/// What faulthandler wrote, of these lines of a log; lines of others among them are left out. Empty: nothing.
QByteArray faulthandlerLines(const QByteArray &log);

/// Sends a process the signal that its faulthandler is registered for, and takes what that writes from the
/// end of its log.
class SignalledStacks : public QObject
{
    Q_OBJECT

public:
    /// @param log where the process's standard error goes.
    SignalledStacks(const ProcessLook &process, int signalNumber, QString log, QObject *parent = nullptr);

    /// Sends the signal, unless it is another process by now or has no handler for it any more: such a signal
    /// would end it.
    void start();

Q_SIGNALS:
    /// Empty: it wrote nothing of the kind within ten seconds.
    void finished(const QByteArray &text);

private:
    void look();
    QByteArray newBytes() const;

    ProcessLook m_process;
    int m_signal;
    QString m_log;
    qint64 m_begin = 0;
    qsizetype m_size = 0;
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sinceGrowth;
};

} // namespace rankdeck
