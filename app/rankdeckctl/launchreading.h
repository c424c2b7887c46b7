#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QStringList>

namespace rankdeck
{

/// A launch from what follows its launcher's name: the launcher's command line; for "processes" also a file
/// of its options, "SPEC.json" alone; for "run" a profile, or "--again" and a run.
/// @param switches the front end's; those given are added to `found`.
Result<LaunchSpec> readLaunch(const QString &launcher, const QStringList &arguments,
                              const QStringList &switches, QStringList &found);

} // namespace rankdeck
