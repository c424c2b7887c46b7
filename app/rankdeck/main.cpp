#include "calmstyle.h"
#include "canvas/framepacer.h"
#include "display.h"
#include "earlylaunch.h"
#include "launch/demolaunch.h"
#include "mainwindow/mainwindow.h"
#include "run/runcatalog.h"
#include "splash.h"
#include "translations.h"
#include "windowarguments.h"

#include <QApplication>

#include <cstdio>
#include <memory>

namespace
{

using namespace rankdeck;

constexpr int unusableInput = 2;

int refuse(const Error &error)
{
    std::fprintf(stderr, "rankdeck: %s\n", qUtf8Printable(error.sentence()));
    return unusableInput;
}

/// What the window shows first.
struct FirstView {
    QString run; ///< Directory; empty: none.
    bool launchedHere = false;
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
        // Told before there is a window, so that the run can be found again should none come.
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
    QCoreApplication::setOrganizationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationVersion(QStringLiteral(RANKDECK_VERSION));

    WindowArguments arguments;
    FirstView first;
    {
        // Only as long as the launch needs one: the window's comes after it.
        const QCoreApplication early(argc, argv);
        const auto parsed = WindowArguments::parse(QCoreApplication::arguments().mid(1));
        if (!parsed)
            return refuse(parsed.error());
        arguments = *parsed;
        if (arguments.help || arguments.version) {
            const QString text = arguments.help
                                     ? WindowArguments::usage()
                                     : QStringLiteral("rankdeck %1").arg(QStringLiteral(RANKDECK_VERSION));
            std::printf("%s\n", qUtf8Printable(text));
            return 0;
        }
        if (const auto error = missingDisplay())
            return refuse(*error);
        const auto prepared = prepare(arguments);
        if (!prepared)
            return refuse(prepared.error());
        first = *prepared;
    }

    std::unique_ptr<Splash> splash = Splash::show();
    prepareDisplay(arguments.fastStart);
    QApplication application(argc, argv);
    QApplication::setCursorFlashTime(0);
    QApplication::setStyle(new CalmStyle);
    QGuiApplication::setDesktopFileName(QStringLiteral("rankdeck"));
    installTranslations(application, arguments.language);

    setCanvasKind(arguments.canvas);
    MainWindow window;
    if (splash) {
        FramePacer &pacer = FramePacer::instance();
        Q_EMIT pacer.answered({splash->roundTrip(), splash->roundTrip(), 0});
        // The display has the window's first look.
        QObject::connect(&pacer, &FramePacer::answered, &application, [&splash] { splash.reset(); });
    }
    window.show();
    if (!first.run.isEmpty())
        window.openRun(first.run, first.launchedHere);
    else if (!arguments.recorded.isEmpty())
        window.openRecorded(arguments.recorded);
    else if (!arguments.rankTable.isEmpty())
        window.openRankTable(arguments.rankTable);
    else if (first.launch)
        window.startLaunch(*first.launch);
    return QApplication::exec();
}
