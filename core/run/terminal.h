#pragma once

#include "result.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <memory>

namespace rankdeck
{

/// How many characters a terminal shows. Source: struct winsize of the kernel, whose numbers have 16 bits.
struct TerminalSize {
    int rows = 24;    ///< 1 .. 65535
    int columns = 80; ///< The same.
    bool operator==(const TerminalSize &) const = default;
};

/// A pseudo-terminal for one process. What the process prints is appended to its log, as it comes, escape
/// sequences and all; while the disk is full the process waits. What is typed waits until the process takes
/// it. Nothing of it blocks this thread.
class Terminal : public QObject
{
    Q_OBJECT

public:
    /// Of what is typed so much may wait for the process to take it, bytes.
    static constexpr qsizetype mostUntaken = 64 * 1024;

    /// Error: there is no terminal left, or the log cannot be written.
    static Result<std::unique_ptr<Terminal>> open(const QString &logFile);
    ~Terminal() override;

    /// In the child, between fork and exec, once it leads a session: make this its controlling terminal and
    /// its standard streams. False: that failed.
    bool adopt() const;
    /// Type this. False: the process does not take what was typed before, and all of this is dropped.
    bool type(const QByteArray &bytes);
    void resize(const TerminalSize &size);
    /// SIGINT for the process group in the foreground, whatever Ctrl-C means there. False: it has none.
    bool interrupt();
    /// The process has ended: put what it has printed into the log.
    void drain();

Q_SIGNALS:
    /// As it comes; before it is in the log.
    void printed(QByteArrayView bytes);

private:
    Terminal(int ownEnd, int processEnd, int log);

    bool read();
    bool writeLog();
    void writeTyped();

    int m_ownEnd;
    int m_processEnd; ///< Kept open: the last to close it would end the terminal for those who open it later.
    int m_log;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    QTimer m_retry;
    QByteArray m_printed; ///< What is not in the log yet.
    QByteArray m_typed;   ///< What the process has not taken yet.
};

} // namespace rankdeck
