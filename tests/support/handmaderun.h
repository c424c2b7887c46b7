#pragma once

#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/record/runstate.h"

#include <memory>

namespace rankdeck
{

/// A run as a value, for tests of what shows it: no directory, no process. `servers` servers of `devices`
/// devices; the ranks of the first `launched` ones are launched and wait.
inline RunState handMadeRun(int servers = 1, int devices = 8, int launched = 1)
{
    auto plan = std::make_shared<LaunchPlan>();
    plan->launcher = u"davincirun"_s;
    plan->name = u"train"_s;
    plan->jobId = u"job-1"_s;
    plan->rankTable.status = u"completed"_s;
    int rank = 0;
    for (int server = 0; server < servers; ++server) {
        Server made;
        made.serverId = u"10.0.0.%1"_s.arg(server + 1);
        for (int device = 0; device < devices; ++device, ++rank) {
            made.devices.push_back(
                {DeviceId(device), u"192.168.%1.%2"_s.arg(100 + device % 4).arg(101 + server), Rank(rank)});
            if (server >= launched)
                continue;
            ProcessPlan process;
            process.rank = Rank(rank);
            process.localRank = LocalRank(device);
            process.node = made.serverId;
            process.device = DeviceId(device);
            process.argv = {u"python3"_s, u"train.py"_s};
            process.logFile = u"/logs/job-1-%1.txt"_s.arg(process.label());
            plan->processes.push_back(process);
        }
        plan->rankTable.servers.push_back(made);
    }
    plan->thisNode = plan->rankTable.servers.front().serverId;

    RunState state;
    state.name = u"20240101-120000-train"_s;
    state.directory = u"/runs/20240101-120000-train"_s;
    state.spec = std::make_shared<LaunchSpec>();
    state.ranks.resize(plan->processes.size());
    state.plan = plan;
    state.created = QDateTime::currentDateTimeUtc().addSecs(-60);
    return state;
}

/// Every rank runs since `seconds` ago, rank r with pid 1000 + r.
inline RunState running(RunState state, int seconds = 60)
{
    state.phase = RunPhase::Running;
    for (size_t rank = 0; rank < state.ranks.size(); ++rank) {
        state.ranks[rank].phase = RankPhase::Running;
        state.ranks[rank].pid = 1000 + qint64(rank);
        state.ranks[rank].started = QDateTime::currentDateTimeUtc().addSecs(-seconds);
    }
    return state;
}

/// Rank `rank` of a running run ended by itself with `status`; the others were ended for it.
inline RunState failed(RunState state, int rank, ExitStatus status)
{
    state.phase = RunPhase::Failed;
    state.ended = QDateTime::currentDateTimeUtc();
    state.exitCode = status.shellCode();
    for (RankState &each : state.ranks) {
        each.phase = RankPhase::Ended;
        each.status = ExitStatus{ExitStatus::Kind::Signalled, SIGTERM};
        each.ended = state.ended;
    }
    RankState &culprit = state.ranks.at(size_t(rank));
    culprit.phase = RankPhase::Failed;
    culprit.status = status;
    const ProcessPlan &process = state.plan->processes.at(size_t(rank));
    Failure failure;
    failure.rank = process.rank;
    failure.device = process.device;
    failure.node = process.node;
    failure.pid = culprit.pid;
    failure.status = status;
    failure.logFile = process.logFile;
    failure.logTail = {u"Traceback (most recent call last):"_s,
                       u"  File \"train.py\", line 42, in <module>"_s,
                       u"RuntimeError: loss is not a number"_s};
    state.failure = failure;
    return state;
}

} // namespace rankdeck
