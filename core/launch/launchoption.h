#pragma once

#include <QString>

#include <span>

namespace rankdeck
{

/// An option of a launcher's command line.
struct LaunchOption {
    const char *name;
    const char *value; ///< What --help calls its value; null for a switch.
    const char *help;
};

/// Null when there is none of this name.
const LaunchOption *findLaunchOption(std::span<const LaunchOption> options, const QString &name);

/// The options, one a line, for --help; `context` is that of the translations.
QString launchOptionsHelp(std::span<const LaunchOption> options, const char *context);

} // namespace rankdeck
