#include "launchreading.h"

#include "launch/launchers.h"
#include "launch/launchprofile.h"
#include "launch/processesspec.h"
#include "run/runcatalog.h"
#include "run/runrecord.h"

#include <QCoreApplication>
#include <QFile>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchreading", text);
}

constexpr qint64 mostSpecBytes = 16 * 1024 * 1024;

Result<LaunchSpec> readSpecFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("the launch cannot be read: %1").arg(file.errorString()), path, {}};
    const QByteArray text = file.read(mostSpecBytes + 1);
    if (text.size() > mostSpecBytes)
        return Error{
            tr("this is too long for a launch: more than %1 MiB").arg(mostSpecBytes >> 20), path, {}};
    auto spec = processesSpecFromJson(text);
    if (spec)
        return spec;
    Error error = spec.error();
    error.where = error.where.isEmpty() ? path : QStringLiteral("%1: %2").arg(path, error.where);
    return error;
}

Result<LaunchSpec> specOfRun(const QString &name)
{
    const auto directory = findRun(name);
    if (!directory)
        return directory.error();
    const auto record = readRunRecord(*directory);
    return record ? Result<LaunchSpec>(record->spec) : Result<LaunchSpec>(record.error());
}

/// What is launched again, a profile or with --again a run, and options on top of it; a command replaces the
/// one it has.
Result<LaunchSpec> readKept(const QStringList &arguments, const QStringList &switches, QStringList &found)
{
    const QString again = QStringLiteral("--again");
    QStringList rest = arguments;
    while (!rest.isEmpty() && switches.contains(rest.first()))
        found << rest.takeFirst();
    const bool isRun = rest.value(0) == again;
    if (isRun)
        rest.removeFirst();
    if (rest.isEmpty() && isRun)
        return Error{tr("the run's name is missing"), again, tr("See rankdeckctl list.")};
    if (rest.isEmpty())
        return Error{tr("the profile's name is missing"),
                     {},
                     tr("There are: %1.").arg(profileNames().join(QLatin1String(", ")))};
    const QString name = rest.takeFirst();
    const auto kept = isRun ? specOfRun(name) : loadProfile(name);
    if (!kept)
        return kept.error();
    auto line = launcherCommandLine(kept->launcher);
    if (!line)
        return line.error();
    line->defaults = *kept;
    line->problem = nullptr;
    auto spec = line->parse(rest, switches, &found);
    if (spec && spec->command.isEmpty())
        spec->command = kept->command;
    return spec;
}

} // namespace

Result<LaunchSpec> readLaunch(const QString &launcher, const QStringList &arguments,
                              const QStringList &switches, QStringList &found)
{
    if (launcher == QLatin1String("run"))
        return readKept(arguments, switches, found);
    QStringList given;
    QStringList rest;
    for (const QString &argument : arguments)
        (switches.contains(argument) ? given : rest) << argument;
    if (launcher == QLatin1String("processes") && rest.size() == 1 &&
        rest.first().endsWith(QLatin1String(".json"))) {
        found << given;
        return readSpecFile(rest.first());
    }
    const auto line = launcherCommandLine(launcher);
    return line ? line->parse(arguments, switches, &found) : line.error();
}

} // namespace rankdeck
