#pragma once

#include "run/process/terminal.h"

// What a run's supervisor and its clients say to each other, one line each. Processes are given by their
// index in LaunchPlan::processes, ascending. Each fromLine() returns nothing for a line of another kind.

namespace rankdeck
{

/// Asks for the end of the run, or of some of its processes while the others go on.
struct StopRequest {
    bool kill = false;    ///< SIGKILL at once; else SIGTERM, grace, SIGKILL.
    QList<int> processes; ///< Empty: the whole run.

    bool isWhole() const { return processes.isEmpty(); }

    /// "stop", or "kill 0-3,7".
    QByteArray toLine() const;
    static std::optional<StopRequest> fromLine(const QByteArray &line);
    bool operator==(const StopRequest &) const = default;
};

/// Asks that a signal is sent to some processes, and nothing else is done. A rank that the signal ends has
/// failed, as if the signal had come from elsewhere; StopRequest asks for an end that is no failure.
///
/// The signal goes to the whole process group of the rank, so also to what the rank has started without a
/// session of its own. SIGINT for a rank with a terminal goes to the foreground group of that terminal, as
/// Ctrl-C does: under gdb that is the program, not gdb.
struct SignalRequest {
    int number = 0; ///< One of sendableSignals().
    QList<int> processes;

    /// "signal SIGUSR1 0-3,7".
    QByteArray toLine() const;
    static std::optional<SignalRequest> fromLine(const QByteArray &line);
    bool operator==(const SignalRequest &) const = default;
};

/// Returns the signals that a SignalRequest may name: INT, TERM, KILL, USR1, USR2, STOP and CONT.
QList<int> sendableSignals();
/// Returns the signal for "USR1", "sigusr1" or "10"; 0 if it is not one of sendableSignals().
int sendableSignal(const QString &text);

/// Asks that a tool is attached to a rank.
struct ToolRequest {
    QString name;    ///< Name of a ToolKind.
    int process = 0; ///< The rank to attach to.

    /// "tool gdb 3".
    QByteArray toLine() const { return "tool " + name.toUtf8() + ' ' + QByteArray::number(process); }
    static std::optional<ToolRequest> fromLine(const QByteArray &line);
    bool operator==(const ToolRequest &) const = default;
};

/// What a client types into the terminals of processes, or the size at which it shows them.
struct TerminalInput {
    /// The most bytes in one line; more are sent in several lines.
    static constexpr qsizetype mostBytes = 1024;

    QList<int> processes; ///< Those without a terminal are passed over.
    QByteArray bytes;     ///< As the keys send them: "where\r".
    std::optional<TerminalSize> size;

    /// "type 0-3,7 BASE64" with at most mostBytes of `bytes`, or "size 3 24x80".
    QByteArray toLine() const;
    static std::optional<TerminalInput> fromLine(const QByteArray &line);
    bool operator==(const TerminalInput &) const = default;
};

/// Who has the keyboard of a run, as one client sees it. Several clients may watch the terminals of a run,
/// one at a time types into them. The supervisor gives the keyboard to the first client that asks or types;
/// another client may take it over; it is free again when its holder disconnects.
struct Keyboard {
    bool isOurs = false;
    QString holder; ///< Another client's name for itself; empty: ours, or free.

    bool isFree() const { return !isOurs && holder.isEmpty(); }
    /// What the supervisor says: "keyboard ours", "keyboard free", "keyboard held BASE64".
    QByteArray toLine() const;
    static std::optional<Keyboard> fromLine(const QByteArray &line);
    bool operator==(const Keyboard &) const = default;
};

/// Asks for the keyboard.
struct KeyboardRequest {
    QString name;            ///< The client's name for other users to read: "rankdeckctl attach (pid 12)".
    bool evenIfHeld = false; ///< Take it over from the client that has it.

    /// "keyboard ask BASE64", "keyboard take BASE64".
    QByteArray toLine() const;
    /// The name is cut to one line that fits into a sentence.
    static std::optional<KeyboardRequest> fromLine(const QByteArray &line);
    bool operator==(const KeyboardRequest &) const = default;
};

/// Whether a client wants samples (NodeSample). Nodes are not sampled for clients that do not.
struct SampleWish {
    bool isWanted = false;
    /// The process whose NPU is read in detail: npu-smi is asked for more of it (its clocks, say), which
    /// costs another call; -1: none.
    int detailed = -1;

    /// "sample 7", "sample all", "sample none".
    QByteArray toLine() const;
    static std::optional<SampleWish> fromLine(const QByteArray &line);
    bool operator==(const SampleWish &) const = default;
};

/// Names the processes whose logs a client shows: "show 0-3,7", or "show" for none.
QByteArray shownLine(const QList<int> &processes);
std::optional<QList<int>> shownFromLine(const QByteArray &line);

/// Asks for the stacks of processes: "dump 0-3,7".
QByteArray dumpLine(const QList<int> &processes);
std::optional<QList<int>> dumpFromLine(const QByteArray &line);

/// Asks that ranks are started again, those that run after their end: "start 0-3,7".
QByteArray startLine(const QList<int> &processes);
std::optional<QList<int>> startFromLine(const QByteArray &line);

} // namespace rankdeck
