#include "launch/launchexport.h"

#include "launch/commandline.h"
#include "launch/launchers.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchExport", text);
}

/// "A=1 B='x y' " in front of a command.
QString assignments(const QMap<QString, QString> &variables)
{
    QString text;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        text += it.key() + QLatin1Char('=') + joinCommandLine({it.value()}) + QLatin1Char(' ');
    return text;
}

/// The options that only Rankdeck has, as they are written; taken out of `spec`.
QStringList takeOwnOptions(LaunchSpec &spec, const LaunchCommandLine &line)
{
    LaunchSpec bare = line.defaults;
    bare.name = spec.name;
    bare.workDir = spec.workDir;
    bare.graceSeconds = spec.graceSeconds;
    bare.raiseOnFailure = spec.raiseOnFailure;
    bare.common = spec.common;
    // msrun binds cpus itself.
    if (spec.launcher == QLatin1String("msrun"))
        bare.common.bindCore = line.defaults.common.bindCore;
    const QStringList own = line.arguments(bare);
    const QString bindCore = spec.common.bindCore;
    spec.name = line.defaults.name;
    spec.workDir = line.defaults.workDir;
    spec.graceSeconds = line.defaults.graceSeconds;
    spec.raiseOnFailure = line.defaults.raiseOnFailure;
    spec.common = line.defaults.common;
    if (spec.launcher == QLatin1String("msrun"))
        spec.common.bindCore = bindCore;
    return own;
}

/// torchrun starts Python by itself.
QStringList torchrunCommand(const QStringList &command)
{
    const bool isPython =
        command.value(0) == QLatin1String("python3") || command.value(0) == QLatin1String("python");
    QStringList rest = command.mid(1);
    if (isPython && rest.value(0) == QLatin1String("-u"))
        rest.removeFirst();
    if (isPython && (rest.value(0) == QLatin1String("-m") || !rest.value(0).startsWith(QLatin1Char('-'))))
        return rest;
    return QStringList{QStringLiteral("--no_python")} + command;
}

} // namespace

QString exportCommandLine(const LaunchSpec &spec)
{
    const auto line = launcherCommandLine(spec.launcher);
    if (!line)
        return {};
    return joinCommandLine(QStringList{QStringLiteral("rankdeckctl"), spec.launcher} + line->arguments(spec));
}

PeerCommandLine exportPeerCommandLine(const LaunchSpec &spec)
{
    const auto line = launcherCommandLine(spec.launcher);
    if (!line)
        return {};
    PeerCommandLine exported;
    LaunchSpec bare = spec;
    const QStringList own = takeOwnOptions(bare, *line);
    const QString variables = assignments(bare.environment);
    bare.environment.clear();
    QStringList words;
    if (spec.launcher == QLatin1String("davincirun")) {
        LaunchSpec options = bare;
        options.command.clear();
        const QStringList left = line->arguments(options);
        if (!left.isEmpty())
            exported.notes << tr("davincirun has no %1.").arg(joinCommandLine(left));
        words = QStringList{QStringLiteral("davincirun")} + bare.command;
    } else if (spec.launcher == QLatin1String("msrun")) {
        words = QStringList{QStringLiteral("msrun")} + line->arguments(bare);
    } else {
        const QStringList command = torchrunCommand(bare.command);
        bare.command.clear();
        QStringList options = line->arguments(bare);
        for (QString &option : options) {
            const auto equals = option.indexOf(QLatin1Char('='));
            QString name =
                option.left(equals).replace(QLatin1String("--nproc"), QLatin1String("--nproc_per_node"));
            name = QStringLiteral("--") + name.mid(2).replace(QLatin1Char('-'), QLatin1Char('_'));
            option = name + (equals < 0 ? QString() : option.mid(equals));
        }
        if (!bare.processes.args.isEmpty() || !bare.processes.envs.isEmpty())
            exported.notes << tr("torchrun has no arguments or variables by local rank.");
        words = QStringList{QStringLiteral("torchrun")} + options + command;
    }
    if (!own.isEmpty())
        exported.notes << tr("Only Rankdeck has %1.").arg(joinCommandLine(own));
    exported.line = variables + joinCommandLine(words);
    return exported;
}

} // namespace rankdeck
