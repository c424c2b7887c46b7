#include "launchholders.h"

#include "agent/holders.h"
#include "agent/runending.h"
#include "output.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchholders", text);
}

void warn(const QString &text)
{
    say(tr("rankdeckctl: warning: %1").arg(visibleText(text)));
}

} // namespace

std::optional<Error> settleHolders(const LaunchPlan &plan, bool stop)
{
    const Holders holders = findAllHolders(plan, QProcessEnvironment::systemEnvironment());
    if (holders.npuProblem)
        warn(holders.npuProblem->sentence());
    for (const Holder &holder : holders.list) {
        if (stop && holder.isOurs()) {
            say(tr("%1 Stopping it.").arg(visibleText(holder.sentence())));
            if (const auto error = endRun(holder.directory))
                return error;
        } else if (holder.isOurs() && !holder.devices.isEmpty()) {
            warn(tr("%1 To stop it: %2").arg(holder.sentence(), holder.stopCommand()));
        } else if (!holder.devices.isEmpty()) {
            warn(holder.sentence());
        }
        // A port alone is left to the check before the start, which refuses.
    }
    return std::nullopt;
}

} // namespace rankdeck
