#pragma once

#include "run/exitstatus.h"
#include "run/processtree.h"

#include <functional>
#include <vector>

namespace rankdeck
{

/// What lives below this process. Zombies that were adopted are reaped on the way, one pid at a time: a wait
/// for any child would steal the exit codes of `spared`, the children that QProcess waits for. This process
/// must be a child subreaper.
std::vector<ProcessInfo> listStrays(const std::vector<qint64> &spared,
                                    const std::function<void(pid_t, const ExitStatus &)> &onReaped = {});

/// "python3 (pid 4711)", for messages.
QString nameOf(const ProcessInfo &process);

} // namespace rankdeck
