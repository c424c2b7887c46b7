#include "agent/supervise/launcher.h"
#include "base/language.h"
#include "base/program.h"
#include "canvas/widget/framepacer.h"
#include "display.h"
#include "launch/nodes/planlaunch.h"
#include "mainwindow/window/mainwindow.h"
#include "ranktable/table/ranktablelocation.h"
#include "run/process/processsettings.h"
#include "run/process/unixsignals.h"
#include "splash.h"
#include "version.h"
#include "widgets/calmstyle.h"
#include "widgets/preferences.h"
#include "windowarguments.h"
#include "windowlanguage.h"

#include <QApplication>
#include <QFontInfo>

#include <cstdio>

namespace
{

using namespace rankdeck;

constexpr int unusableInput = 2;

int refuse(const Error &error)
{
    std::fprintf(stderr, "rankdeck: %s\n", qUtf8Printable(error.sentence()));
    return unusableInput;
}

QtMessageHandler usualHandler = nullptr;

/// Drops Qt's messages about each font and each piece of Arabic, Hindi or random bytes in a log: hundreds of
/// useless lines on the terminal.
void handleMessage(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if (!message.contains("OpenType support missing"_L1))
        usualHandler(type, context, message);
}

/// Starts `spec` now, before there is a window: through ssh building one takes seconds, and what holds a
/// connection to a display should start nothing. Returns the run directory; nothing if its rank table exists
/// but is not completed, because the window waits for that. Needs a QCoreApplication. Fails if nothing was
/// started.
std::optional<Result<QString>> launchEarly(const LaunchSpec &spec)
{
    const Result<HostFacts> facts = gatherLaunchFacts(spec, PortUse::Claim);
    if (!facts)
        return facts.error();
    if (!needsRankTable(spec)) {
        const Result<LaunchPlan> plan = planLaunch(spec, {}, {}, *facts);
        if (!plan)
            return plan.error();
        return startRun(spec, *plan);
    }
    const QString path = QFileInfo(rankTablePath(spec.rankTableFile, facts->environment)).absoluteFilePath();
    const Result<CheckReport> report = checkRankTableFile(path);
    if (!report && !QFileInfo::exists(path))
        return report.error();
    // A file that cannot be parsed may be half written: the wait handles that, and reports it if it stays so.
    // The window asks whether to launch a table with errors.
    if (!report || report->hasErrors() || !report->table.isCompleted())
        return {};
    const Result<LaunchPlan> plan = planLaunch(spec, report->table, path, *facts);
    if (!plan)
        return plan.error();
    return startRun(spec, *plan);
}

/// The first view of the window.
struct FirstView {
    QString run; ///< Directory; empty: none.
    bool launchedHere = false;
    QString replay;                   ///< A directory or a bundle; empty: none.
    std::optional<LaunchSpec> launch; ///< Waits for its rank table.
};

Result<FirstView> prepare(const WindowArguments &arguments)
{
    FirstView first;
    if (!arguments.attach.isEmpty()) {
        const Result<QString> run = findRun(arguments.attach);
        if (!run)
            return run.error();
        first.run = *run;
        return first;
    }
    if (!arguments.replay.isEmpty()) {
        const Result<QString> run = findRun(arguments.replay);
        if (!run && !QFileInfo::exists(arguments.replay))
            return run.error();
        first.replay = run ? *run : QFileInfo(arguments.replay).absoluteFilePath();
        return first;
    }
    first.launch = arguments.launch;
    if (arguments.demo) {
        const Result<LaunchSpec> spec = demoSpec(*arguments.demo);
        if (!spec)
            return spec.error();
        first.launch = *spec;
    }
    if (!first.launch)
        return first;
    if (const auto run = launchEarly(*first.launch)) {
        if (!*run)
            return run->error();
        // Printed before there is a window, so that the user can find the run if the window fails.
        std::fprintf(stderr, "rankdeck: started %s\n", qUtf8Printable(**run));
        first.run = **run;
        first.launchedHere = true;
        first.launch.reset();
    }
    return first;
}

} // namespace

int main(int argc, char *argv[])
{
    leaveLauncher(argv);
    dropForeignHandlers();
    usualHandler = qInstallMessageHandler(handleMessage);
    raiseLimits(); // Logs of many ranks may be open at once.
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QCoreApplication::setApplicationName(u"rankdeck"_s);
    QCoreApplication::setApplicationVersion(versionText());

    WindowArguments arguments;
    FirstView first;
    std::unique_ptr<Splash> splash;
    {
        // Only as long as the launch needs one: the window's comes after it.
        QCoreApplication early(argc, argv);
        installTranslations(*languageFromWord({}));
        const auto parsed = WindowArguments::parse(QCoreApplication::arguments().mid(1));
        if (!parsed)
            return refuse(parsed.error());
        arguments = *parsed;
        if (!arguments.language.isEmpty())
            installTranslations(arguments.language);
        if (arguments.help || arguments.version || arguments.listDemos) {
            const QString text = arguments.help      ? WindowArguments::usage()
                                 : arguments.version ? u"rankdeck "_s + versionText()
                                                     : WindowArguments::demoList();
            std::printf("%s\n", qUtf8Printable(text));
            return 0;
        }
        if (const auto error = missingDisplay())
            return refuse(*error);
        auto shown = Splash::show();
        if (!shown)
            return refuse(shown.error());
        splash = std::move(shown.value());
        const auto prepared = prepare(arguments);
        if (!prepared)
            return refuse(prepared.error());
        first = *prepared;
    }

    prepareDisplay(arguments.fastStart);
    const Preferences preferences = Preferences::load();
    const PackageFonts fonts;
    auto fontLanguage = std::make_unique<FontLanguage>(arguments.language, preferences.language);
    QApplication application(argc, argv);
    fonts.read();
    static_cast<void>(QFontInfo(QApplication::font()).family()); // Fontconfig reads its variables once.
    fontLanguage.reset();
    QApplication::setCursorFlashTime(0);
    QApplication::setStyle(new CalmStyle);
    QGuiApplication::setDesktopFileName(u"rankdeck"_s);
    installTranslations(windowLanguage(arguments.language, preferences.language));
    applyLook(preferences);

    setCanvasKind(arguments.canvas);
    TranslatedWindow translated;
    MainWindow &window = translated.window();
    if (splash) {
        FramePacer &pacer = FramePacer::instance();
        Q_EMIT pacer.answered({splash->roundTrip(), splash->roundTrip(), 0});
        // The display has the window's first look.
        QObject::connect(&pacer, &FramePacer::answered, &application, [&splash] { splash.reset(); });
    }
    window.show();
    if (!first.run.isEmpty())
        window.openRun(first.run, first.launchedHere);
    else if (!first.replay.isEmpty())
        window.openReplay(first.replay, arguments.speed);
    else if (!arguments.recorded.isEmpty())
        window.openRecorded(arguments.recorded);
    else if (!arguments.rankTable.isEmpty())
        window.openRankTable(arguments.rankTable);
    else if (first.launch)
        window.startLaunch(*first.launch);
    return QApplication::exec();
}
