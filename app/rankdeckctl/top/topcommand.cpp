#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/top/topview.h"

#include <QElapsedTimer>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int drawMs = 250; ///< Between two drawings for what the run does, at least.
constexpr int clockMs = 1000;

/// Returns the run that is shown first; empty: the list of runs.
Result<QString> firstRun(const QString &name)
{
    if (!name.isEmpty())
        return findRun(name);
    const QList<RunSummary> runs = RunSummaries().read();
    const auto live = std::ranges::count_if(runs, [](const RunSummary &run) { return isLive(run.phase); });
    return live == 1 || runs.size() == 1 ? runs.first().directory : QString();
}

int show(FullScreen &terminal, TopView &view)
{
    QElapsedTimer sinceDrawn;
    QTimer soon;
    QTimer clock;
    const auto draw = [&] {
        soon.stop();
        terminal.draw(view.lines(terminal.size()));
        sinceDrawn.start();
    };
    soon.setSingleShot(true);
    clock.setInterval(clockMs);
    QObject::connect(&soon, &QTimer::timeout, draw);
    QObject::connect(&clock, &QTimer::timeout, [&] {
        if (view.isTicking())
            draw();
    });
    QObject::connect(&view, &TopView::changed, &soon, [&] {
        if (!soon.isActive())
            soon.start(sinceDrawn.isValid() ? std::max<int>(0, drawMs - int(sinceDrawn.elapsed())) : 0);
    });
    // A key is answered at once, but those of a held key together.
    QObject::connect(&terminal, &FullScreen::pressed, [&](const Key &key) {
        view.press(key);
        soon.start(0);
    });
    QObject::connect(&terminal, &FullScreen::resized, draw);
    QObject::connect(&terminal, &FullScreen::closed, qApp, &QCoreApplication::quit);
    QObject::connect(&view, &TopView::quit, qApp, &QCoreApplication::quit);
    QObject::connect(&view, &TopView::failed, qApp, [] { QCoreApplication::exit(unusableInput); });
    clock.start();
    draw();
    return QCoreApplication::exec();
}

} // namespace

int topCommand(const Options &options)
{
    const auto run = firstRun(options.positional.value(0));
    if (!run)
        return refuse(run.error());
    QString problem;
    int code = 0;
    {
        auto terminal = FullScreen::open();
        if (!terminal)
            return refuse(terminal.error());
        TopView view(*run);
        QObject::connect(&view, &TopView::failed, [&](const QString &sentence) { problem = sentence; });
        code = show(*terminal.value(), view);
    }
    if (!problem.isEmpty())
        complain(problem);
    return code;
}

} // namespace rankdeck
