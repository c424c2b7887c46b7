// Two nodes over ssh, which share no file system with this machine, print 200 MB/s of logs together while a
// window shows the run: how responsive it stays (how late a timer of its thread is that is due every 20 ms),
// how fast the ranks could print, and how far the copies are behind. All of it is one machine: what the
// nodes, sshd and ssh need is missing for the window.
//
// bench_copiedlogs [SECONDS]: so long each rank prints if nothing holds it up; 5 if not said. Needs root (the
// nodes' file system is a mount namespace) and OpenSSH's server.

#include "mainwindow/window/mainwindow.h"
#include "run/record/runreader.h"
#include "support/loudrun.h"
#include "support/tickmeter.h"

#include <QApplication>
#include <QSettings>
#include <QTest>

#include <cstdio>

using namespace rankdeck;

namespace
{

constexpr qint64 longestMs = 600'000;

double megabytes(const RunState &state)
{
    qint64 bytes = 0;
    for (const ProcessPlan &process : state.plan->processes)
        bytes += QFileInfo(process.logFile).size();
    return double(bytes) / 1e6;
}

int measure(const RemoteRun &remote, double seconds)
{
    QElapsedTimer clock;
    clock.start();
    const QString directory = startLoudRun(remote, seconds);
    if (directory.isEmpty()) {
        std::fputs("the run could not be started\n", stderr);
        return 1;
    }
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    TickMeter meter;
    meter.start();
    window.openRun(directory);
    RunReader reader(directory);
    auto state = reader.open();
    while (state && isLive(state->phase) && state->count(RankPhase::Ended) < 8 &&
           clock.elapsed() < longestMs) {
        QTest::qWait(20);
        reader.update();
        state = reader.state();
    }
    const double printed = double(clock.elapsed()) / 1e3;
    const double copied = megabytes(*state);
    while (isLive(state->phase) && clock.elapsed() < longestMs) {
        QTest::qWait(20);
        reader.update();
        state = reader.state();
    }
    const double done = double(clock.elapsed()) / 1e3;
    const double all = megabytes(*state);
    std::printf("from the command to the end of the last rank   %6.1f s, %.0f MB printed\n"
                "copied by then                                 %6.0f MB, %.0f MB/s\n"
                "all copied                                     %6.1f s after the command, %.0f MB/s\n"
                "window: %.2f %% of %d ticks within 20 ms, 99 %%: %.1f ms, worst: %.1f ms; "
                "own work 99 %%: %.1f ms, most: %.1f ms\n",
                printed, all, copied, copied / printed, done, all / done, 100 * meter.shareWithin(20),
                meter.ticks(), meter.lateness(0.99), meter.lateness(1), meter.work(0.99), meter.work(1));
    return state->phase == RunPhase::Succeeded ? 0 : 1;
}

} // namespace

int main(int argc, char *argv[])
{
    RemoteRun remote;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, remote.home().path("settings"));
    const QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (!SshServer::isInstalled() || !remote.startSsh() || !remote.standApart()) {
        std::fputs("two nodes need OpenSSH's server and root\n", stderr);
        return 1;
    }
    return measure(remote, arguments.size() < 2 ? 5 : arguments.at(1).toDouble());
}
