#include "agent/agent.h"
#include "agent/supervisor.h"
#include "commands.h"
#include "options.h"
#include "output.h"
#include "run/runretention.h"

#include <QCoreApplication>

namespace rankdeck
{

int superviseCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {}, 1);
    if (!options)
        return refuse(options.error());
    Supervisor supervisor(options->positional.first());
    QObject::connect(&supervisor, &Supervisor::finished, QCoreApplication::instance(),
                     &QCoreApplication::quit, Qt::QueuedConnection);
    if (const auto error = supervisor.start())
        return refuse(*error);
    const int code = QCoreApplication::exec();
    if (const auto deleted = deleteExpiredRuns(); !deleted)
        refuse(deleted.error());
    return code;
}

int agentCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {}, {}, 0);
    if (!options)
        return refuse(options.error());
    Agent agent;
    QObject::connect(&agent, &Agent::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                     Qt::QueuedConnection);
    agent.start();
    return QCoreApplication::exec();
}

} // namespace rankdeck
