#include "launchform/shownpath.h"

#include "launch/launchplan.h"

#include <QCoreApplication>

namespace rankdeck
{

QString shownPath(const QString &path)
{
    const QLatin1String placeholder(runDirectoryPlaceholder);
    if (!path.startsWith(placeholder))
        return path;
    return QCoreApplication::translate("rankdeck::LaunchForm", "(run directory)") +
           path.mid(placeholder.size());
}

} // namespace rankdeck
