#include "launch/processesspec.h"

#include "json.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("processesSpec", text);
}

} // namespace

LaunchSpec processesDefaults()
{
    LaunchSpec spec;
    spec.launcher = QStringLiteral("processes");
    spec.logDir.clear();
    spec.graceSeconds = 30;
    return spec;
}

Result<LaunchSpec> processesSpecFromJson(const QByteArray &text)
{
    auto json = parseJson(text);
    if (!json)
        return Error{tr("this is not JSON"), {}, {}};
    if (json->is_object()) {
        const LaunchSpec defaults = processesDefaults();
        const auto setUnlessSet = [&](const char *key, nlohmann::json value) {
            if (!json->contains(key))
                (*json)[key] = std::move(value);
        };
        setUnlessSet("launcher", defaults.launcher);
        setUnlessSet("log_dir", defaults.logDir);
        setUnlessSet("grace", defaults.graceSeconds);
    }
    auto spec = launchSpecFromJson(*json);
    if (spec && spec->launcher != QLatin1String("processes"))
        return Error{tr("this launch is for the launcher \"%1\"").arg(spec->launcher),
                     QStringLiteral("launcher"), tr("Write \"processes\", or leave it out.")};
    return spec;
}

} // namespace rankdeck
