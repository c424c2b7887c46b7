#include "version.h"

#include "commit.h" // Made by commit.cmake.

namespace rankdeck
{

QString versionText()
{
    const QString commit = QStringLiteral(RANKDECK_COMMIT);
    return QStringLiteral(RANKDECK_VERSION " (") + (commit.isEmpty() ? commit : commit + u", "_s) +
           QStringLiteral(RANKDECK_BUILD_DATE "), Qt %1").arg(QLatin1String(qVersion()));
}

} // namespace rankdeck
