#pragma once

#include "result.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <chrono>

namespace rankdeck
{

/// A program that is run once for what it prints, as prepareTool() has it. Deleting the question kills it;
/// nothing ever waits for its end.
class DeviceQuestion : public QObject
{
    Q_OBJECT

public:
    /// Starts the program; what comes of it is told by signals, from the event loop.
    DeviceQuestion(QString program, const QStringList &arguments, std::chrono::milliseconds limit);
    ~DeviceQuestion() override;

    /// Of the program, while it runs; else 0.
    qint64 pid() const { return m_process->processId(); }
    /// Kills the program; of the signals only ended() is to come, and failed() where it cannot be killed.
    void cancel();

Q_SIGNALS:
    /// What it printed on standard output, or where that is nothing on standard error; may be empty.
    void answered(const QByteArray &output, int exitCode);
    /// It could not be started, printed without an end, was ended by a signal or did not answer within the
    /// limit, for which it was killed. After that, once more: it is still there 2 s later, because it hangs
    /// in the kernel.
    void failed(const rankdeck::Error &error);
    /// The last signal, after either.
    void ended();

private:
    void readOutput();
    /// Gives up where there is too much of it.
    void take(QByteArray &kept, const QByteArray &output);
    void finish(int code, QProcess::ExitStatus status);
    void giveUp(const QString &why);
    void complain();

    const QString m_program;
    const std::chrono::milliseconds m_limit;
    QProcess *m_process; ///< Without a parent: it deletes itself when it has ended, however late that is.
    QTimer m_patience;
    QByteArray m_output;
    QByteArray m_complaints; ///< Of standard error.
    bool m_isGivenUp = false;
};

} // namespace rankdeck
