#include "launchhelp.h"

#include "launch/launchers.h"
#include "launchrun.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchhelp", text);
}

QString about(const QString &launcher)
{
    if (launcher == QLatin1String("davincirun"))
        return tr(
            "Usage: rankdeckctl davincirun [options] COMMAND…\n\n"
            "Waits for the rank table, converts it, starts COMMAND once for each device of this node, and\n"
            "waits. Exits with the first failed rank's code.\n");
    if (launcher == QLatin1String("msrun"))
        return tr(
            "Usage: rankdeckctl msrun [options] SCRIPT…\n\n"
            "Starts the scheduler, where this node is the master, and the workers of this node, as msrun\n"
            "does. SCRIPT is a .py file, or python, python3 or pytest with its arguments. Without\n"
            "--join=True the run's name is printed at once and the run is watched in the background; else\n"
            "this waits and exits with the first failed rank's code.\n");
    if (launcher == QLatin1String("run"))
        return tr(
            "Usage: rankdeckctl run PROFILE [options] [COMMAND…]\n"
            "       rankdeckctl run --again RUN [options] [COMMAND…]\n\n"
            "Launches what a profile holds, or what a run was, in its working directory and with the\n"
            "environment of today; options of its launcher and a command given here win over its own.\n"
            "PROFILE is a name of rankdeckctl profile list, or a file; RUN is one of rankdeckctl list.\n");
    return tr(
        "Usage: rankdeckctl processes [options] -- COMMAND…\n"
        "       rankdeckctl processes SPEC.json\n\n"
        "Starts COMMAND once for each local rank with the environment that torchrun gives it, and waits.\n"
        "${local_rank} in an argument is the local rank. SPEC.json may name arguments and variables by\n"
        "local rank. Exits with the code of the rank whose failure came first.\n");
}

} // namespace

QString launchHelp(const QString &launcher)
{
    const auto line = launcherCommandLine(launcher);
    return about(launcher) + QLatin1Char('\n') + (line ? line->help() : QString()) + LaunchSwitches::help();
}

} // namespace rankdeck
