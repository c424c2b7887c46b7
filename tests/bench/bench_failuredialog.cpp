// How long it takes from a rank's failure until the window shows the error dialog on the screen: from the
// moment at which rank 3 of 8 real processes is told to print an error and to exit, until the dialog has
// painted itself and the display, asked for its pixels, has them.
//
// bench_failuredialog [ROUNDS]: 9 if not said. Exit code 1 when the median is over 200 ms.

#include "devicegrid/grid/devicegrid.h"
#include "failure/failuredialog.h"
#include "mainwindow/window/mainwindow.h"
#include "run/record/rundirectory.h"
#include "support/programs.h"
#include "support/testhome.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScreen>
#include <QSettings>
#include <QTest>
#include <QWindow>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int ranks = 8;
constexpr int longestMs = 60'000;
constexpr double mostMs = 200;

/// Notes that the error dialog was painted.
class PaintWatch : public QObject
{
public:
    bool isPainted() const { return m_isPainted; }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && qobject_cast<FailureDialog *>(watched))
            m_isPainted = true;
        return false;
    }

private:
    bool m_isPainted = false;
};

/// Whether the display has more than one colour where the dialog is; asking waits for the display.
bool isOnScreen(const FailureDialog &dialog)
{
    const QImage seen = dialog.screen()->grabWindow(dialog.winId()).toImage();
    for (int y = 0; y < seen.height(); ++y) {
        for (int x = 0; x < seen.width(); ++x) {
            if (seen.pixel(x, y) != seen.pixel(0, 0))
                return true;
        }
    }
    return false;
}

/// All of them sleep but rank 3, which fails once somebody writes into the pipe. Empty: they were not
/// started.
QString launch(const QString &pipe)
{
    static const QString script =
        u"if [ \"$RANK\" = 3 ]; then read -r line < \"$0\"; echo 'ValueError: bad value'; exit 3; "
        "fi; exec sleep 600"_s;
    const Outcome outcome = ctl({u"processes"_s, u"--detach"_s, u"--nproc"_s, QString::number(ranks), u"--"_s,
                                 u"bash"_s, u"-c"_s, script, pipe});
    return outcome.code == 0 ? runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed())
                             : QString();
}

bool allRun(const DeviceGrid &grid)
{
    for (int cell = 0; cell < ranks; ++cell) {
        if (grid.cellCount() != ranks || grid.cell(cell).lines[0].right != u"running"_s)
            return false;
    }
    return true;
}

/// ms; nothing when there was no dialog.
std::optional<double> measureOnce(const TestHome &home, int round)
{
    const QString pipe = home.path(u"pipe-%1"_s.arg(round));
    if (mkfifo(QFile::encodeName(pipe).constData(), 0600) != 0)
        return std::nullopt;
    const QString directory = launch(pipe);
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    window.openRun(directory);
    const auto *grid = window.findChild<DeviceGrid *>(u"deviceGrid"_s);
    if (directory.isEmpty() || !QTest::qWaitFor([&] { return allRun(*grid); }, longestMs))
        return std::nullopt;

    PaintWatch watch;
    qApp->installEventFilter(&watch);
    const int end = open(QFile::encodeName(pipe).constData(), O_WRONLY);
    QElapsedTimer clock;
    clock.start();
    const bool isTold = write(end, "\n", 1) == 1;
    close(end);
    std::optional<double> taken;
    while (isTold && !taken && clock.elapsed() < longestMs) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 5);
        const auto *dialog = window.findChild<FailureDialog *>();
        if (dialog && watch.isPainted() && isOnScreen(*dialog))
            taken = double(clock.nsecsElapsed()) / 1e6;
    }
    if (!QTest::qWaitFor([&] { return window.liveRuns().isEmpty(); }, longestMs))
        return std::nullopt;
    return taken;
}

} // namespace

int main(int argc, char *argv[])
{
    const TestHome home;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path(u"settings"_s));
    const QApplication application(argc, argv);
    QGuiApplication::setQuitOnLastWindowClosed(false);
    const QStringList arguments = QApplication::arguments();
    const int rounds = arguments.size() < 2 ? 9 : arguments.at(1).toInt();
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const auto taken = measureOnce(home, round);
        if (!taken) {
            std::fputs("the run could not be started, or no dialog came\n", stderr);
            return 1;
        }
        times.push_back(*taken);
    }
    if (times.empty())
        return 1;
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    std::printf(
        "from the failure of a rank to the dialog on the screen: median %.0f ms, least %.0f ms, most %.0f ms "
        "of %zu; aimed at %.0f ms\n",
        median, times.front(), times.back(), times.size(), mostMs);
    return median <= mostMs ? 0 : 1;
}
