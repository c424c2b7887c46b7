#include "windowarguments.h"

#include "base/language.h"
#include "base/nearestword.h"
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
    return arguments.contains("--help"_L1) || arguments.contains("-h"_L1);
}

static Result<double> speedFrom(const QString &text)
{
    bool isNumber = false;
    const double speed = text.toDouble(&isNumber);
    if (!isNumber || speed < ReplayClock::leastSpeed || speed > ReplayClock::mostSpeed)
        return Error{tr("this is no speed"), text, tr("Give a number from 1 to 1000.")};
    return speed;
}

static Result<CanvasKind> canvasFrom(const QString &kind)
{
    if (kind == "raster"_L1)
        return CanvasKind::Raster;
    if (kind == "glyphs"_L1)
        return CanvasKind::Glyphs;
    if (kind == "bitmaps"_L1)
        return CanvasKind::Bitmaps;
    return Error{tr("unknown canvas"), kind, tr("Give raster, glyphs or bitmaps.")};
}

/// Puts the values of the options into `parsed`.
static std::optional<Error> takeOptions(const Options &options, WindowArguments &parsed)
{
    parsed.listDemos = parsed.listDemos || options.has("--list-demos");
    parsed.fastStart = parsed.fastStart || options.has("--fast-start");
    const auto takeText = [&](const char *name, QString &text) {
        if (options.hasValue(name))
            text = options.value(name);
    };
    takeText("--attach", parsed.attach);
    takeText("--replay", parsed.replay);
    takeText("--rank-table", parsed.rankTable);
    if (options.hasValue("--open"))
        parsed.recorded = QDir(options.value("--open")).absolutePath();
    if (options.hasValue("--demo")) {
        const QString word = options.value("--demo");
        parsed.demo = word.isEmpty() ? Demo::Training : demoFromWord(word);
        if (!parsed.demo)
            return Error{tr("unknown demo"), word, tr("\"rankdeck --list-demos\" lists them.")};
    }
    std::optional<Error> problem;
    const auto take = [&](const char *name, const auto &read, auto &value) {
        if (problem || !options.hasValue(name))
            return;
        if (const auto result = read(options.value(name)))
            value = *result;
        else
            problem = result.error();
    };
    take("--speed", speedFrom, parsed.speed);
    take("--lang", languageFromWord, parsed.language);
    take("--canvas", canvasFrom, parsed.canvas);
    return problem;
}

/// Reads a launch with the options of its launcher, those of its command included.
static Result<LaunchSpec> readWindowLaunch(const QString &launcher, const QStringList &arguments)
{
    if (const auto line = launcherCommandLine(launcher))
        return line->parse(arguments);
    const auto torchrun = readTorchrunLaunch(arguments, QProcessEnvironment::systemEnvironment());
    return torchrun ? Result<LaunchSpec>(torchrun->spec) : Result<LaunchSpec>(torchrun.error());
}

Result<WindowArguments> WindowArguments::parse(const QStringList &arguments)
{
    const OptionSyntax syntax{u"rankdeck"_s, u"[PATH|LAUNCHER…]"_s, windowOptions(),
                              ArgumentStyle::CommandLine};
    WindowArguments parsed;
    for (QStringList rest = arguments; !rest.isEmpty();) {
        const auto options = parseOptions(syntax, rest);
        if (!options)
            return options.error();
        parsed.help = parsed.help || options->asksForHelp;
        parsed.version = parsed.version || options->asksForVersion;
        if (const auto error = takeOptions(*options, parsed))
            return *error;
        if (options->positional.isEmpty())
            break;
        const QString word = options->positional.first();
        rest = options->positional.mid(1);
        if (launcherWords().contains(word)) {
            const auto spec = readWindowLaunch(word, rest);
            parsed.help = parsed.help || (!spec && asksForHelp(rest)); // It says where the launcher's is.
            if (!spec && !parsed.help)
                return spec.error();
            if (spec)
                parsed.launch = withAbsolutePaths(*spec, HostFacts::gather());
            break;
        }
        if (const QFileInfo file(word); file.exists()) {
            // As file managers name what they open.
            (file.suffix() == "json"_L1 ? parsed.rankTable : parsed.recorded) = file.absoluteFilePath();
        } else {
            parsed.help = parsed.help || asksForHelp(rest);
            if (!parsed.help)
                return Error{tr("unknown option, launcher or file"), word,
                             didYouMean(word, launcherWords(), tr("See rankdeck --help."))};
            break;
        }
    }
    if (parsed.help)
        return parsed;
    const auto given = {parsed.demo.has_value(),    !parsed.replay.isEmpty(),    !parsed.attach.isEmpty(),
                        !parsed.recorded.isEmpty(), !parsed.rankTable.isEmpty(), parsed.launch.has_value()};
    if (std::ranges::count(given, true) > 1)
        return Error{
            tr("more than one of --attach, --open, --replay, --demo, --rank-table and a launch was given"),
            {},
            tr("Use one of them.")};
    return parsed;
}

QString WindowArguments::demoList()
{
    constexpr int column = 12;
    const QStringList lines =
        listOf(demos(), [&](const DemoEntry &entry) { return filled(entry.word, column) + entry.summary; });
    return lines.join('\n'_L1);
}

QString WindowArguments::usage()
{
    constexpr int width = 80;
    constexpr int column = 22;
    QString text = tr("Usage: rankdeck [OPTIONS] [PATH | LAUNCHER…]\n\n"
                      "Opens the window. With a launch, starts it and shows it.\n"
                      "PATH is a rank table (FILE.json), a directory of logs, a log, or a report\n"
                      "bundle.\n"
                      "LAUNCHER is %1 with its options\n"
                      "and command; \"rankdeckctl LAUNCHER --help\" lists them.\n\n"
                      "Options:\n")
                       .arg(anyOf(launcherWords()));
    for (const CommandOption &option : windowOptions()) {
        const QString left = (option.name + ' '_L1 + option.value).trimmed();
        text +=
            filled(u"  "_s + left, column) +
            brokenLines(option.help, width - column, width - column).join('\n'_L1 + QString(column, ' '_L1)) +
            '\n'_L1;
    }
    return text.trimmed();
}

} // namespace rankdeck
