#pragma once

#include "launch/launchcommandline.h"
#include "result.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// "davincirun", "msrun", "processes".
QStringList launcherNames();

/// Of the launcher called `name`. Error: there is none.
Result<LaunchCommandLine> launcherCommandLine(const QString &name);

} // namespace rankdeck
