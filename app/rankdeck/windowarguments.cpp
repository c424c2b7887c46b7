#include "windowarguments.h"

#include "base/language.h"
#include "base/nearestword.h"
#include "base/textcells.h"
#include "launch/exchange/torchrunimport.h"
#include "launch/options/launchers.h"
#include "launch/planning/launchbasics.h"
#include "run/replay/runreplay.h"
#include "windowoptions/windowoptions.h"

#include <QDir>

namespace rankdeck
{

static bool asksForHelp(const QStringList &arguments)
{
    return arguments.contains(QLatin1String("--help")) || arguments.contains(QLatin1String("-h"));
}

static QStringList allNames(const QList<WindowOption> &options)
{
    QStringList names;
    for (const WindowOption &option : options)
        names << option.names();
    return names;
}

static Result<double> speedFrom(const QString &text)
{
    bool isNumber = false;
    const double speed = text.toDouble(&isNumber);
    if (!isNumber || speed < ReplayClock::leastSpeed || speed > ReplayClock::mostSpeed)
        return Error{tr("this is no speed"), text, tr("Give a number from 1 to 1000.")};
    return speed;
}

Result<WindowArguments> WindowArguments::parse(const QStringList &arguments)
{
    const QList<WindowOption> options = windowOptions();
    WindowArguments parsed;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString &argument = arguments.at(at);
        const WindowOption *option = findOption(options, argument);
        const bool takesValue =
            option && !option->value.isEmpty() && !option->value.startsWith(QLatin1Char('['));
        if (takesValue && at + 1 == arguments.size())
            return Error{tr("needs a value"), argument, tr("See rankdeck --help.")};
        if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            parsed.help = true;
        } else if (argument == QLatin1String("--version") || argument == QLatin1String("-V")) {
            parsed.version = true;
        } else if (argument == QLatin1String("--demo")) {
            parsed.demo = Demo::Training;
            const QString word = arguments.value(at + 1, QStringLiteral("-"));
            if (!word.startsWith(QLatin1Char('-'))) {
                parsed.demo = demoFromWord(word);
                if (!parsed.demo)
                    return Error{tr("unknown demo"), word, tr("\"rankdeck --list-demos\" lists them.")};
                ++at;
            }
        } else if (argument == QLatin1String("--list-demos")) {
            parsed.listDemos = true;
        } else if (argument == QLatin1String("--fast-start")) {
            parsed.fastStart = true;
        } else if (argument == QLatin1String("--attach")) {
            parsed.attach = arguments.at(++at);
        } else if (argument == QLatin1String("--open")) {
            parsed.recorded = QDir(arguments.at(++at)).absolutePath();
        } else if (argument == QLatin1String("--replay")) {
            parsed.replay = arguments.at(++at);
        } else if (argument == QLatin1String("--speed")) {
            const auto speed = speedFrom(arguments.at(++at));
            if (!speed)
                return speed.error();
            parsed.speed = *speed;
        } else if (argument == QLatin1String("--rank-table")) {
            parsed.rankTable = arguments.at(++at);
        } else if (argument == QLatin1String("--lang")) {
            const auto language = languageFromWord(arguments.at(++at));
            if (!language)
                return language.error();
            parsed.language = *language;
        } else if (argument == QLatin1String("--canvas")) {
            const QString &kind = arguments.at(++at);
            if (kind == QLatin1String("raster"))
                parsed.canvas = CanvasKind::Raster;
            else if (kind == QLatin1String("glyphs"))
                parsed.canvas = CanvasKind::Glyphs;
            else if (kind == QLatin1String("bitmaps"))
                parsed.canvas = CanvasKind::Bitmaps;
            else
                return Error{tr("unknown canvas"), kind, tr("Give raster, glyphs or bitmaps.")};
        } else if (const auto line = launcherCommandLine(argument)) {
            // The rest is the launcher's, its command's own options included.
            const auto spec = line->parse(arguments.mid(at + 1));
            if (!spec && asksForHelp(arguments)) {
                parsed.help = true; // It says where the launcher's is.
                return parsed;
            }
            if (!spec)
                return spec.error();
            parsed.launch = withAbsolutePaths(*spec, HostFacts::gather());
            break;
        } else if (argument == QLatin1String("torchrun")) {
            const auto torchrun =
                readTorchrunLaunch(arguments.mid(at + 1), QProcessEnvironment::systemEnvironment());
            if (!torchrun && asksForHelp(arguments)) {
                parsed.help = true;
                return parsed;
            }
            if (!torchrun)
                return torchrun.error();
            parsed.launch = withAbsolutePaths(torchrun->spec, HostFacts::gather());
            break;
        } else if (const QFileInfo file(argument); file.exists()) {
            // As file managers name what they open.
            (file.suffix() == QLatin1String("json") ? parsed.rankTable : parsed.recorded) =
                file.absoluteFilePath();
        } else if (asksForHelp(arguments)) {
            parsed.help = true;
            return parsed;
        } else {
            return Error{tr("unknown option, launcher or file"), argument,
                         didYouMean(argument, allNames(options), tr("See rankdeck --help."))};
        }
    }
    if (int(parsed.demo.has_value()) + int(!parsed.replay.isEmpty()) + int(!parsed.attach.isEmpty()) +
            int(!parsed.recorded.isEmpty()) + int(!parsed.rankTable.isEmpty()) +
            int(parsed.launch.has_value()) >
        1)
        return Error{
            tr("more than one of --attach, --open, --replay, --demo, --rank-table and a launch was given"),
            {},
            tr("Use one of them.")};
    return parsed;
}

QString WindowArguments::demoList()
{
    constexpr int column = 12;
    QStringList lines;
    for (const DemoEntry &entry : demos())
        lines << filled(entry.word, column) + entry.summary;
    return lines.join(QLatin1Char('\n'));
}

QString WindowArguments::usage()
{
    constexpr int width = 80;
    constexpr int column = 22;
    QString text = tr("Usage: rankdeck [OPTIONS] [PATH | LAUNCHER…]\n\n"
                      "Opens the window. With a launch, starts it and shows it.\n"
                      "PATH is a rank table (FILE.json), a directory of logs, a log, or a report\n"
                      "bundle.\n"
                      "LAUNCHER is davincirun, msrun, torchrun or processes with its options and\n"
                      "command; \"rankdeckctl LAUNCHER --help\" lists them.\n\n"
                      "Options:\n");
    for (const WindowOption &option : windowOptions()) {
        const QString left = (option.name + QLatin1Char(' ') + option.value).trimmed();
        text += filled(QStringLiteral("  ") + left, column) +
                brokenLines(option.help, width - column, width - column)
                    .join(QLatin1Char('\n') + QString(column, QLatin1Char(' '))) +
                QLatin1Char('\n');
    }
    return text.trimmed();
}

} // namespace rankdeck
