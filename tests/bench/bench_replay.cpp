// How long a jump in a replayed run takes: 8 h, 64 ranks, 100 MB of log each, marked four times a second,
// sampled each 2 s. Prints the time to open it and, for each of some jumps, that for the state, logs, samples
// and steps, ms. Fails if a jump takes more than 300 ms of processor time. With --quick the run is a tenth as
// long, with logs of 1 MB.

#include "diagnosis/progress/pastprogress.h"
#include "run/replay/runreplay.h"
#include "support/pastrun.h"
#include "support/testhome.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>
#include <ctime>

using namespace rankdeck;

namespace
{

constexpr int ranks = 64;
constexpr double marksPerSecond = 4;
constexpr qint64 mostMs = 300;

/// A log of that size, with a step in each line and its marks over the time of the run.
void writeLog(const PastRun &run, int rank, qint64 size, int seconds)
{
    QFile log(run.log(rank));
    if (!log.open(QIODevice::WriteOnly))
        qFatal("a log cannot be written");
    QByteArray block;
    qint64 step = 0;
    const auto write = [&] {
        log.write(block);
        block.clear();
    };
    while (log.pos() + block.size() < size) {
        block += "epoch: 1 step: " + QByteArray::number(++step) + ", loss is 1.250000, and some words more\n";
        if (block.size() > 1024 * 1024)
            write();
    }
    write();
    QFile marks(marksFile(growthFolder(run.directory(), run.plan(), 0), rank, false));
    if (!marks.open(QIODevice::WriteOnly))
        qFatal("marks cannot be written");
    QByteArray bytes;
    const int count = int(seconds * marksPerSecond);
    for (int mark = 1; mark <= count; ++mark) {
        const std::array<qint64, 2> values{
            qToLittleEndian(PastRun::at(mark / marksPerSecond).toMSecsSinceEpoch()),
            qToLittleEndian(log.size() * mark / count)};
        bytes.append(reinterpret_cast<const char *>(values.data()), sizeof values);
    }
    marks.write(bytes);
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    const bool isQuick = QCoreApplication::arguments().contains("--quick"_L1);
    const int seconds = isQuick ? 2880 : 28'800;
    const qint64 bytes = isQuick ? 1'000'000 : 100'000'000;
    const TestHome home;
    PastRun run(ranks);
    run.startAll(0);
    for (int second = 10; second < seconds; second += 3)
        run.add(second, events::Note{Sentence(u"a note of the supervisor"_s)});
    QDir().mkpath(growthFolder(run.directory(), run.plan(), 0));
    for (int rank = 0; rank < ranks; ++rank)
        writeLog(run, rank, bytes, seconds);
    run.addSamples(2, 2, seconds / 2 - 2);
    run.finish(seconds, RunPhase::Succeeded, 0);
    const RunState ended = run.ended();
    QElapsedTimer clock;
    clock.start();
    const auto replay = RunReplay::of(ended);
    if (!replay)
        return 1;
    std::printf("open %lld\n", static_cast<long long>(clock.elapsed()));
    qint64 worst = 0;
    constexpr int jumps = 12;
    for (int jump = 1; jump <= jumps; ++jump) {
        const int second = 1 + int((qint64(jump) * 7919) % (seconds - 2));
        const QDateTime time = PastRun::at(second);
        const std::clock_t before = std::clock();
        clock.start();
        const RunState state = replay->stateAt(time);
        const qint64 afterState = clock.elapsed();
        const auto logs = replay->logsAt(state, time);
        const qint64 afterLogs = clock.elapsed();
        const RunSamples samples = replay->samplesAt(state, time);
        const qint64 afterSamples = clock.elapsed();
        const auto progress = pastProgress(*state.plan, {}, logs, time.toMSecsSinceEpoch(),
                                           growthFolder(state.directory, *state.recordedPlan, 0));
        const qint64 all = clock.elapsed();
        const auto used = qint64((std::clock() - before) * 1000 / CLOCKS_PER_SEC);
        worst = std::max(worst, used);
        std::printf("at %d s: state %lld logs %lld samples %lld steps %lld all %lld, cpu %lld (step %lld)\n",
                    second, static_cast<long long>(afterState),
                    static_cast<long long>(afterLogs - afterState),
                    static_cast<long long>(afterSamples - afterLogs),
                    static_cast<long long>(all - afterSamples), static_cast<long long>(all),
                    static_cast<long long>(used), static_cast<long long>(progress.front().step.value_or(-1)));
    }
    std::printf("worst %lld\n", static_cast<long long>(worst));
    return worst <= mostMs ? 0 : 1;
}
