#include "rankdeckctl/launch/awaitnodes.h"

#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/runs/runchoice.h"
#include "run/record/shownphase.h"

namespace rankdeck
{

namespace
{

bool hasStarted(const RunState &state)
{
    return std::ranges::any_of(state.ranks, [](const RankState &rank) { return rank.pid > 0; });
}

/// Follows a run until its first process has started, or none ever will.
class StartWatcher : public RunWatcher
{
public:
    using RunWatcher::RunWatcher;

protected:
    void request(RunClient & /*client*/, const RunState & /*state*/) override {}
    bool update(const RunState &state, const RunState *before) override
    {
        for (const QString &note : state.notes.mid(before ? before->notes.size() : 0))
            sayNote(note);
        return hasStarted(state);
    }
};

} // namespace

int awaitNodes(const QString &runDirectory, const LaunchSpec &spec)
{
    constexpr int roomSeconds = 5; // The supervisor itself notices a silent node a little later.
    const std::chrono::seconds limit(spec.nodes.silenceSeconds + roomSeconds);
    StartWatcher watcher(runDirectory);
    QTimer timer;
    timer.setSingleShot(true);
    // A launch that is being torn down is about to say why.
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        if (watcher.state().phase == RunPhase::Starting)
            QCoreApplication::quit();
    });
    timer.start(limit);
    if (const int code = watcher.watch(); code != 0)
        return code;
    const RunState &state = watcher.state();
    if (hasStarted(state))
        return 0;
    if (isLive(state.phase)) {
        sayNote(
            tr("The nodes have not started the run within %1 s. \"rankdeckctl wait %2\" tells how it ends.")
                .arg(limit.count())
                .arg(state.name));
        return 0;
    }
    complain(visibleText(state.failure ? verdictTitle(verdictOf(state))
                                       : tr("Run %1: %2.").arg(state.name, shownWord(state.phase))));
    return state.exitCode;
}

} // namespace rankdeck
