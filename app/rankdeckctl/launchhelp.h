#pragma once

#include <QString>

namespace rankdeck
{

/// What `rankdeckctl LAUNCHER --help` prints.
QString launchHelp(const QString &launcher);

} // namespace rankdeck
