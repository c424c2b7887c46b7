#pragma once

#include "agent/stacks/processlook.h"
#include "launch/launchplan.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// The programs of this host that show stacks, by path; empty where one is not installed.
struct StackTools {
    QString pySpy;
    QString gdb;
    QString euStack;

    /// Those in this PATH.
    static StackTools inPath(const QString &searchPath);
    bool isEmpty() const { return pySpy.isEmpty() && gdb.isEmpty() && euStack.isEmpty(); }
};

/// One way to the stacks of a process.
struct StackWay {
    QStringList command;  ///< Program and arguments …
    int signalNumber = 0; ///< … or, without one, the signal at which the process writes them to its log.

    /// "py-spy dump --pid 4711", "SIGUSR1 (faulthandler)".
    QString text() const;
    bool operator==(const StackWay &) const = default;
};

/// The ways to the stacks of a process, the best first: those of Python say what the program does, so they
/// come before those of C. The signal is among them only where the process is Python, has a handler for it,
/// and is not stopped.
/// @param dumpSignal what the launch says that the program registered with faulthandler; 0: none.
std::vector<StackWay> stackWays(const StackTools &tools, const ProcessLook &process, int dumpSignal);

/// "rank 3", "the scheduler".
QString rankName(const ProcessPlan &process);

/// Why there are no stacks, a sentence with what mends it.
/// @param tried what was tried last, and what it said; empty: there was no way at all.
/// @param ptraceScope kernel.yama.ptrace_scope; negative: this kernel has none.
QString noStacksText(const QString &who, const QString &tried, const QString &said, int ptraceScope);

/// kernel.yama.ptrace_scope of this host; -1 where there is none.
int ptraceScopeOfHost();

} // namespace rankdeck
