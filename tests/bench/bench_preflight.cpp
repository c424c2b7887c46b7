// How long `rankdeckctl preflight` takes for launches of 8 and of 64 local ranks, from the command to its
// exit: plan, host, every pair of ranks, collectives. Prints the times of three runs each and fails when the
// median is beyond the project's goal. --quick: once, for 8 ranks.

#include "base/json.h"
#include "support/freeport.h"
#include "support/programs.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace rankdeck;

namespace
{

struct Goal {
    int ranks;
    double seconds;
};

/// Seconds; negative: it did not pass.
double once(int ranks)
{
    QElapsedTimer clock;
    clock.start();
    const Outcome outcome =
        ctl({u"preflight"_s, u"--json"_s, u"processes"_s, u"--nproc"_s, QString::number(ranks),
             u"--master-port"_s, QString::number(freePort()), u"--"_s, u"true"_s});
    const double seconds = static_cast<double>(clock.elapsed()) / 1000;
    const auto json = parseJson(outcome.out);
    if (outcome.code != 0 || !json || (*json)["ranks"].size() != static_cast<std::size_t>(ranks)) {
        std::fprintf(stderr, "%s%s\n", outcome.out.constData(), outcome.err.constData());
        return -1;
    }
    std::printf("%3d ranks: %zu pairs, %zu collectives, %.2f s\n", ranks, (*json)["pairs"].size(),
                (*json)["collectives"].size(), seconds);
    return seconds;
}

bool isReached(const Goal &goal, int runs)
{
    std::vector<double> times;
    for (int run = 0; run < runs; ++run)
        times.push_back(once(goal.ranks));
    std::sort(times.begin(), times.end());
    if (times.front() < 0)
        return false;
    const double median = times[times.size() / 2];
    const bool reached = median <= goal.seconds;
    std::printf("%3d ranks: median %.2f s, %s %.0f s\n", goal.ranks, median, reached ? "within" : "BEYOND",
                goal.seconds);
    return reached;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const TestHome home;
    // Where the kernel gives no port to anybody who does not ask for it.
    qputenv("HCCL_IF_BASE_PORT", "24000");
    const bool isQuick = QCoreApplication::arguments().contains(u"--quick"_s);
    bool allReached = isReached({8, 2}, isQuick ? 1 : 3);
    if (!isQuick)
        allReached = isReached({64, 10}, 3) && allReached;
    return allReached ? 0 : 1;
}
