#pragma once

#include "run/process/processtree.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// Lists the processes that listen on a TCP port of this machine, on any address: from /proc/net/tcp,
/// /proc/net/tcp6 and the open files of the processes that this user may inspect.
struct PortListeners {
    std::vector<ProcessInfo> processes;
    QString otherUser; ///< The owner of the port if no process was found; empty: the port is free.
};
PortListeners listenersOn(int port);

} // namespace rankdeck
