#pragma once

#include "base/tr.h"

#include <QProcessEnvironment>

#include <vector>

class QProcessEnvironment;

namespace rankdeck
{

struct ProcessPlan;

/// A timeout after which ranks give up waiting for a rank that is being debugged. Sources: HCCL's and
/// MindSpore's documentation of the variables.
struct WaitingTimeout {
    /// The processes that it applies to.
    enum class Whom {
        Connecting, ///< Ranks that set up their links.
        InCollective,
        Forming, ///< Processes that wait for their cluster to be complete.
        Halted, ///< A process whose threads are all stopped, as in gdb or by SIGSTOP: it sends no heartbeats.
    };

    QString variable; ///< The environment variable to raise: "HCCL_EXEC_TIMEOUT".
    int seconds = 0;
    Whom whom = Whom::InCollective;

    bool operator==(const WaitingTimeout &) const = default;
};

/// Returns the timeouts of a process of `launcher` ("msrun", "processes", "davincirun"), shortest first: from
/// its environment, else the defaults. Leaves out those that are off or not a number.
/// @param environment the environment that the process's own variables change.
std::vector<WaitingTimeout> waitingTimeouts(const ProcessPlan &process, const QString &launcher,
                                            const QProcessEnvironment &environment);

/// "in a collective", "while they connect": when the timeout counts.
QString whenText(WaitingTimeout::Whom whom);
/// "HCCL_EXEC_TIMEOUT (1836 s) in a collective, …": for one sentence.
QString waitingTimeoutsText(const std::vector<WaitingTimeout> &timeouts);

/// "HCCL_EXEC_TIMEOUT=17340", …: the timeouts that can be raised, with values that every device accepts and
/// that suit a long session.
QStringList raisedTimeouts(const std::vector<WaitingTimeout> &timeouts);

} // namespace rankdeck
