#include "run/process/exitstatus.h"

#include <cerrno>
#include <cstring>

namespace rankdeck
{

int ExitStatus::shellCode() const
{
    switch (kind) {
    case Kind::Exited:
        return number;
    case Kind::Signalled:
        return 128 + number;
    case Kind::NotStarted:
        return number == ENOENT ? 127 : 126;
    case Kind::Unknown:
        break;
    }
    return 1;
}

QString ExitStatus::text() const
{
    switch (kind) {
    case Kind::Exited:
        return tr("exit code %1").arg(number);
    case Kind::Signalled:
        return signalName(number);
    case Kind::NotStarted:
        return tr("not started");
    case Kind::Unknown:
        return tr("exit code unknown");
    }
    return {};
}

QString ExitStatus::signalName(int signal)
{
    const char *name = sigabbrev_np(signal);
    return name ? QStringLiteral("SIG") + QLatin1String(name) : tr("signal %1").arg(signal);
}

} // namespace rankdeck
