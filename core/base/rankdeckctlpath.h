#pragma once

#include "base/result.h"

#include <QFileInfo>
#include <QString>

namespace rankdeck
{

/// Returns the folder of the running program, links resolved. Unlike QCoreApplication's, known before an
/// application exists.
inline QString programDirectory()
{
    return QFileInfo(QStringLiteral("/proc/self/exe")).canonicalPath();
}

/// Finds the program rankdeckctl, which is the supervisor and agent of runs: $RANKDECK_CTL, else beside this
/// program, else where it was installed, else in PATH.
Result<QString> rankdeckctlPath();

} // namespace rankdeck
