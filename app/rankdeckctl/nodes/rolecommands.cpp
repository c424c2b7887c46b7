#include "agent/node/agent.h"
#include "agent/supervise/lostrun.h"
#include "agent/supervise/supervisor.h"
#include "rankdeckctl/console/commands.h"
#include "run/record/rundeletion.h"

#include <unistd.h>

namespace rankdeck
{

int superviseCommand(const Options &options)
{
    Supervisor supervisor(options.positional.first(), guardianOfThisProcess());
    QObject::connect(&supervisor, &Supervisor::finished, QCoreApplication::instance(),
                     &QCoreApplication::quit, Qt::QueuedConnection);
    if (const auto error = supervisor.start())
        return refuse(*error);
    const int code = QCoreApplication::exec();
    if (const auto deleted = deleteExpiredRuns(); !deleted)
        refuse(deleted.error());
    return code;
}

int lostRunCommand(const QStringList &arguments, const GuardedProcess &supervisor)
{
    const int code = supervisor.status.shellCode();
    if (arguments.size() != 1)
        return code; // The supervisor has reported it.
    LostRun run(arguments.first(), supervisor);
    QObject::connect(&run, &LostRun::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                     Qt::QueuedConnection);
    run.start();
    QCoreApplication::exec();
    return code;
}

int lostAgentCommand(const GuardedProcess &agent)
{
    // The agent no longer answers for the node: the reader of these streams must notice now.
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    const UnixSignals signals({SIGCHLD, SIGTERM, SIGINT, SIGHUP});
    StrayKiller killer;
    QObject::connect(&signals, &UnixSignals::received, &killer, [&](int number) {
        if (number == SIGCHLD)
            killer.childEnded();
    });
    QObject::connect(&killer, &StrayKiller::done, QCoreApplication::instance(), &QCoreApplication::quit,
                     Qt::QueuedConnection);
    killer.start();
    QCoreApplication::exec();
    return agent.status.shellCode();
}

int agentCommand(const Options &options)
{
    if (options.hasValue(rejoinOption.data()))
        return rejoinAgent(options.value(rejoinOption.data()));
    Agent agent(options.has(guardedOption.data()));
    QObject::connect(&agent, &Agent::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                     Qt::QueuedConnection);
    agent.start();
    return QCoreApplication::exec();
}

} // namespace rankdeck
