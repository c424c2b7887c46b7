#include "run/strays/leftovers.h"

#include "base/listcomma.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "run/strays/strays.h"

#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include <algorithm>
#include <ctime>

#include <unistd.h>

namespace rankdeck
{

constexpr int lookMs = 20;
/// The journal's wall time and the kernel's clock may be this far apart.
constexpr double clockSlackSeconds = 5;

/// Returns when the machine was booted, in seconds since 1970.
static double bootTime()
{
    timespec sinceBoot{};
    clock_gettime(CLOCK_BOOTTIME, &sinceBoot);
    return static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000 -
           static_cast<double>(sinceBoot.tv_sec) - static_cast<double>(sinceBoot.tv_nsec) / 1e9;
}

/// Returns when the process started, in seconds since 1970.
static double startTimeOf(const ProcessInfo &process)
{
    return bootTime() + static_cast<double>(process.startTime) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Returns the rank whose session the process is in; -1: none.
static int rankBySession(const ProcessInfo &process, const RunState &run)
{
    for (std::size_t index = 0; index < run.ranks.size(); ++index) {
        const RankState &rank = run.ranks[index];
        if (rank.pid <= 0 || rank.pid != process.session)
            continue;
        const double late =
            startTimeOf(process) - static_cast<double>(rank.started.toMSecsSinceEpoch()) / 1000;
        const bool isLeader = process.pid == process.session;
        if (late < -clockSlackSeconds || (isLeader && late > clockSlackSeconds))
            continue;
        if (hasVariablesOf(run.plan->processes[index], startEnvironment(process.pid)))
            return static_cast<int>(index);
    }
    return -1;
}

static QByteArray rawEnvironment(pid_t pid)
{
    QFile file(u"/proc/%1/environ"_s.arg(pid));
    return file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) ? file.readAll() : QByteArray();
}

/// Returns the rank of a process with a variable that points into the run's directory; -1: none.
static int rankByDirectory(const ProcessInfo &process, const RunState &run)
{
    // Most processes have none: do not parse their variables.
    if (!rawEnvironment(process.pid).contains(run.directory.toLocal8Bit() + '/'))
        return -1;
    const QProcessEnvironment environment = startEnvironment(process.pid);
    const QStringList names = environment.keys();
    const bool isOfRun = std::ranges::any_of(names, [&](const QString &name) {
        return environment.value(name).startsWith(run.directory + '/'_L1);
    });
    if (!isOfRun)
        return -1;
    for (std::size_t index = 0; index < run.plan->processes.size(); ++index) {
        if (hasVariablesOf(run.plan->processes[index], environment))
            return static_cast<int>(index);
    }
    return -1;
}

static void signalAll(const std::vector<Leftover> &leftovers, int number)
{
    for (const Leftover &leftover : leftovers) {
        ::kill(leftover.process.pid, number);
        ::kill(leftover.process.pid, SIGCONT);
    }
}

/// Waits for at most `ms`; returns the processes still alive.
static std::vector<Leftover> waitForEnd(const RunState &run, qint64 ms)
{
    QElapsedTimer clock;
    clock.start();
    std::vector<Leftover> left = leftoversOf(run);
    while (!left.empty() && clock.elapsed() < ms) {
        QThread::msleep(lookMs);
        left = leftoversOf(run);
    }
    return left;
}

bool hasVariablesOf(const ProcessPlan &plan, const QProcessEnvironment &environment)
{
    bool isAnySame = false;
    for (const char *name : {"RANK_ID", "RANK", "LOCAL_RANK", "DEVICE_ID", "MS_ROLE"}) {
        const auto planned = plan.setVariables.constFind(QLatin1String(name));
        if (planned == plan.setVariables.constEnd())
            continue;
        if (environment.value(planned.key()) != *planned)
            return false;
        isAnySame = true;
    }
    return isAnySame;
}

QProcessEnvironment startEnvironment(pid_t pid)
{
    QProcessEnvironment environment;
    for (const QByteArray &variable : rawEnvironment(pid).split('\0')) {
        const qsizetype end = variable.indexOf('=');
        if (end > 0)
            environment.insert(QString::fromLocal8Bit(variable.left(end)),
                               QString::fromLocal8Bit(variable.mid(end + 1)));
    }
    return environment;
}

std::vector<Leftover> leftoversOf(const RunState &run)
{
    std::vector<Leftover> found;
    if (run.plan && run.plan->adopted)
        return found;
    const double created = static_cast<double>(run.created.toMSecsSinceEpoch()) / 1000;
    // All processes: those of a lost run have other parents now.
    for (const pid_t pid : allPids()) {
        const auto process = pid == getpid() ? std::nullopt : readProcess(pid);
        if (!process || process->state == 'Z' || startTimeOf(*process) < created - clockSlackSeconds)
            continue;
        int rank = rankBySession(*process, run);
        if (rank < 0)
            rank = rankByDirectory(*process, run);
        if (rank >= 0)
            found.push_back({*process, rank});
    }
    return found;
}

std::optional<Error> endLeftovers(const RunState &run)
{
    if (run.plan->graceSeconds > 0) {
        signalAll(leftoversOf(run), SIGTERM);
        waitForEnd(run, run.plan->graceSeconds * 1000);
    }
    QElapsedTimer sinceKill;
    sinceKill.start();
    std::vector<Leftover> left = leftoversOf(run);
    while (!left.empty() && !sinceKill.hasExpired(unkillableAfter.count())) {
        signalAll(left, SIGKILL);
        left = waitForEnd(run, lookMs);
    }
    if (left.empty())
        return std::nullopt;
    const QStringList names =
        listOf(left, [&](const Leftover &leftover) { return nameOf(leftover.process).text(); });
    return Error{tr("could not be killed: %1").arg(names.join(nameComma())), run.name, {}};
}

} // namespace rankdeck
