// The window with a run of 8 ranks whose logs all are shown; for bench_wire.py, which tells it on standard
// input what the ranks do: "print N" lines each a second, evenly in 20 steps or, when fewer, one by one;
// "panes": only the logs are shown; "grid": only the device grid; "values": NPUs and processes of all ranks
// are sampled each second, and no value is as it was before; "logs": the answer names the logs, for others to
// write to; "find": the answer is the place of a field to type in; "scroll": that of a log which takes keys;
// "terminal": that of the terminal of one rank, which prints what is typed; "one": one log is shown;
// "resize": the window becomes smaller; "menu": one opens, "unmenu": it closes; "ticks": the answer is the
// 99th percentile of the time between two ticks of a timer of 1 ms since the last such command, and the
// longest, both in ms; "end": the run ends; "quit". Each command is answered with "done" when it is in
// effect.
//
// window raster|glyphs|bitmaps|best [terminals]: with the latter terminals are shown, not logs

#include "canvas/widget/backends.h"
#include "devicegrid/grid/devicegrid.h"
#include "launch/plan/attempt.h"
#include "logview/panes/logtiles.h"
#include "logview/view/logview.h"
#include "mainwindow/window/mainwindow.h"
#include "support/madesamples.h"
#include "support/recordedrun.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QHash>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int rankCount = 8;
constexpr int stepsPerSecond = 20;

QByteArray logLine(int rank, int step)
{
    return u"2024-05-12 10:%1:%2,%3 [INFO] [rank %4] step %5/100000 loss=%6 lr=1.0e-4 "
           "grad_norm=%7 tokens/s=%8\n"_s.arg(step / 60 % 60, 2, 10, '0'_L1)
               .arg(step % 60, 2, 10, '0'_L1)
               .arg(step * 131 % 1000, 3, 10, '0'_L1)
               .arg(rank)
               .arg(step)
               .arg(2.0 + step * 37 % 1000 / 3000.0, 0, 'f', 5)
               .arg(0.8 + step * 91 % 1000 / 3000.0, 0, 'f', 3)
               .arg(12000 + step * 37 % 999)
               .toUtf8();
}

/// Lines as they would come from the ranks.
class Printer
{
public:
    explicit Printer(RecordedRun &run)
        : m_run(run)
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { print(m_linesPerStep); });
    }
    void setRate(int linesPerSecond)
    {
        m_timer.stop();
        if (linesPerSecond == 0)
            return;
        m_linesPerStep = std::max(1, linesPerSecond / stepsPerSecond);
        m_timer.start(1000 * m_linesPerStep / linesPerSecond);
    }
    void print(int lines)
    {
        for (int rank = 0; rank < rankCount; ++rank) {
            QByteArray text;
            for (int line = 0; line < lines; ++line)
                text += logLine(rank, m_step + line);
            m_run.print(rank, text);
        }
        m_step += lines;
    }

private:
    RecordedRun &m_run;
    QTimer m_timer;
    int m_linesPerStep = 1;
    int m_step = 0;
};

/// Samples as they would come from the node.
class Sampler
{
public:
    void start(DeviceGrid *grid, const QString &node)
    {
        QObject::connect(&m_timer, &QTimer::timeout, grid, [this, grid, node] {
            m_samples.take(
                madeNodeSample(node, {0, 1, 2, 3, 4, 5, 6, 7}, QDateTime::currentDateTimeUtc(), ++m_step));
            grid->setSamples(m_samples);
        });
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.start(1000);
    }

private:
    QTimer m_timer;
    RunSamples m_samples;
    int m_step = 0;
};

/// How evenly the event loop runs.
class Ticks
{
public:
    Ticks()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_gaps.push_back(double(m_clock.nsecsElapsed()) / 1e6), m_clock.restart();
        });
    }
    QByteArray take()
    {
        std::sort(m_gaps.begin(), m_gaps.end());
        const QByteArray words = m_gaps.empty()
                                     ? QByteArray()
                                     : QByteArray::number(m_gaps[m_gaps.size() * 99 / 100], 'f', 1) + ' ' +
                                           QByteArray::number(m_gaps.back(), 'f', 1);
        m_gaps.clear();
        m_clock.start();
        m_timer.start(1);
        return words;
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_gaps; ///< ms
};

QByteArray placeOf(const QWidget &widget)
{
    const QRect place(widget.mapToGlobal(QPoint()), widget.size());
    return u"%1 %2 %3 %4"_s.arg(place.x()).arg(place.y()).arg(place.width()).arg(place.height()).toUtf8();
}

QByteArray openFind(const LogTiles &tiles)
{
    LogView *const view = tiles.pane(0)->view();
    view->window()->activateWindow();
    view->openFind();
    return placeOf(*view->findChild<QLineEdit *>());
}

QByteArray focusLog(const LogTiles &tiles)
{
    LogView *const view = tiles.pane(0)->view();
    view->window()->activateWindow();
    view->setFocus();
    return placeOf(*view);
}

QByteArray focusTerminal(const MainWindow &window, const RecordedRun &run)
{
    Q_EMIT window.findChild<DeviceGrid *>()->ranksChosen({0});
    auto *const tiles = window.findChild<TerminalTiles *>();
    tiles->window()->activateWindow();
    tiles->currentPane()->setFocus();
    QObject::connect(tiles, &TerminalTiles::typed, tiles, [&run](const TerminalInput &input) {
        run.print(input.processes.constFirst(), input.bytes);
    });
    return placeOf(*tiles);
}

QByteArray logNames(const RecordedRun &run)
{
    QByteArrayList names;
    for (const ProcessPlan &process : run.plan().processes)
        names.append(forAttempt(run.plan(), process.logFile, 0).toUtf8());
    return names.join(' ');
}

} // namespace

int main(int argc, char *argv[])
{
    const QTemporaryDir home;
    qputenv("XDG_STATE_HOME", home.filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
    const QApplication application(argc, argv);
    QApplication::setCursorFlashTime(0);
    const QStringList arguments = QApplication::arguments();
    const QHash<QString, CanvasKind> kinds{{u"raster"_s, CanvasKind::Raster},
                                           {u"glyphs"_s, CanvasKind::Glyphs},
                                           {u"bitmaps"_s, CanvasKind::Bitmaps}};
    setCanvasKind(kinds.value(arguments.value(1), CanvasKind::BestForDisplay));

    RecordedRun run;
    if (arguments.value(2) == "terminals"_L1)
        run.giveTerminals();
    run.startAll();
    Printer printer(run);
    printer.print(200);
    MainWindow window;
    window.setGeometry(20, 20, 1200, 800);
    window.show();
    window.openRun(run.directory());

    // As a user would: all ranks, once they are there.
    QTimer chooser;
    QObject::connect(&chooser, &QTimer::timeout, &chooser, [&] {
        auto *const grid = window.findChild<DeviceGrid *>();
        if (!grid || grid->cellCount() < rankCount)
            return;
        chooser.stop();
        Q_EMIT grid->ranksChosen({0, 1, 2, 3, 4, 5, 6, 7});
        std::puts("done");
        std::fflush(stdout);
    });
    chooser.start(100);

    Sampler sampler;
    Ticks ticks;
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &input, [&] {
        char buffer[64];
        const ssize_t size = read(STDIN_FILENO, buffer, sizeof buffer);
        const QByteArrayList words =
            QByteArray(buffer, qsizetype(std::max<ssize_t>(0, size))).trimmed().split(' ');
        if (size <= 0 || words.front() == "quit") {
            QApplication::exit(); // No question about a run that is live.
            return;
        }
        if (words.front() == "print")
            printer.setRate(words.value(1).toInt());
        QByteArray answer;
        auto *const tiles = window.findChild<LogTiles *>();
        auto *const gridAction = window.findChild<QAction *>(u"deviceGridAction"_s);
        auto *const menu = window.menuBar()->findChild<QMenu *>();
        if (words.front() == "panes" || words.front() == "grid")
            gridAction->setChecked(words.front() == "grid");
        if (words.front() == "grid")
            tiles->hide();
        if (words.front() == "values") {
            window.findChild<DeviceGrid *>()->setShownSamples(ShownSamples::Both);
            sampler.start(window.findChild<DeviceGrid *>(), run.plan().thisNode);
        }
        if (words.front() == "scroll")
            answer = focusLog(*tiles);
        if (words.front() == "terminal")
            answer = focusTerminal(window, run);
        if (words.front() == "one")
            Q_EMIT window.findChild<DeviceGrid *>()->ranksChosen({1});
        if (words.front() == "resize")
            window.resize(window.size() - QSize(40, 30));
        if (words.front() == "menu")
            menu->popup(tiles->mapToGlobal(QPoint()));
        if (words.front() == "unmenu")
            menu->close();
        if (words.front() == "logs")
            answer = logNames(run);
        if (words.front() == "find")
            answer = openFind(*tiles);
        if (words.front() == "ticks")
            answer = ticks.take();
        if (words.front() == "end") {
            printer.setRate(0);
            for (int rank = 0; rank < rankCount; ++rank)
                run.exit(rank, {ExitStatus::Kind::Exited, 0});
            run.finish(RunPhase::Succeeded, 0);
        }
        std::puts(("done " + answer).constData());
        std::fflush(stdout);
    });
    return QApplication::exec();
}
