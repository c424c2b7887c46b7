#pragma once

#include "base/oneshottimer.h"
#include "base/result.h"

#include <QSocketNotifier>

#include <memory>

namespace rankdeck
{

/// Size of a terminal in characters. Source: struct winsize of the kernel, whose numbers have 16 bits.
struct TerminalSize {
    int rows = 24;    ///< 1 .. 65535
    int columns = 80; ///< 1 .. 65535
    bool operator==(const TerminalSize &) const = default;
};

/// A pseudo-terminal for one process. Appends the process's output to its log, unchanged, with escape
/// sequences; while the disk is full the process waits. Keeps typed bytes until they are read. Never blocks.
class Terminal : public QObject
{
    Q_OBJECT

public:
    /// The most typed bytes that wait for the process to read them.
    static constexpr qsizetype mostUntaken = 64 * 1024;

    /// Fails if there is no terminal left, or the log cannot be written.
    static Result<std::unique_ptr<Terminal>> open(const QString &logFile);
    ~Terminal() override;

    /// Makes this the terminal and standard streams of the calling session leader, after fork. False if not.
    bool adopt() const;
    /// Types bytes. Returns false, and drops them, if the process does not read the bytes typed before.
    bool type(const QByteArray &bytes);
    void resize(const TerminalSize &size);
    /// Sends SIGINT to the foreground process group, whatever Ctrl-C means there. False if there is none.
    bool interrupt();
    /// Writes the rest of the output to the log, after the process has exited.
    void drain();

Q_SIGNALS:
    void printed(QByteArrayView bytes); ///< Emitted as it comes, before it is in the log.

private:
    Terminal(int ownEnd, int processEnd, int log);

    bool read();
    bool writeLog();
    void writeTyped();

    int m_ownEnd;
    int m_processEnd; ///< Kept open: closing it last would end the terminal for processes that open it later.
    int m_log;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    OneShotTimer m_retry{500}; ///< While the disk is full.
    QByteArray m_printed;      ///< Not in the log yet.
    QByteArray m_typed;        ///< Not read by the process yet.
};

} // namespace rankdeck
