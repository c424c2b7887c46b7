#include "run/strays.h"

#include <algorithm>

#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

std::vector<ProcessInfo> listStrays(const std::vector<qint64> &spared,
                                    const std::function<void(pid_t, const ExitStatus &)> &onReaped)
{
    const pid_t self = getpid();
    std::vector<ProcessInfo> strays = descendants(self);
    const auto isGone = [&](const ProcessInfo &process) {
        const bool isSpared = std::find(spared.begin(), spared.end(), process.pid) != spared.end();
        if (process.state != 'Z' || process.parent != self || isSpared)
            return false;
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(process.pid), &info, WEXITED | WNOHANG) == 0 &&
            info.si_pid != 0 && onReaped) {
            const bool exited = info.si_code == CLD_EXITED;
            onReaped(process.pid,
                     {exited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, info.si_status});
        }
        return true;
    };
    strays.erase(std::remove_if(strays.begin(), strays.end(), isGone), strays.end());
    return strays;
}

QString nameOf(const ProcessInfo &process)
{
    return QStringLiteral("%1 (pid %2)").arg(process.name).arg(process.pid);
}

} // namespace rankdeck
