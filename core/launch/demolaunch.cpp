#include "launch/demolaunch.h"

#include "programdirectory.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

namespace rankdeck
{

Result<QString> resourcesDirectory()
{
    const QString given = qEnvironmentVariable("RANKDECK_RESOURCES");
    const QStringList places =
        given.isEmpty()
            ? QStringList{QDir::cleanPath(programDirectory() + QStringLiteral("/../share/rankdeck")),
                          QStringLiteral(RANKDECK_SOURCE_RESOURCES)}
            : QStringList{given};
    for (const QString &place : places) {
        if (QFile::exists(place + QStringLiteral("/demo/train.py")))
            return place;
    }
    return Error{QCoreApplication::translate("demo", "the demo's files are not there"),
                 places.join(QLatin1String(", ")),
                 QCoreApplication::translate("demo", "Install Rankdeck whole, or set RANKDECK_RESOURCES.")};
}

std::optional<Demo> demoFromWord(const QString &word)
{
    return word == QLatin1String("debug") ? std::optional(Demo::Debug) : std::nullopt;
}

Result<LaunchSpec> demoSpec(Demo demo)
{
    const auto resources = resourcesDirectory();
    if (!resources)
        return resources.error();
    LaunchSpec spec;
    const QString folder = *resources + QStringLiteral("/demo/");
    if (demo == Demo::Debug) {
        spec.name = QStringLiteral("demo-debug");
        spec.command = {QStringLiteral("python3"), folder + QStringLiteral("debug.py")};
        spec.common.terminals = QStringLiteral("all");
    } else {
        spec.name = QStringLiteral("demo");
        spec.command = {QStringLiteral("python3"), folder + QStringLiteral("train.py"),
                        QStringLiteral("--steps"), QStringLiteral("600")};
    }
    spec.rankTableFile = *resources + QStringLiteral("/demo/rank_table.json");
    spec.convertedRankTable = QString::fromLatin1("{run}/rank_table");
    spec.logDir.clear();
    spec.workDir = QDir::homePath();
    return spec;
}

} // namespace rankdeck
