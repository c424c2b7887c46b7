#include "launch/launchoption.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

const LaunchOption *findLaunchOption(std::span<const LaunchOption> options, const QString &name)
{
    const auto found = std::find_if(options.begin(), options.end(), [&](const LaunchOption &option) {
        return name == QLatin1String(option.name);
    });
    return found == options.end() ? nullptr : &*found;
}

QString launchOptionsHelp(std::span<const LaunchOption> options, const char *context)
{
    QString help;
    for (const LaunchOption &option : options) {
        const QString usage = option.value ? QStringLiteral("%1 %2").arg(QLatin1String(option.name),
                                                                         QLatin1String(option.value))
                                           : QLatin1String(option.name);
        help += QStringLiteral("  %1 %2\n")
                    .arg(usage, -30)
                    .arg(QCoreApplication::translate(context, option.help));
    }
    return help;
}

} // namespace rankdeck
