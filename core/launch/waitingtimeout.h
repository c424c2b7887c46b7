#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck
{

struct ProcessPlan;

/// A timeout after which ranks give up that wait for one that somebody debugs. Sources: HCCL's and
/// MindSpore's documentation of the variables.
struct WaitingTimeout {
    /// For whom it counts.
    enum class Whom {
        Connecting, ///< Ranks that set up their links.
        InCollective,
        Forming, ///< Processes that wait for their cluster to be complete.
        Halted,  ///< One whose threads all stand still, as in gdb or after SIGSTOP: it misses heartbeats.
    };

    QString variable; ///< The environment variable to raise: "HCCL_EXEC_TIMEOUT".
    int seconds = 0;
    Whom whom = Whom::InCollective;

    bool operator==(const WaitingTimeout &) const = default;
};

/// Those of a process of `launcher` ("msrun", "processes", "davincirun") with what it finds in its
/// environment, else with the defaults, shortest first. What is set to no number or to none at all is left
/// out.
/// @param environment what the process's own variables change.
std::vector<WaitingTimeout> waitingTimeouts(const ProcessPlan &process, const QString &launcher,
                                            const QProcessEnvironment &environment);

/// "in a collective", "while they connect": when the timeout counts.
QString whenText(WaitingTimeout::Whom whom);
/// "HCCL_EXEC_TIMEOUT (1836 s) in a collective, …": for one sentence.
QString waitingTimeoutsText(const std::vector<WaitingTimeout> &timeouts);

/// "HCCL_EXEC_TIMEOUT=17340", …: those that can be larger, with values that every device takes and that last
/// for a long session.
QStringList raisedTimeouts(const std::vector<WaitingTimeout> &timeouts);

} // namespace rankdeck
