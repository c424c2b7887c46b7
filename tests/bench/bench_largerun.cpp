// How responsive the window stays while a run of many servers is launched, works and fails: how late a timer
// of its thread is that is due every 20 ms. Usage: bench_largerun [SERVERS [DEVICES]], 128 and 8 if not said.

#include "mainwindow/mainwindow.h"
#include "support/recordedrun.h"
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

/// Do `work` in a thread of its own while the window goes on for at least `ms`, and print how late its ticks
/// are.
void measure(const char *what, int ms, const std::function<void()> &work)
{
    TickMeter meter;
    const std::unique_ptr<QThread> thread(QThread::create(work));
    QElapsedTimer clock;
    clock.start();
    meter.start();
    thread->start();
    while (clock.elapsed() < ms || !thread->isFinished())
        QTest::qWait(20);
    std::printf("%-24s %5d ticks  %6.2f %% within 20 ms  99 %%: %6.1f ms  worst: %6.1f ms\n", what,
                meter.ticks(), 100 * meter.shareWithin(20), meter.lateness(0.99), meter.lateness(1));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char *argv[])
{
    QTemporaryDir home;
    qputenv("XDG_STATE_HOME", home.filePath(QStringLiteral("state")).toUtf8());
    qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    const QApplication application(argc, argv);
    const int servers = argc > 1 ? atoi(argv[1]) : 128;
    const int devices = argc > 2 ? atoi(argv[2]) : 8;
    const int ranks = servers * devices;

    MainWindow window;
    window.resize(1280, 800);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window))
        return 1;
    RecordedRun run(servers, devices, false, servers);
    const auto print = [&run, ranks](int step) {
        for (int rank = 0; rank < ranks; ++rank)
            run.print(rank, QByteArray("epoch: 1 step: ") + QByteArray::number(step) + ", loss is 2.3\n");
    };
    measure("nothing", 2000, [] {});
    measure("run is opened", 2000,
            [&] { QMetaObject::invokeMethod(&window, [&] { window.openRun(run.directory()); }); });
    measure("ranks are started", 2000, [&] { run.startAll(); });
    measure("ranks print", 5000, [&] {
        for (int step = 0; step < 40; ++step) {
            print(step);
            QThread::msleep(100);
        }
    });
    measure("nothing new", 3000, [] {});
    measure("one fails, all are ended", 2000, [&] {
        run.fail(ranks / 2, {ExitStatus::Kind::Exited, 3});
        for (int rank = 0; rank < ranks; ++rank) {
            if (rank != ranks / 2)
                run.exit(rank, {ExitStatus::Kind::Signalled, 15});
        }
        run.finish(RunPhase::Failed, 3);
    });
    measure("all has ended", 2000, [] {});
    return 0;
}
