#include "report/runcurves.h"

#include "diagnosis/progress/progressfollower.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/record/growthmarks.h"
#include "run/record/runstate.h"
#include "run/samples/samplecurves.h"

#include <algorithm>

namespace rankdeck
{

/// Returns those of the processes that get curves, in their order.
static QList<int> chosenOf(QList<int> processes, int root)
{
    if (processes.size() <= RunCurves::most)
        return processes;
    const bool hasRoot = processes.removeOne(root);
    processes.resize(RunCurves::most - (hasRoot ? 1 : 0));
    if (hasRoot)
        processes.insert(std::ranges::lower_bound(processes, root), root);
    return processes;
}

static void readProgress(RunCurves &curves, const RunState &state, int root,
                         const std::function<bool()> &isCancelled)
{
    const auto reader = ProgressReader::create(state.spec ? state.spec->common.progressPattern : QString());
    // Without such a journal the times of lines are unknown.
    const QString growth =
        state.recordedPlan ? growthFolder(state.directory, *state.recordedPlan, state.attempt) : QString();
    ProgressLogs logs(*state.plan, reader ? *reader : ProgressReader(), growth);
    while (!(isCancelled && isCancelled()) && logs.readOn(false)) {
    }
    if (isCancelled && isCancelled())
        return;
    logs.readRest();
    QList<int> telling;
    for (int process = 0; process < logs.count(); ++process) {
        curves.ranks.push_back(logs.tracker(process).progress());
        if (!logs.tracker(process).loss().isEmpty() || !logs.tracker(process).stepTime().isEmpty())
            telling << process;
    }
    curves.progressRanks = static_cast<int>(telling.size());
    const QList<int> chosen = chosenOf(telling, root);
    for (const int process : chosen) {
        const ProgressTracker &tracker = logs.tracker(process);
        curves.progress.curves.append(
            {process, tracker.loss(), tracker.stepTime(), tracker.progress().steps.value_or(0)});
    }
}

RunCurves readRunCurves(const RunState &state, const Verdict &verdict,
                        const std::function<bool()> &isCancelled)
{
    RunCurves curves;
    readProgress(curves, state, verdict.process, isCancelled);
    QList<int> workers;
    for (std::size_t process = 0; process < state.plan->processes.size(); ++process) {
        if (state.plan->processes[process].role == Role::Worker)
            workers << static_cast<int>(process);
    }
    curves.sampledRanks = static_cast<int>(workers.size());
    SampleCurveReader samples(state.directory, *state.plan, chosenOf(workers, verdict.process));
    while (!(isCancelled && isCancelled()) && samples.readOn()) {
    }
    curves.samples = samples.curves();
    return curves;
}

} // namespace rankdeck
