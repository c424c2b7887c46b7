#pragma once

#include "run/processtree.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// Who listens on a TCP port of this machine, on whatever address: from /proc/net/tcp, /proc/net/tcp6 and the
/// open files of the processes that this user may look into.
struct PortListeners {
    std::vector<ProcessInfo> processes;
    QString otherUser; ///< Whose listener it is when no process could be found; empty: nobody's.
};
PortListeners listenersOn(int port);

} // namespace rankdeck
