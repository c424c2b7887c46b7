// What it costs to sample the process trees of 8 ranks, 64 processes together, once a second: cpu time of
// this process for a sample, in percent of a core at 1 Hz. Fails beyond 0.5 %. Then the same with 512
// processes, and with 64 beside 500 of others, for comparison. What the kernel does with the page faults of
// fork() is not in it.

#include "run/process/processload.h"
#include "run/process/processtree.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int ranks = 8;
constexpr double limitPercent = 0.5;

double cpuSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

pid_t forkSleeper(int children)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // However the benchmark ends, none is left.
    for (int child = 0; child < children; ++child) {
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            break;
        }
    }
    for (;;)
        pause();
}

struct Trees {
    explicit Trees(int trees, int childrenEach)
    {
        for (int tree = 0; tree < trees; ++tree) {
            const pid_t pid = forkSleeper(childrenEach);
            roots.push_back({pid, readProcess(pid)->startTime});
        }
        expected = static_cast<std::size_t>(childrenEach);
        for (const TreeRoot &root : roots) {
            while (descendants(root.pid).size() < expected)
                sched_yield();
        }
    }
    ~Trees()
    {
        for (const TreeRoot &root : roots) {
            const std::vector<ProcessInfo> below = descendants(root.pid);
            kill(root.pid, SIGKILL);
            waitpid(root.pid, nullptr, 0);
            for (const ProcessInfo &orphan : below) { // This process is their subreaper.
                kill(orphan.pid, SIGKILL);
                waitpid(orphan.pid, nullptr, 0);
            }
        }
    }
    Trees(const Trees &) = delete;
    Trees &operator=(const Trees &) = delete;

    std::vector<TreeRoot> roots;
    std::size_t expected = 0;
};

/// The mean over a minute of samples, so that looking at all processes again is in it.
double percentAtOneHertz(const Trees &trees, const char *what)
{
    constexpr int samples = 60;
    ProcessLoad sampler;
    int processes = 0;
    sampler.sample(trees.roots);
    const double begin = cpuSeconds();
    for (int turn = 0; turn < samples; ++turn) {
        processes = 0;
        for (const auto &load : sampler.sample(trees.roots))
            processes += load ? load->processes : 0;
    }
    const double percent = 100 * (cpuSeconds() - begin) / samples;
    std::printf("%-40s %4d processes of %4zu  %.3f %% of a core at 1 Hz\n", what, processes, allPids().size(),
                percent);
    std::fflush(stdout);
    return percent;
}

} // namespace

int main()
{
    becomeSubreaper();
    double percent = 0;
    {
        const Trees trees(ranks, 7);
        percent = percentAtOneHertz(trees, "8 ranks, 64 processes");
        const Trees others(1, 500);
        percentAtOneHertz(trees, "the same beside 500 more");
    }
    {
        const Trees trees(ranks, 63);
        percentAtOneHertz(trees, "8 ranks of 64 processes each");
    }
    if (percent > limitPercent) {
        std::printf("more than %.1f %%\n", limitPercent);
        return 1;
    }
    return 0;
}
