#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <QProcessEnvironment>
#include <QString>

#include <optional>

namespace rankdeck
{

/// The script that a command hands to Python or a shell, as it stands there; empty: none, or another program,
/// whose arguments are its own business.
QString scriptOf(const QStringList &argv);

/// Whether the script of `process`, which has this PATH, is there. Error: it is not.
std::optional<Error> problemWithScript(const ProcessPlan &process, const QString &searchPath);

/// What a node must have beside the programs of its share: their scripts, the modules that Python is to run
/// (asked of that Python, which may take seconds), and the virtual environment that the launch was started
/// in, without which a program of the same name would be another one. Where a hook runs before, scripts and
/// modules may be its to bring.
std::optional<Error> problemWithScripts(const LaunchPlan &share, const QProcessEnvironment &environment);

} // namespace rankdeck
