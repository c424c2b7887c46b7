// An allreduce of 64 MiB and of 1 MB of floats between 4 processes of this machine, through a ProcessGroup,
// whose ranks first tell each other what they call, and through Gloo called as its own examples do, by turns.
// Medians and shortest times in milliseconds, and the ratio of the shortest, which other work on the machine
// changes least; exit code 1 when it is beyond 1.3. The agreement alone is timed as a barrier: it is one, and
// nothing else; exit code 1 when it takes more than 5 % of an allreduce of 1 MB. With --quick there are fewer
// turns, of which the shortest is longer, and longer still on a busy machine: there it is 20 %.

#include "collective/group/processgroup.h"
#include "collective/store/rendezvous.h"
#include "support/freeport.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <tuple>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int ranks = 4;
constexpr std::size_t largeFloats = 16 * 1024 * 1024;
constexpr std::size_t megabyteFloats = 250'000;
constexpr double mostRatio = 1.3;

double median(std::vector<double> times)
{
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

struct Times {
    std::vector<double> ours;
    std::vector<double> direct;
    std::vector<double> agreement;
};

/// Returns the ratio of the shortest times.
double report(const char *size, const Times &times)
{
    const double best = *std::min_element(times.ours.begin(), times.ours.end());
    const double bestDirect = *std::min_element(times.direct.begin(), times.direct.end());
    std::printf("allreduce of %s, 4 ranks: %.2f ms, at best %.2f ms\n", size, median(times.ours), best);
    std::printf("Gloo called directly:         %.2f ms, at best %.2f ms\nratio %.2f, of the medians %.2f\n",
                median(times.direct), bestDirect, best / bestDirect,
                median(times.ours) / median(times.direct));
    return best / bestDirect;
}

/// Returns the exit code.
int rank(int number, quint16 port, const std::string &folder, int turns, double mostAgreement)
{
    Rendezvous rendezvous({number, ranks}, {u"127.0.0.1"_s, port}, std::chrono::seconds(60));
    GlooSettings settings;
    settings.rank = number;
    settings.worldSize = ranks;
    auto group = connectGloo(rendezvous.store(), settings);

    auto device = gloo::transport::tcp::CreateDevice("127.0.0.1");
    auto context = std::make_shared<gloo::rendezvous::Context>(number, ranks);
    // As connectAll() in gloogroup.cpp.
    const auto connect = [&device](auto &mesh, const auto &store) {
        if constexpr (requires { mesh.connectFullMesh(store, device); })
            mesh.connectFullMesh(store, device);
        else
            mesh.connectFullMesh(*store, device);
    };
    connect(*context, std::make_shared<gloo::rendezvous::FileStore>(folder));

    std::vector<float> data;
    const auto timed = [&](const std::function<void()> &act) {
        std::fill(data.begin(), data.end(), 1.0F);
        group->barrier();
        QElapsedTimer clock;
        clock.start();
        act();
        return static_cast<double>(clock.nsecsElapsed()) / 1e6;
    };
    const auto callDirectly = [&] {
        gloo::AllreduceOptions options(context);
        options.setOutput(data.data(), data.size());
        options.setReduceFunction(
            static_cast<void (*)(void *, const void *, const void *, std::size_t)>(&gloo::sum<float>));
        gloo::allreduce(options);
    };
    const auto callOurs = [&] {
        group->allreduce(std::span(data), Reduction::Sum);
    };
    Times large;
    Times megabyte;
    for (const auto &[times, floats, turnsOfSize] :
         {std::tuple(&large, largeFloats, turns), std::tuple(&megabyte, megabyteFloats, 20 * turns)}) {
        data.resize(floats);
        for (int turn = 0; turn < turnsOfSize; ++turn) {
            // Whoever is second may have it easier, or harder.
            for (const bool isOurs : {turn % 2 == 0, turn % 2 != 0})
                (isOurs ? times->ours : times->direct)
                    .push_back(isOurs ? timed(callOurs) : timed(callDirectly));
            if (data.front() != static_cast<float>(ranks) || data.back() != static_cast<float>(ranks))
                return 2;
            times->agreement.push_back(timed([&] { group->barrier(); }));
        }
    }
    group.reset();
    rendezvous.leave();
    if (number != 0)
        return 0;
    const bool isFast = report("64 MiB", large) <= mostRatio;
    report("1 MB", megabyte);
    const double best = *std::min_element(megabyte.agreement.begin(), megabyte.agreement.end());
    const double part = best / *std::min_element(megabyte.direct.begin(), megabyte.direct.end());
    std::printf("the agreement alone: %.3f ms, at best %.3f ms: %.1f %% of an allreduce of 1 MB, of the "
                "medians %.1f %%\n",
                median(megabyte.agreement), best, 100 * part,
                100 * median(megabyte.agreement) / median(megabyte.direct));
    return isFast && part <= mostAgreement ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    const bool isQuick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const QTemporaryDir folder;
    const quint16 port = freePort();
    std::vector<pid_t> children;
    for (int number = 0; number < ranks; ++number) {
        const pid_t child = fork();
        if (child == 0)
            _exit([&] {
                const int code =
                    rank(number, port, folder.path().toStdString(), isQuick ? 11 : 31, isQuick ? 0.2 : 0.05);
                std::fflush(stdout);
                return code;
            }());
        children.push_back(child);
    }
    int worst = 0;
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 3);
    }
    return worst;
}
