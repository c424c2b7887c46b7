// How responsive the window stays while a run of many servers is launched, works and ends: how late a timer
// of its thread is that is due every 20 ms.
//
// bench_largerun [SERVERS [DEVICES]]: the journal and the logs are written by a thread that stands in for the
// supervisor and the ranks; 128 and 8 if not said. With --processes the supervisor, an agent for every server
// and the ranks are real processes; then it is also measured how long until all of them run and are ended.

#include "mainwindow/window/mainwindow.h"
#include "run/record/runreader.h"
#include "support/manynodes.h"
#include "support/recordedrun.h"
#include "support/testpaths.h"
#include "support/tickmeter.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <cstdio>
#include <functional>
#include <memory>

using namespace rankdeck;

namespace
{

constexpr int longestMs = 120'000;

/// Do `work` in a thread of its own while the window goes on for at least `ms`, and print how late its ticks
/// are and how long it took.
void measure(const char *what, int ms, const std::function<void()> &work)
{
    TickMeter meter;
    qint64 taken = 0;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        QElapsedTimer clock;
        clock.start();
        work();
        taken = clock.elapsed();
    }));
    QElapsedTimer clock;
    clock.start();
    meter.start();
    thread->start();
    while (clock.elapsed() < ms || !thread->isFinished())
        QTest::qWait(20);
    std::printf("%-26s %6lld ms  %6.2f %% of %4d ticks within 20 ms  99 %%: %5.1f ms  worst: %5.1f ms  "
                "own work  99 %%: %4.1f ms  most: %4.1f ms\n",
                what, static_cast<long long>(taken), 100 * meter.shareWithin(20), meter.ticks(),
                meter.lateness(0.99), meter.lateness(1), meter.work(0.99), meter.work(1));
    std::fflush(stdout);
}

void openRun(MainWindow &window, const QString &directory)
{
    QMetaObject::invokeMethod(&window, [&window, directory] { window.openRun(directory); });
}

void recorded(MainWindow &window, int servers, int devices)
{
    RecordedRun run(servers, devices, false, servers);
    const int ranks = servers * devices;
    measure("run is opened", 2000, [&] { openRun(window, run.directory()); });
    measure("ranks are started", 2000, [&] { run.startAll(); });
    measure("ranks print", 5000, [&] {
        for (int step = 0; step < 40; ++step) {
            for (int rank = 0; rank < ranks; ++rank)
                run.print(rank, "epoch: 1 step: " + QByteArray::number(step) + ", loss is 2.3\n");
            QThread::msleep(100);
        }
    });
    measure("nothing new", 3000, [] {});
    measure("one fails, all are ended", 2000, [&] {
        run.fail(ranks / 2, {ExitStatus::Kind::Exited, 3});
        for (int rank = 0; rank < ranks; ++rank) {
            if (rank != ranks / 2)
                run.exit(rank, {ExitStatus::Kind::Signalled, SIGTERM});
        }
        run.finish(RunPhase::Failed, 3);
    });
}

/// Wait until so many ranks of the run are in this phase.
void waitFor(const QString &directory, RankPhase phase, int ranks)
{
    QElapsedTimer clock;
    clock.start();
    RunReader reader(directory);
    int count = 0;
    if (const auto state = reader.open())
        count = state->count(phase);
    for (; count < ranks && clock.elapsed() < longestMs; count = reader.state().count(phase)) {
        QThread::msleep(10);
        reader.update();
    }
    if (count < ranks)
        std::printf("only %d of %d ranks\n", count, ranks);
}

void withProcesses(MainWindow &window, int servers, int devices)
{
    const int ranks = servers * devices;
    const QString directory = makeManyNodes(servers, devices, 300);
    openRun(window, directory);
    QProcess supervisor;
    superviseRun(supervisor, buildPath("bin/rankdeckctl"), directory);
    measure("until all ranks run", 0, [&] { waitFor(directory, RankPhase::Running, ranks); });
    measure("they run", 5000, [] {});
    QProcess stop;
    stop.start(buildPath("bin/rankdeckctl"), {u"stop"_s, u"last"_s});
    measure("until all are stopped", 0, [&] { waitFor(directory, RankPhase::Ended, ranks); });
    stop.waitForFinished(longestMs);
    supervisor.waitForFinished(longestMs);
}

} // namespace

int main(int argc, char *argv[])
{
    const QTemporaryDir home;
    qputenv("XDG_STATE_HOME", home.filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    const QApplication application(argc, argv);
    QStringList arguments = QApplication::arguments().mid(1);
    const bool areReal = arguments.removeAll(u"--processes"_s) > 0;
    const int servers = arguments.isEmpty() ? 128 : arguments.at(0).toInt();
    const int devices = arguments.size() < 2 ? 8 : arguments.at(1).toInt();

    MainWindow window;
    window.resize(1280, 800);
    window.show();
    if (servers < 1 || devices < 1 || !QTest::qWaitForWindowExposed(&window, 30000)) {
        std::fputs("no window, or nothing to show in it\n", stderr);
        return 1;
    }
    measure("nothing", 2000, [] {});
    if (areReal)
        withProcesses(window, servers, devices);
    else
        recorded(window, servers, devices);
    measure("all has ended", 2000, [] {});
    return 0;
}
