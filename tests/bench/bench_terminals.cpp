// How soon the echo of a key is on the screen of a terminal in the window, while another terminal beside it
// prints 100 MB as fast as it can. From the key press, by way of supervisor, agent, pseudo-terminal and log,
// to the cell of the emulator. Exit code 1: the slowest took longer than 50 ms, or what was printed is not
// shown to its end.
//
// bench_terminals [MEGABYTES]

#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/window/mainwindow.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/tickmeter.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"
#include "terminal/view/terminalview.h"

#include <QApplication>
#include <QSettings>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace rankdeck;

namespace
{

constexpr double longestMs = 50;
constexpr int keysPerLine = 40;

const char *const program = R"(
import os, sys
if os.environ['RANK'] == '1':
    os.execvp('cat', ['cat'])
input('go? ')
line = ' '.join(['0123456789abcdef'] * 6).encode() + b'\n'
block = line * 1000
for _ in range(int(sys.argv[1]) * 1000000 // len(block)):
    os.write(1, block)
print('printed')
input()
)";

bool waitUntil(const std::function<bool()> &condition)
{
    return QTest::qWaitFor(condition, 2 * programLimitMs);
}

double cpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

void printTimes(const char *what, QList<double> times)
{
    std::sort(times.begin(), times.end());
    std::printf("%-32s %4d keys  median %5.1f ms  99 %% %5.1f ms  longest %5.1f ms\n", what,
                int(times.size()), times[times.size() / 2], times[times.size() * 99 / 100],
                times.constLast());
    std::fflush(stdout);
}

/// Types one key after the other while `goesOn`, at least ten.
QList<double> typeKeys(TerminalView &view, const std::function<bool()> &goesOn)
{
    QList<double> times;
    for (int key = 0; goesOn() || key < 10; ++key) {
        QTest::qWait(20 + key * 37 % 60);
        const auto before = view.terminalScreen().cursorPlace();
        QElapsedTimer clock;
        clock.start();
        const bool isLast = before.column >= keysPerLine;
        QTest::keyClick(&view, isLast ? Qt::Key_Return : Qt::Key_X);
        while (view.terminalScreen().cursorPlace() == before && clock.elapsed() < 5000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
        times.append(double(clock.nsecsElapsed()) / 1e6);
    }
    return times;
}

int measure(MainWindow &window, int megabytes)
{
    auto *const tiles = window.findChild<TerminalTiles *>();
    const auto shows = [&](int process, const QString &text) {
        return waitUntil([&] {
            return tiles->pane(process) && tiles->pane(process)->view()->visibleText().contains(text);
        });
    };
    if (!waitUntil([&] { return tiles->currentPane() != nullptr; }))
        return 2;
    Q_EMIT window.findChild<DeviceGrid *>()->ranksChosen({0, 1});
    if (!shows(0, u"go?"_s))
        return 2;
    TerminalView &typed = *tiles->pane(1)->view();
    typed.setFocus();
    int left = 50;
    printTimes("nothing else prints", typeKeys(typed, [&] { return --left > 0; }));

    TerminalView &loud = *tiles->pane(0)->view();
    TickMeter meter;
    meter.start();
    QElapsedTimer clock;
    clock.start();
    const double cpu = cpuSeconds();
    QTest::keyClick(&loud, Qt::Key_Return);
    const QList<double> times = typeKeys(typed, [&] {
        return !loud.visibleText().contains(u"printed"_s) && clock.elapsed() < programLimitMs;
    });
    const double seconds = double(clock.elapsed()) / 1000;
    printTimes("beside one that prints", times);
    std::printf("%d MB in %.1f s; the window used %.0f %% of a cpu; its ticks of 20 ms: 99 %% %.1f ms late, "
                "worst %.1f "
                "ms\n",
                megabytes, seconds, 100 * (cpuSeconds() - cpu) / seconds, meter.lateness(0.99),
                meter.lateness(1));
    const bool isShown = shows(0, u"printed"_s);
    if (!isShown)
        std::printf("its last line is not shown\n");
    return isShown && *std::max_element(times.begin(), times.end()) <= longestMs ? 0 : 1;
}

} // namespace

int main(int argc, char *argv[])
{
    const TestHome home;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path("config"));
    QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
    const QApplication application(argc, argv);
    const int megabytes = argc > 1 ? QByteArray(argv[1]).toInt() : 100;
    QFile script(home.path("print.py"));
    if (!script.open(QIODevice::WriteOnly) || script.write(program) <= 0)
        return 2;
    script.close();
    const Outcome launched = ctl({u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                                  QString::number(freePort()), u"--detach"_s, u"--tty"_s, u"all"_s, u"--"_s,
                                  u"python3"_s, script.fileName(), QString::number(megabytes)});
    if (launched.code != 0)
        return 2;
    int code = 2;
    {
        MainWindow window;
        window.resize(1200, 780);
        window.show();
        window.openRun(*findRun(u"last"_s));
        code = measure(window, megabytes);
    }
    ctl({u"stop"_s, u"last"_s, u"--kill"_s});
    killProcessesOf(home);
    return code;
}
