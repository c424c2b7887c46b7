#include "launch/launchers.h"

#include "launch/davinciruncommandline.h"
#include "launch/msruncommandline.h"
#include "launch/processescommandline.h"

#include <QCoreApplication>

namespace rankdeck
{

QStringList launcherNames()
{
    return {QStringLiteral("davincirun"), QStringLiteral("msrun"), QStringLiteral("processes")};
}

Result<LaunchCommandLine> launcherCommandLine(const QString &name)
{
    if (name == QLatin1String("davincirun"))
        return davincirunCommandLine();
    if (name == QLatin1String("msrun"))
        return msrunCommandLine();
    if (name == QLatin1String("processes"))
        return processesCommandLine();
    return Error{QCoreApplication::translate("launchers", "there is no launcher \"%1\"").arg(name),
                 QStringLiteral("launcher"),
                 QCoreApplication::translate("launchers", "Use davincirun, msrun or processes.")};
}

} // namespace rankdeck
