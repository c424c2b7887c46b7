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

/// This terminal as that of one rank: what is typed goes to the rank, what the rank prints, read from its
/// log, comes here, until the rank ends or the keys for it detach.
class TerminalConsole : public QObject
{
    Q_OBJECT

public:
    TerminalConsole(const QString &runDirectory, int rank);

    /// Runs the event loop. Returns 0 when detached, else the rank's exit code; unusableInput when it cannot
    /// be reached or has no terminal.
    int watch();

private:
    void take(const RunState &state);
    void begin(const RunState &state);
    void refuseWith(const Error &error);
    void readKeys();
    void takeKeyboard();
    void sayKeyboard(const Keyboard &keyboard);
    void tellSize();
    bool printNews();
    void end(int code, const QString &why);

    int m_rank;
    int m_process = -1; ///< Until the run is known.
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
