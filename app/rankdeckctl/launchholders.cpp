#include "launchholders.h"

#include "agent/nodeholders.h"
#include "output.h"

#include <QCoreApplication>
#include <QEventLoop>

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

void sayItIsStopped(const Holder &holder)
{
    say(tr("%1 Stopping it.").arg(visibleText(holder.sentence())));
}

std::optional<Error> stopOnNodes(const LaunchSpec &spec, const LaunchPlan &plan)
{
    NodeHolders nodes(plan, spec.nodes, QProcessEnvironment::systemEnvironment());
    QEventLoop loop;
    std::optional<Error> problem;
    QObject::connect(&nodes, &NodeHolders::found, &loop, [&](const Holders &holders) {
        for (const Holder &holder : holders.list) {
            if (holder.isOurs())
                sayItIsStopped(holder);
        }
        nodes.end();
    });
    QObject::connect(&nodes, &NodeHolders::ended, &loop, [&](const std::optional<Error> &error) {
        problem = error;
        loop.quit();
    });
    nodes.ask();
    loop.exec();
    return problem;
}

} // namespace

std::optional<Error> settleHolders(const LaunchSpec &spec, const LaunchPlan &plan, bool stop)
{
    if (!plan.transport.isEmpty())
        return stop && !plan.allocation ? stopOnNodes(spec, plan) : std::nullopt;
    const Holders holders = findAllHolders(plan, QProcessEnvironment::systemEnvironment());
    if (holders.npuProblem)
        warn(holders.npuProblem->sentence());
    for (const Holder &holder : holders.list) {
        if (stop && holder.isOurs()) {
            sayItIsStopped(holder);
            if (const auto error = endHolder(holder))
                return error;
        } else if (holder.isOurs() && !holder.devices.isEmpty()) {
            warn(holder.stopHost().isEmpty()
                     ? tr("%1 To stop it: %2").arg(holder.sentence(), holder.stopCommand())
                     : tr("%1 To stop it, on %2: %3")
                           .arg(holder.sentence(), holder.stopHost(), holder.stopCommand()));
        } else if (!holder.devices.isEmpty()) {
            warn(holder.sentence());
        }
        // A port alone is left to the check before the start, which refuses.
    }
    return std::nullopt;
}

} // namespace rankdeck
