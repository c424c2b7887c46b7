// How fast a log is looked through for known errors: a file of 1 GiB of training lines in which every
// 10,000th tells of an error, read once. Prints the milliseconds to load the catalogue, MB/s of wall and of
// cpu time, and the peak of resident memory in MB.

#include "diagnosis/catalogue/errorcatalogue.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryFile>

#include <cstdio>
#include <ctime>
#include <sys/resource.h>

using namespace rankdeck;

int main(int argc, char *argv[])
{
    constexpr qint64 wantedBytes = 1024LL * 1024 * 1024;
    QTemporaryFile made;
    QFile given(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString());
    if (argc == 1) {
        if (!made.open())
            return 1;
        QByteArray block;
        for (int line = 0; line < 10000; ++line)
            block +=
                "2025-04-07 15:34:27,308 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  "
                "1/  "
                "2], step:[    1/   19], loss: 10.649, per_step_time: 103328ms, lr: 0.0, loss_scale: 1.0\n";
        block += "EI0006: [PID: 1292363] 2025-04-08-18:07:20.444.436 Getting socket times out.\n";
        while (made.size() < wantedBytes)
            made.write(block);
        made.seek(0);
    } else if (!given.open(QIODevice::ReadOnly)) {
        return 1;
    }
    QFile &file = argc > 1 ? given : made;

    QElapsedTimer clock;
    clock.start();
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    const qint64 loadMs = clock.restart();
    qint64 found = 0;
    const std::clock_t cpuBefore = std::clock();
    const auto lines = scanForErrors(file, catalogue, [&](const KnownLine &) { ++found; });
    const double seconds = double(clock.elapsed()) / 1000;
    const double cpuSeconds = double(std::clock() - cpuBefore) / CLOCKS_PER_SEC;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("load %lld ms, %zu entries; %.0f MB, %lld lines, %lld known: %.2f s, %.0f MB/s, "
                "%.0f MB per cpu second; peak %ld MB\n",
                static_cast<long long>(loadMs), catalogue.entries().size(), double(file.size()) / 1e6,
                static_cast<long long>(lines ? *lines : -1), static_cast<long long>(found), seconds,
                double(file.size()) / 1e6 / seconds, double(file.size()) / 1e6 / cpuSeconds,
                usage.ru_maxrss / 1024);
    return 0;
}
