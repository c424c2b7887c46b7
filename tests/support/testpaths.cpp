#include "support/testpaths.h"

namespace rankdeck
{

QString sourcePath(const char *name)
{
    return QStringLiteral(RANKDECK_SOURCE_DIR "/") + QLatin1String(name);
}

QString buildPath(const char *name)
{
    return QStringLiteral(RANKDECK_BUILD_DIR "/") + QLatin1String(name);
}

} // namespace rankdeck
