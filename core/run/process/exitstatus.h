#pragma once

#include <QString>

#include <csignal>
#include <optional>

namespace rankdeck
{

/// How a process ended: by exit code, by signal, by never having started, or in a way that nobody saw, as
/// when only its log is known.
struct ExitStatus {
    enum class Kind { Exited, Signalled, NotStarted, Unknown };

    Kind kind = Kind::Exited;
    int number = 0; ///< Exit code 0..255, signal number, or the errno of the failed start.
    /// Of one that SIGKILL ended, or that passes such an end on as 137: what its kernel said when it chose it
    /// because memory ran out, in one plain line; empty when that is not known. See OutOfMemory.
    QString outOfMemory = {};
    /// The signal that somebody had sent to it on request, where it ended by that, or failed within a minute
    /// after it; 0: none. See SentSignals.
    int requestedSignal = 0;

    bool isSuccess() const { return kind == Kind::Exited && number == 0; }
    /// As a shell reports it: the exit code; 128 + n for signal n; 127 not found, 126 not executable;
    /// 1 when it is not known.
    int shellCode() const;
    /// "exit code 3", "SIGKILL", "not started", "exit code unknown".
    QString text() const;
    /// "SIGKILL" for 9; "signal 63" where there is no name.
    static QString signalName(int signal);

    bool operator==(const ExitStatus &) const = default;
};

} // namespace rankdeck
