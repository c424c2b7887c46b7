#pragma once

#include "run/exitstatus.h"
#include "run/processtree.h"
#include "run/runevent.h"

#include <functional>
#include <vector>

namespace rankdeck
{

/// How far to look for what lives below this process.
enum class Reach {
    Children, ///< Its own children: cheap. While it has none nothing lives below it, as orphans come to it.
    Descendants, ///< The whole tree, for which all of /proc is read.
};

/// What lives below this process, but for `spared`, the children that QProcess waits for. Zombies that were
/// adopted are reaped on the way, one pid at a time: a wait for any child would steal the exit codes of
/// those. This process must be a child subreaper.
std::vector<ProcessInfo> listStrays(Reach reach, const std::vector<qint64> &spared,
                                    const std::function<void(pid_t, const ExitStatus &)> &onReaped = {});

/// "python3 (pid 4711)", for messages.
QString nameOf(const ProcessInfo &process);

/// That a process which something left over got this signal.
RunEvent sweptEvent(const ProcessInfo &stray, int signalNumber);

/// Why a process is alive that got SIGKILL some seconds ago, a sentence that names it.
/// @param isOthers it may not be signalled, being another user's: a rank may have started a set-uid program.
/// @param place where in the kernel it waits, as /proc/PID/wchan says it; empty or "0" when that is not
/// known.
QString survivalText(const ProcessInfo &process, bool isOthers, const QString &place);
/// The same, with what this host says now.
QString survivalText(const ProcessInfo &process);

} // namespace rankdeck
