#include "run/exitstatus.h"

#include <QCoreApplication>

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
        return QCoreApplication::translate("ExitStatus", "exit code %1").arg(number);
    case Kind::Signalled:
        return signalName(number);
    case Kind::NotStarted:
        return QCoreApplication::translate("ExitStatus", "not started");
    case Kind::Unknown:
        return QCoreApplication::translate("ExitStatus", "exit code unknown");
    }
    return {};
}

QString ExitStatus::signalName(int signal)
{
    const char *name = sigabbrev_np(signal);
    return name ? QStringLiteral("SIG") + QLatin1String(name)
                : QCoreApplication::translate("ExitStatus", "signal %1").arg(signal);
}

} // namespace rankdeck
