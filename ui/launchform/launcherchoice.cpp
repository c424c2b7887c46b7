#include "launchform/launcherchoice.h"

#include "launch/launchers.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("rankdeck::LaunchForm", text);
}

} // namespace

QString launcherDescription(const QString &launcher)
{
    if (launcher == QLatin1String("msrun"))
        return tr("MindSpore's scheduler and this node's workers");
    if (launcher == QLatin1String("processes"))
        return tr("as torchrun: ranks of this node, no rank table");
    return tr("one process for each device of this node");
}

LaunchSpec defaultsOf(const QString &launcher)
{
    const auto line = launcherCommandLine(launcher);
    return line ? line->defaults : LaunchSpec();
}

LaunchSpec withSharedOptions(LaunchSpec next, const LaunchSpec &spec)
{
    const LaunchSpec defaults = defaultsOf(spec.launcher);
    const auto share = [&](auto LaunchSpec::*value) {
        if (spec.*value != defaults.*value)
            next.*value = spec.*value;
    };
    next.command = spec.command;
    next.name = spec.name;
    next.workDir = spec.workDir;
    next.environment = spec.environment;
    next.common = spec.common;
    next.nodes = spec.nodes;
    next.raiseOnFailure = spec.raiseOnFailure;
    share(&LaunchSpec::logDir);
    share(&LaunchSpec::graceSeconds);
    return next;
}

} // namespace rankdeck
