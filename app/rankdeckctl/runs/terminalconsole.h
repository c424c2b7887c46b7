#pragma once

#include "rankdeckctl/runs/runchoice.h"
#include "run/process/unixsignals.h"

#include <QFile>

#include <termios.h>

namespace rankdeck
{

/// Makes the terminal on standard input deliver every key as it is pressed, also Ctrl-C, for its lifetime;
/// does nothing if standard input is not a terminal.
class RawTerminal
{
public:
    RawTerminal();
    ~RawTerminal();
    Q_DISABLE_COPY(RawTerminal)

    /// Whether standard input is a terminal.
    bool isThere() const { return m_before.has_value(); }
    /// Returns its size; nothing if there is no terminal.
    std::optional<TerminalSize> size() const;

private:
    std::optional<termios> m_before;
};

/// Finds the console's own keys in the typed bytes: Ctrl-P Ctrl-Q detaches, as with docker, and Ctrl-P Ctrl-K
/// takes the keyboard. A Ctrl-P waits for the key after it.
class ConsoleKeys
{
public:
    /// Returns the bytes to be typed, among these and a Ctrl-P before them.
    QByteArray take(const QByteArray &bytes);
    /// Whether the keys to detach have come; nothing after them is to be typed.
    bool isDetached() const { return m_isDetached; }
    /// Whether the keys for the keyboard have come since the last call.
    bool takeKeyboardWish() { return std::exchange(m_wantsKeyboard, false); }

private:
    bool m_isBegun = false;
    bool m_isDetached = false;
    bool m_wantsKeyboard = false;
};

/// Connects this terminal to that of one rank, or of a tool attached to one: typed bytes go there, and its
/// output, read from its log, is printed on this terminal, until the process exits or the detach keys are
/// typed.
class TerminalConsole : public QObject
{
    Q_OBJECT

public:
    /// @param rank -1: the process or tool with the index `process`, see RunState::planOf().
    TerminalConsole(const QString &runDirectory, int rank, int process = -1);

    /// Runs the event loop. Returns 0 when detached, else the exit code of the rank or tool; unusableInput
    /// when it cannot be reached or has no terminal.
    int watch() { return watchRun(m_client); }

private:
    void take(const RunState &state);
    void begin(const RunState &state);
    int findRank(const RunState &state);
    void readKeys();
    void sayKeyboard(const Keyboard &keyboard);
    void tellSize();
    bool printNews();
    void end(int code, const QString &why);

    int m_rank;     ///< -1: a process is meant.
    int m_process;  ///< By index; of a rank -1 until the run is known.
    QString m_name; ///< "Rank 3", "gdb-rank-3-1".
    bool m_hasBegun = false;
    RunClient m_client;
    UnixSignals m_signals;
    std::optional<RawTerminal> m_terminal;
    QSocketNotifier m_keys;
    ConsoleKeys m_consoleKeys;
    Keyboard m_keyboard;
    QTimer m_tick;
    QFile m_log;
    bool m_hasEnded = false;
};

} // namespace rankdeck
