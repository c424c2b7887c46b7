#pragma once

#include "base/sentence.h"

#include <csignal>

namespace rankdeck
{

class Fields;

/// How a process ended: with an exit code, by a signal, without a start, or unknown, where only its log is.
struct ExitStatus {
    enum class Kind { Exited, Signalled, NotStarted, Unknown };

    Kind kind = Kind::Exited;
    int number = 0; ///< Exit code 0..255, signal number, or the errno of the failed start.
    /// If SIGKILL ended it, or it exited with 137: the kernel's message when it killed the process because
    /// memory ran out, in one plain line; empty if unknown. See OutOfMemory.
    QString outOfMemory = {};
    /// Signal that was sent on request, if it then ended or failed within a minute. 0: none. See SentSignals.
    int requestedSignal = 0;

    bool isSuccess() const { return kind == Kind::Exited && number == 0; }
    /// Returns the shell's code: exit code; 128 + signal; 127 not found, 126 not executable; else 1.
    int shellCode() const;
    /// "exit code 3", "SIGKILL", "not started", "exit code unknown".
    Sentence text() const;
    /// Returns "SIGKILL" for 9; "signal 63" for a signal without a name.
    static QString signalName(int signal);

    bool operator==(const ExitStatus &) const = default;
};

void visitFields(Fields &fields, ExitStatus &status);

} // namespace rankdeck
