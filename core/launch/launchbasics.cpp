#include "launch/launchbasics.h"

#include "launch/launchplan.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchbasics", text);
}

} // namespace

QString asFileName(QString name)
{
    for (QChar &letter : name) {
        if (letter == QLatin1Char('/') || letter.unicode() < 0x20 || letter.unicode() == 0x7f)
            letter = QLatin1Char('_');
    }
    return name.startsWith(QLatin1Char('.')) ? QLatin1Char('_') + name : name;
}

QString launchName(const LaunchSpec &spec)
{
    if (!spec.name.isEmpty())
        return asFileName(spec.name);
    const auto script =
        std::find_if(spec.command.begin() + 1, spec.command.end(),
                     [](const QString &argument) { return argument.endsWith(QLatin1String(".py")); });
    return asFileName(
        QFileInfo(script == spec.command.end() ? spec.command.first() : *script).completeBaseName());
}

QString absoluteLaunchPath(const QString &path, const HostFacts &facts)
{
    if (path.startsWith(QLatin1String(runDirectoryPlaceholder)))
        return path;
    return QDir::cleanPath(QDir(facts.currentDirectory).absoluteFilePath(path));
}

bool isVariableName(const QString &name)
{
    return !name.isEmpty() && !name.contains(QLatin1Char('=')) && !name.contains(QChar::Null);
}

std::optional<Error> problemWithBasics(const LaunchSpec &spec)
{
    if (spec.command.isEmpty() || spec.command.first().isEmpty())
        return Error{tr("there is no command to run"), QStringLiteral("command"),
                     tr("Give the program and its arguments, for example: python3 train.py.")};
    if (spec.graceSeconds < 0 || spec.graceSeconds > 3600)
        return Error{tr("%1 s is out of range").arg(spec.graceSeconds), QStringLiteral("--grace"),
                     tr("Give 0 to 3600 seconds.")};
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it) {
        if (!isVariableName(it.key()))
            return Error{tr("\"%1\" is not the name of a variable").arg(it.key()), QStringLiteral("--env"),
                         tr("Write NAME=VALUE.")};
    }
    return std::nullopt;
}

} // namespace rankdeck
