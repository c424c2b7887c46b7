#pragma once

#include "run/processtree.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// What a process must be for one way or another to its stacks.
struct ProcessLook {
    ProcessInfo info;
    bool isPython = false; ///< It runs Python's interpreter.
    quint64 caught = 0;    ///< Signals that it has handlers for: bit 0 is that of signal 1.

    /// A signal without a handler would end it.
    bool catches(int signalNumber) const
    {
        return signalNumber > 0 && signalNumber <= 64 && ((caught >> (signalNumber - 1)) & 1) != 0;
    }
};

/// The process with this pid, and those below it that run Python; at most 32. Empty when it is gone. Reads
/// all of /proc.
std::vector<ProcessLook> lookAtRank(pid_t pid);

/// SigCgt of the text of /proc/PID/status; 0 where it has none.
quint64 caughtSignals(const QByteArray &status);

/// Whether a program of this path is Python's interpreter: python3, python3.11, pypy3 …
bool isPythonProgram(const QString &path);

} // namespace rankdeck
