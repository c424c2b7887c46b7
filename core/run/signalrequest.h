#pragma once

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// What a client asks of a run: that this signal is sent to some of its processes, and nothing else is done.
/// What the signal does to them is the run's own: a rank that it ends has failed, as if it had come from
/// elsewhere. See StopRequest for an end that is no failure.
///
/// It goes to the whole process group of the rank, so also to what the rank has started without a session of
/// its own. SIGINT of a rank with a terminal goes to the group in that terminal's foreground, as Ctrl-C does:
/// under gdb that is the program, not gdb.
struct SignalRequest {
    int number = 0;       ///< One of sendableSignals().
    QList<int> processes; ///< By index in LaunchPlan::processes, ascending.

    /// "signal SIGUSR1 0-3,7".
    QByteArray toLine() const;
    /// Nothing for a line that is no request, or that names another signal.
    static std::optional<SignalRequest> fromLine(const QByteArray &line);

    bool operator==(const SignalRequest &) const = default;
};

/// Those that may be sent on request: INT, TERM, KILL, USR1, USR2, STOP and CONT.
QList<int> sendableSignals();
/// "USR1", "sigusr1" or "10"; 0 for what is none of these.
int sendableSignal(const QString &text);

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::SignalRequest)
