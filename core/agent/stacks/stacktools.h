#pragma once

#include "base/sentence.h"
#include "run/process/processtree.h"

namespace rankdeck
{

struct ProcessPlan;

/// The facts about a process that decide how its stacks can be taken.
struct ProcessLook {
    ProcessInfo info;
    bool isPython = false; ///< It runs Python's interpreter.
    /// Its own interpreter, by the path that it sees, if that is Python 3.14 or newer, which can read another
    /// one's frames, and if the process has all our rights; else empty.
    QString frameReader;
    QString root;       ///< /proc/PID/root, if the process sees other files than we do.
    quint64 caught = 0; ///< Signals that it has handlers for: bit 0 is that of signal 1.

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

/// The programs of this host that show stacks, by path; empty where one is not installed.
struct StackTools {
    QString pySpy;
    QString gdb;
    QString euStack;
    QString asys; ///< CANN's tool: makes the handler that CANN installs in a process write its stacks.
    QString nsenter;

    /// Returns the tools in this PATH.
    static StackTools inPath(const QString &searchPath);
    bool isEmpty() const { return pySpy.isEmpty() && gdb.isEmpty() && euStack.isEmpty() && asys.isEmpty(); }
};

struct StackWay {
    QStringList command;     ///< Program and arguments …
    int signalNumber = 0;    ///< … or, without one, the signal at which the process writes them to its log.
    bool asksPython = false; ///< gdb also has Python write its frames; see pythonFramesScript().
    /// The stacks are in text files below a folder, which follows as --output=…; the printed text has none.
    bool writesFiles = false;

    /// "py-spy dump --pid 4711", "SIGUSR1 (faulthandler)".
    QString text() const;
    bool operator==(const StackWay &) const = default;
};

/// Returns the ways to the stacks of a process, the best first: Python's stacks show the program's own work,
/// so they come before those of C. The signal is among them only if the process is Python, has a handler for
/// it, and is not stopped; asys only if CANN's signal has a handler: without one the signal ends the process,
/// which asys does not check. Source: CANN, asys, export of the stacks of a hung process.
/// @param dumpSignal the launch's signal that the program registered with faulthandler; 0: none.
std::vector<StackWay> stackWays(const StackTools &tools, const ProcessLook &process, int dumpSignal);

/// "rank 3", "the scheduler".
Sentence rankName(const ProcessPlan &process);

/// Returns commands for gdb, in a file of their own, that make the process write the frames of its Python
/// threads to `file`, as faulthandler does: they call the function that faulthandler calls in a signal
/// handler, which takes no lock and allocates nothing, and so does what leads to it. Only the stopped thread
/// runs meanwhile. A Python without that symbol writes nothing. A gdb that is older than the processor may be
/// unable to write its registers, and would leave the process broken: it tries one that does no harm first,
/// and an error ends the file.
QByteArray pythonFramesScript(const QString &file);

/// Returns commands for gdb that do the same where that function is not exported, as in Debian's Python 3.9
/// and 3.13: they take the GIL and run a line of Python. Only where the main thread waits in the kernel:
/// elsewhere it may be in the midst of an allocation. A rank that holds the GIL in C would wait for itself:
/// an interrupt (SIGINT) ends the call.
QByteArray pythonLineScript(const QString &file);
/// Returns what that wrote without its own frame.
QByteArray withoutOwnLine(QByteArray frames);

/// Returns the reason for missing stacks, a sentence with advice.
/// @param tried the command tried last, and its message; empty: there was no way at all.
/// @param ptraceScope kernel.yama.ptrace_scope; negative: this kernel has none.
Sentence noStacksText(const Sentence &who, const QString &tried, const Sentence &said, int ptraceScope);

/// Returns kernel.yama.ptrace_scope of this host; -1 without it.
int ptraceScopeOfHost();

} // namespace rankdeck
