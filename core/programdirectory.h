#pragma once

#include <QFileInfo>
#include <QString>

namespace rankdeck
{

/// Folder of the running program, links resolved. Unlike QCoreApplication's, known before an application
/// exists.
inline QString programDirectory()
{
    return QFileInfo(QStringLiteral("/proc/self/exe")).canonicalPath();
}

} // namespace rankdeck
