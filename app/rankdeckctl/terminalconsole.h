#pragma once

#include "consolekeys.h"
#include "rawterminal.h"
#include "run/runclient.h"
#include "run/unixsignals.h"

#include <QFile>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <optional>

namespace rankdeck
{

/// This terminal as that of one rank, or of a tool that is attached to one: what is typed goes there, what is
/// printed there, read from its log, comes here, until it ends or the keys for it detach.
class TerminalConsole : public QObject
{
    Q_OBJECT

public:
    /// By index: RunState::planOf().
    struct Process {
        int index;
    };
    TerminalConsole(const QString &runDirectory, int rank);
    TerminalConsole(const QString &runDirectory, Process process);

    /// Runs the event loop. Returns 0 when detached, else the exit code of the rank or tool; unusableInput
    /// when it cannot be reached or has no terminal.
    int watch();

private:
    void take(const RunState &state);
    TerminalConsole(const QString &runDirectory, int rank, int process);
    void begin(const RunState &state);
    int findRank(const RunState &state);
    void refuseWith(const Error &error);
    void readKeys();
    void takeKeyboard();
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
