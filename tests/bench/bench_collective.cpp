// An allreduce of 64 MiB of floats between 4 processes of this machine, through a ProcessGroup and through
// Gloo called as its own examples do, by turns. Medians and shortest times in milliseconds, and the ratio of
// the shortest, which other work on the machine changes least; exit code 1 when it is beyond 1.3. With
// --quick fewer turns.

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
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int ranks = 4;
constexpr std::size_t floats = 16 * 1024 * 1024;
constexpr double mostRatio = 1.3;

double median(std::vector<double> times)
{
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Returns the exit code.
int rank(int number, quint16 port, const std::string &folder, int turns)
{
    Rendezvous rendezvous({number, ranks}, {QStringLiteral("127.0.0.1"), port}, std::chrono::seconds(60));
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

    std::vector<float> data(floats);
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
    std::vector<double> ours;
    std::vector<double> direct;
    for (int turn = 0; turn < turns; ++turn) {
        // Whoever is second may have it easier, or harder.
        for (const bool isOurs : {turn % 2 == 0, turn % 2 != 0}) {
            if (isOurs)
                ours.push_back(timed([&] { group->allreduce(std::span(data), Reduction::Sum); }));
            else
                direct.push_back(timed(callDirectly));
        }
        if (data.front() != static_cast<float>(ranks) || data.back() != static_cast<float>(ranks))
            return 2;
    }
    group.reset();
    rendezvous.leave();
    if (number != 0)
        return 0;
    const double best = *std::min_element(ours.begin(), ours.end());
    const double bestDirect = *std::min_element(direct.begin(), direct.end());
    const double ratio = best / bestDirect;
    std::printf("allreduce of 64 MiB, 4 ranks: %.1f ms, at best %.1f ms\n", median(ours), best);
    std::printf("Gloo called directly:         %.1f ms, at best %.1f ms\nratio %.2f\n", median(direct),
                bestDirect, ratio);
    return ratio > mostRatio ? 1 : 0;
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
                const int code = rank(number, port, folder.path().toStdString(), isQuick ? 11 : 31);
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
