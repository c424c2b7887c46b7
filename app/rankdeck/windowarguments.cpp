#include "windowarguments.h"

#include "launch/exchange/launchimport.h"
#include "launch/options/launchers.h"
#include "launch/planning/launchbasics.h"

#include <QDir>

namespace rankdeck
{

Result<WindowArguments> WindowArguments::parse(const QStringList &arguments)
{
    WindowArguments parsed;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const QString &argument = arguments.at(at);
        const bool takesValue = argument == QLatin1String("--attach") ||
                                argument == QLatin1String("--open") || argument == QLatin1String("--lang") ||
                                argument == QLatin1String("--rank-table") ||
                                argument == QLatin1String("--canvas");
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
                    return Error{tr("unknown demo"), word,
                                 tr("Give --demo alone, --demo debug or --demo collective.")};
                ++at;
            }
        } else if (argument == QLatin1String("--fast-start")) {
            parsed.fastStart = true;
        } else if (argument == QLatin1String("--attach")) {
            parsed.attach = arguments.at(++at);
        } else if (argument == QLatin1String("--open")) {
            parsed.recorded = QDir(arguments.at(++at)).absolutePath();
        } else if (argument == QLatin1String("--rank-table")) {
            parsed.rankTable = arguments.at(++at);
        } else if (argument == QLatin1String("--lang")) {
            parsed.language = arguments.at(++at);
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
            if (!spec)
                return spec.error();
            parsed.launch = withAbsolutePaths(*spec, HostFacts::gather());
            break;
        } else if (argument == QLatin1String("torchrun")) {
            const auto torchrun =
                readTorchrunLaunch(arguments.mid(at + 1), QProcessEnvironment::systemEnvironment());
            if (!torchrun)
                return torchrun.error();
            parsed.launch = withAbsolutePaths(torchrun->spec, HostFacts::gather());
            break;
        } else if (const QFileInfo file(argument); file.exists()) {
            // As file managers name what they open.
            (file.suffix() == QLatin1String("json") ? parsed.rankTable : parsed.recorded) =
                file.absoluteFilePath();
        } else {
            return Error{tr("unknown option, launcher or file"), argument, tr("See rankdeck --help.")};
        }
    }
    if (int(parsed.demo.has_value()) + int(!parsed.attach.isEmpty()) + int(!parsed.recorded.isEmpty()) +
            int(!parsed.rankTable.isEmpty()) + int(parsed.launch.has_value()) >
        1)
        return Error{tr("more than one of --attach, --open, --demo, --rank-table and a launch was given"),
                     {},
                     tr("Use one of them.")};
    return parsed;
}

QString WindowArguments::usage()
{
    return tr(
        "Usage: rankdeck [--lang LANGUAGE] [--canvas KIND] [--fast-start]\n"
        "                [PATH | --attach RUN | --open PATH | --demo [DEMO] | --rank-table FILE |\n"
        "                davincirun [options] COMMAND… | msrun [options] SCRIPT… |\n"
        "                torchrun [options] SCRIPT… | processes [options] -- COMMAND…]\n\n"
        "Opens the window; with a launch, starts it and shows it.\n\n"
        "  PATH              the same as --rank-table for a file whose name ends in .json, else as --open\n"
        "  --attach RUN      show a run: its name, a unique part of its beginning or end, or \"last\"\n"
        "  --open PATH       show the logs that any launcher left: a directory, or one log with the output "
        "of\n"
        "                    all ranks; or a report bundle (FILE.tar.gz)\n"
        "  --demo            start and show the built-in demo; it needs no device\n"
        "  --demo debug      the same of eight ranks that stop in their debugger, each with a terminal\n"
        "  --demo collective the same of eight ranks that show how ranks, groups and collectives behave\n"
        "  --rank-table FILE show a rank table and what is wrong with it\n"
        "  --lang LANGUAGE   the window's language, such as zh or en; else the system's\n"
        "  --canvas KIND     who draws logs and devices: raster (this program, pixels are sent), glyphs "
        "(the\n"
        "                    X server) or bitmaps (this program without smoothing, bits are sent); else, "
        "where\n"
        "                    the display is reached through a network, glyphs if it can, or bitmaps\n"
        "  --fast-start      ask a display across a network 15 things less, which saves as many round trips; "
        "then\n"
        "                    several screens are taken for one, and the wheel scrolls in whole notches\n"
        "  -V, --version     print the version, its commit and that of Qt\n\n"
        "rankdeckctl LAUNCHER --help lists a launcher's options.");
}

} // namespace rankdeck
