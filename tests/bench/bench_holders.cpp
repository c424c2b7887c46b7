// How long the question takes who holds the devices and the port of a launch, at 8 devices and 300 more
// processes than there were, beside one walk over /proc that reads what each process is. Medians in
// microseconds, and how many times the walk's.

#include "agent/preflight/holders.h"
#include "run/process/processtree.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/recordedrun.h"
#include "support/testhome.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTcpServer>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int processes = 300;
constexpr int turns = 51;

double medianUs(const std::function<void()> &act)
{
    std::vector<double> times;
    for (int turn = 0; turn < turns; ++turn) {
        QElapsedTimer clock;
        clock.start();
        act();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1000);
    }
    std::nth_element(times.begin(), times.begin() + turns / 2, times.end());
    return times[turns / 2];
}

/// A program that lists processes is an npu-smi that is there: it is not called.
void installNpuSmi(const TestHome &home)
{
    QDir().mkpath(home.path("bin"));
    QFile file(home.path("bin/npu-smi"));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("the stand-in for npu-smi cannot be made");
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    qputenv("PATH", home.path("bin").toLocal8Bit() + ':' + qgetenv("PATH"));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const TestHome home;
    installNpuSmi(home);
    std::vector<pid_t> children;
    for (int index = 0; index < processes; ++index) {
        children.push_back(fork());
        if (children.back() == 0) {
            execlp("sleep", "sleep", "1000", nullptr);
            _exit(127);
        }
    }
    const RecordedRun mine;
    LaunchPlan plan = mine.plan();
    unmarkLive(mine.directory());
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();

    const double walk = medianUs([] { descendants(0); });
    std::printf("one walk over /proc, %zu processes: %.0f us\n", descendants(0).size(), walk);
    const auto print = [&](const char *what) {
        qsizetype found = 0;
        const double us = medianUs([&] { found = findHolders(plan, environment).size(); });
        std::printf("%-42s %lld holders %7.0f us %6.2f\n", what, static_cast<long long>(found), us,
                    us / walk);
    };
    print("nobody holds anything");
    RecordedRun live;
    live.startAll();
    markLive(live.directory());
    print("a live run of ours, 8 devices");

    QTcpServer server;
    server.listen(QHostAddress::Any);
    for (ProcessPlan &process : plan.processes) {
        process.setVariables[u"MASTER_ADDR"_s] = u"127.0.0.1"_s;
        process.setVariables[u"MASTER_PORT"_s] = QString::number(server.serverPort());
    }
    plan.launcher = u"processes"_s;
    print("the same, and the port held");
    server.close();
    print("the same, the port free again");
    unmarkLive(live.directory());

    RecordedRun lost;
    lost.startAll();
    RunRecord record = *readRunRecord(lost.directory());
    record.supervisor->startTime = 1; // Somebody else has its pid.
    for (ProcessPlan &process : record.plan.processes)
        process.setVariables.insert(u"RANK_ID"_s, QString::number(process.rank.value));
    writeRunRecord(lost.directory(), record);
    markLive(lost.directory());
    const qint64 rank = fork();
    if (rank == 0) {
        setenv("RANK_ID", "0", 1);
        setenv("RANKDECK_TEST_FOLDER", QFile::encodeName(lost.directory() + u"/logs"_s), 1);
        execlp("sleep", "sleep", "1000", nullptr);
        _exit(127);
    }
    children.push_back(static_cast<pid_t>(rank));
    print("what is left of a lost run");
    for (const pid_t child : children) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    return 0;
}
