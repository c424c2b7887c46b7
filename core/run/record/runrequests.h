#pragma once

#include "run/process/terminal.h"

#include <variant>

// What a run's clients say to its supervisor: one JSON object a line, with the word of its kind at "do".
// Processes are given by their index in LaunchPlan::processes, ascending; in a line they are ranges, "0-3,7".

namespace rankdeck
{

class Fields;

/// Asks for the end of the run, or of some of its processes while the others go on.
struct StopRequest {
    static constexpr char word[] = "stop";
    bool kill = false;    ///< SIGKILL at once; else SIGTERM, grace, SIGKILL.
    QList<int> processes; ///< Empty: the whole run.

    bool isWhole() const { return processes.isEmpty(); }
    bool operator==(const StopRequest &) const = default;
};

/// Asks for the stacks of processes; RunState::dumps gets them.
struct DumpRequest {
    static constexpr char word[] = "dump";
    QList<int> processes; ///< Not empty.

    bool operator==(const DumpRequest &) const = default;
};

/// Asks that ranks are started again; those that run are ended first. RankState::startAnswers gets the
/// answers.
struct StartRequest {
    static constexpr char word[] = "start";
    QList<int> processes; ///< Not empty.

    bool operator==(const StartRequest &) const = default;
};

/// Asks that a signal is sent to some processes, and nothing else is done; RankState::signalAnswers gets the
/// answers. A rank that the signal ends has failed, as if the signal had come from elsewhere; StopRequest
/// asks for an end that is no failure.
///
/// The signal goes to the whole process group of the rank, so also to what the rank has started without a
/// session of its own. SIGINT for a rank with a terminal goes to the foreground group of that terminal, as
/// Ctrl-C does: under gdb that is the program, not gdb.
struct SignalRequest {
    static constexpr char word[] = "signal";
    int number = 0;       ///< One of sendableSignals().
    QList<int> processes; ///< Not empty.

    bool operator==(const SignalRequest &) const = default;
};

/// Returns the signals that a SignalRequest may name: INT, TERM, KILL, USR1, USR2, STOP and CONT.
QList<int> sendableSignals();
/// Returns the signal for "USR1", "sigusr1" or "10"; 0 if it is not one of sendableSignals().
int sendableSignal(const QString &text);

/// Asks that a tool is attached to a rank; RunState::tools gets it.
struct ToolRequest {
    static constexpr char word[] = "tool";
    QString name;    ///< Name of a ToolKind.
    int process = 0; ///< The rank to attach to.

    bool operator==(const ToolRequest &) const = default;
};

/// What a client types into the terminals of processes, or the size at which it shows them.
struct TerminalInput {
    static constexpr char word[] = "type";
    /// The most bytes in one line; more are sent in several lines.
    static constexpr qsizetype mostBytes = 1024;

    QList<int> processes; ///< Those without a terminal are passed over.
    QByteArray bytes;     ///< As the keys send them: "where\r".
    std::optional<TerminalSize> size;

    bool operator==(const TerminalInput &) const = default;
};

/// Asks for the keyboard, see Keyboard.
struct KeyboardRequest {
    static constexpr char word[] = "keyboard";
    /// The client's name for other users to read: "rankdeckctl attach (pid 12)". It is cut to one line that
    /// fits into a sentence.
    QString name;
    bool evenIfHeld = false; ///< Take it over from the client that has it.

    bool operator==(const KeyboardRequest &) const = default;
};

/// Whether a client wants samples (NodeSample). Nodes are not sampled for clients that do not.
struct SampleWish {
    static constexpr char word[] = "sample";
    bool isWanted = false;
    /// The process whose NPU is read in detail: npu-smi is asked for more of it (its clocks, say), which
    /// costs another call; -1: none.
    int detailed = -1;

    bool operator==(const SampleWish &) const = default;
};

/// Names the processes whose logs a client shows.
struct ShownLogs {
    static constexpr char word[] = "show";
    QList<int> processes;

    bool operator==(const ShownLogs &) const = default;
};

template <typename... More>
using RequestOr =
    std::variant<StopRequest, DumpRequest, StartRequest, SignalRequest, ToolRequest, TerminalInput, More...>;
/// What a supervisor carries out for its clients.
using Request = RequestOr<>;
/// What a client says: a Request, or what it wants for itself.
using ClientMessage = RequestOr<KeyboardRequest, SampleWish, ShownLogs>;

void visitFields(Fields &fields, SignalRequest &request);
void visitFields(Fields &fields, TerminalInput &input);
void visitFields(Fields &fields, ClientMessage &message);

/// Returns the line for a message, without a newline. Only the first TerminalInput::mostBytes of bytes are in
/// it.
QByteArray toLine(const ClientMessage &message);
/// Returns nothing for another line, and for a message that nobody could carry out.
std::optional<ClientMessage> clientMessageFrom(const QByteArray &line);

/// Who has the keyboard of a run, as one client sees it: what a supervisor says. Several clients may watch
/// the terminals of a run, one at a time types into them. The supervisor gives the keyboard to the first
/// client that asks or types; another client may take it over; it is free again when its holder disconnects.
struct Keyboard {
    bool isOurs = false;
    QString holder; ///< Another client's name for itself; empty: ours, or free.

    bool isFree() const { return !isOurs && holder.isEmpty(); }
    QByteArray toLine() const;
    /// Returns nothing for another line.
    static std::optional<Keyboard> fromLine(const QByteArray &line);
    bool operator==(const Keyboard &) const = default;
};

} // namespace rankdeck
