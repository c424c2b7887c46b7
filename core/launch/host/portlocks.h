#pragma once

#include "base/tr.h"

#include <vector>

namespace rankdeck
{

/// The runs of all users of this machine reserve ports by an abstract socket each, whose name has the port;
/// it belongs to the process that watches over a run on its node: who dies frees its ports. Among the runs of
/// this user a locked file each also says who has it. A launch that has chosen ports claims them for a few
/// seconds in the same two ways, until that process has the locks.

/// Returns the directory of the files: $XDG_RUNTIME_DIR/rankdeck/ports, else one below the temporary
/// directory; made if it is missing. Empty: it cannot be made, or is not this user's alone.
QString portLockDirectory();

/// Holds the locks of ports until it goes away.
class PortLocks
{
public:
    PortLocks() = default;
    ~PortLocks() { release(); }
    PortLocks(const PortLocks &) = delete;
    PortLocks &operator=(const PortLocks &) = delete;

    /// Locks `port`, and ends a claim to it. Returns false if another process has the lock, or if there is no
    /// directory for it.
    bool take(int port);
    void release();

private:
    std::vector<int> m_files; ///< Descriptors.
};

/// Returns the pid of this user's process that has the lock of `port`; 0: none.
qint64 lockerOfPort(int port);
/// Returns true if a process of any user has the lock of `port`.
bool isPortReserved(int port);

/// How long a claim lasts.
inline constexpr int claimSeconds = 10;

/// Claims `port` for a launch of this process that is about to start. A claim of another process that is
/// younger than claimSeconds makes this fail; a lock does not.
bool claimPort(int port);
/// Returns true if another process of any user claims `port`.
bool isPortClaimed(int port);

/// Returns true if no process listens on `port` of any address of this machine. Listens for a moment itself.
bool isPortFree(int port);

} // namespace rankdeck
