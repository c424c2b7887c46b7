#pragma once

#include <QString>

#include <csignal>
#include <optional>

namespace rankdeck
{

/// How a process ended: by exit code, by signal, or by never having started.
struct ExitStatus {
    enum class Kind { Exited, Signalled, NotStarted };

    Kind kind = Kind::Exited;
    int number = 0; ///< Exit code 0..255, signal number, or the errno of the failed start.

    bool isSuccess() const { return kind == Kind::Exited && number == 0; }
    /// As a shell reports it: the exit code; 128 + n for signal n; 127 not found, 126 not executable.
    int shellCode() const;
    /// "exit code 3", "SIGKILL", "not started".
    QString text() const;
    /// "SIGKILL" for 9; "signal 63" where there is no name.
    static QString signalName(int signal);

    bool operator==(const ExitStatus &) const = default;
};

} // namespace rankdeck
