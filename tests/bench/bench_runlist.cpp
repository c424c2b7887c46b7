// How long the list of runs takes that have 1,024 ranks on 128 servers each: 200 of them, each fifth lost,
// beside reading their files alone. Prints wall times, ms, and what the reader holds then, MB. Usage:
// bench_runlist [RUNS [SERVERS]].

#include "run/record/runcatalog.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/testhome.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace rankdeck;

namespace
{

void measure(const char *what, const std::function<int()> &work)
{
    QElapsedTimer clock;
    clock.start();
    const int count = work();
    std::printf("%-34s %8.1f ms  %d\n", what, double(clock.nsecsElapsed()) / 1e6, count);
    std::fflush(stdout);
}

double residentMegabytes()
{
    QFile status(u"/proc/self/status"_s);
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = status.readAll();
    return text.mid(text.indexOf("VmRSS:") + 6).trimmed().split(' ').constFirst().toDouble() / 1024;
}

} // namespace

int main(int argc, char *argv[])
{
    const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
    const int servers = argc > 2 ? std::atoi(argv[2]) : 128;
    const TestHome home;
    QStringList directories;
    for (int index = 0; index < runs; ++index) {
        RecordedRun run(servers, 8, true, servers);
        run.startAll();
        run.exitAll();
        if (index % 5 != 0)
            run.finish(RunPhase::Succeeded, 0);
        else
            run.loseSupervisor();
        directories << run.directory();
    }

    measure("files read alone, bytes", [&] {
        qint64 bytes = 0;
        for (const QString &directory : directories) {
            QFile file(directory + u"/run.json"_s);
            if (file.open(QIODevice::ReadOnly))
                bytes += file.readAll().size();
        }
        return int(bytes);
    });
    measure("records read whole, runs", [&] {
        return int(std::count_if(directories.cbegin(), directories.cend(),
                                 [](const QString &directory) { return bool(readRunRecord(directory)); }));
    });
    measure("what a list needs of them, runs", [&] {
        return int(std::count_if(directories.cbegin(), directories.cend(),
                                 [](const QString &directory) { return bool(readRunOutline(directory)); }));
    });
    const double before = residentMegabytes();
    RunSummaries summaries;
    measure("first look, runs", [&] { return int(summaries.read().size()); });
    measure("next look, runs", [&] { return int(summaries.read().size()); });
    std::printf("%-34s %8.1f MB\n", "held", residentMegabytes() - before);
    measure("one run is opened, ranks", [&] {
        const auto state = RunReader(directories.constLast()).open();
        return state ? int(state->ranks.size()) : 0;
    });
    return 0;
}
