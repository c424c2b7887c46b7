#include "demo/democaption.h"

#include "demo/demolaunch.h"
#include "run/record/runstate.h"

namespace rankdeck
{

// The steps are those at which demoSpec() has something happen, or between them.

static DemoCaption trainingCaption(const RunState &state, qint64 step)
{
    constexpr qint64 forCurves = 40;
    constexpr qint64 forDevices = 200;
    constexpr qint64 forEnd = 400;
    if (state.phase == RunPhase::Succeeded)
        return {tr("All ranks ended with exit code 0: the run has succeeded, and is kept in the list of "
                   "runs."),
                DemoView::Curves};
    if (step >= forEnd)
        return {tr("The bar over the grid says how many steps are done, and how long the rest will take."),
                DemoView::Curves};
    if (step >= forDevices)
        return {tr("The tab NPUs shows the cards: these are invented, and follow the work of their ranks."),
                DemoView::Devices};
    if (step >= forCurves)
        return {tr("The tab Curves shows the loss and the time of each step, for the ranks that are chosen."),
                DemoView::Curves};
    if (step > 0)
        return {tr("The ranks train: each cell shows the last step of its rank, and its log is below.")};
    return {tr("Eight ranks start, one for each NPU of the rank table; each has a cell in the grid.")};
}

static DemoCaption firstCaption(const RunState &state, qint64 step)
{
    if (step > 0)
        return trainingCaption(state, step);
    return {tr("The rank table is checked and converted before any rank starts; the ranks get the "
               "converted one.")};
}

static DemoCaption nodesCaption(const RunState &state, qint64 step)
{
    constexpr qint64 backAt = 380;
    if (state.phase == RunPhase::Succeeded)
        return {tr("The run has succeeded on both nodes, although the link was cut for a while."),
                DemoView::Curves};
    if (!state.unreached.isEmpty())
        return {tr("The link to one node is cut: its ranks go on, and Rankdeck tries to reach it again."),
                DemoView::Curves};
    if (step >= backAt)
        return {tr("The link is back: no rank was lost, and the logs have caught up."), DemoView::Curves};
    return {tr("Eight ranks train on two nodes; the link to one of them will be cut."), DemoView::Curves};
}

static DemoCaption manyCaption(const RunState &state)
{
    if (state.failure)
        return {tr("One of 1,024 ranks failed: the error names it, and its tile in the grid has a cross.")};
    return {tr("1,024 ranks, simulated, each a tile of the grid: type a number to go to a rank.")};
}

static DemoCaption failCaption(const RunState &state, qint64 step)
{
    constexpr qint64 forCurves = 150;
    constexpr qint64 forDevices = 350;
    if (state.failure)
        return {
            tr("Rank 5 failed first, and Rankdeck ended the others: the error says why, and what to do.")};
    if (step >= forDevices)
        return {tr("The cards, which are invented, are busy and healthy: such a fault comes without a sign."),
                DemoView::Devices};
    if (step >= forCurves)
        return {tr("The loss falls on all ranks, and their steps take equally long."), DemoView::Curves};
    if (step > 0)
        return {tr("All ranks train; nobody knows yet that the memory of one card is broken.")};
    return {tr("Eight ranks start; one of them will fail.")};
}

static DemoCaption stragglerCaption(const RunState &state, qint64 step)
{
    constexpr qint64 slowFrom = 150;
    constexpr qint64 found = 220;
    constexpr qint64 forDevices = 320;
    constexpr qint64 behind = 450;
    constexpr qint64 last = 600;
    if (state.phase == RunPhase::Succeeded)
        return {tr("The run has succeeded; the rank on the slow card was the last to end."),
                DemoView::Curves};
    if (step >= last)
        return {tr("Seven ranks are done; in a real training, each step of theirs would have waited for rank "
                   "3."),
                DemoView::Curves};
    if (step >= behind)
        return {tr("Rank 3 falls behind, and Rankdeck says so over the grid: nobody had to look for it."),
                DemoView::Curves};
    if (step >= forDevices)
        return {tr("NPUs shows why: the card of rank 3 is hot, and its health is a warning."),
                DemoView::Devices};
    if (step >= found)
        return {tr("Curves shows it: the steps of rank 3 take twice as long as those of the others."),
                DemoView::Curves};
    if (step >= slowFrom)
        return {tr("From now on one card gets hot, and the steps of its rank take twice as long."),
                DemoView::Curves};
    return {tr("Eight ranks train; all are equally fast so far."), DemoView::Curves};
}

static DemoCaption hangCaption(const RunState &state, qint64 step)
{
    constexpr qint64 silentFrom = 249; // The last step that all have done.
    if (state.failure)
        return {tr("The others gave up at their time limit; the error names rank 6, which never came.")};
    if (state.stall)
        return {tr("Rankdeck noticed the silence, asked all ranks where they stand, and names rank 6: it did "
                   "not come."),
                DemoView::Collectives};
    if (step >= silentFrom)
        return {tr("One rank does not come to a collective, and the others wait for it: nothing moves."),
                DemoView::Curves};
    return {tr("Eight ranks train; one of them will not come to a collective."), DemoView::Curves};
}

static DemoCaption debugCaption(const RunState &state)
{
    if (state.prompts == 0)
        return {tr("Eight ranks start, each in a terminal of its own."), DemoView::Terminals};
    return {tr("The ranks stop in Python's debugger: type \"p len(batch)\" below, once for all, and one "
               "answer differs."),
            DemoView::Terminals};
}

DemoCaption demoCaption(const RunState &state, qint64 step)
{
    const auto demo = state.spec ? demoOf(*state.spec) : std::nullopt;
    if (!demo)
        return {};
    switch (*demo) {
    case Demo::Training:
        return trainingCaption(state, step);
    case Demo::First:
        return firstCaption(state, step);
    case Demo::Nodes:
        return nodesCaption(state, step);
    case Demo::Many:
        return manyCaption(state);
    case Demo::Fail:
        return failCaption(state, step);
    case Demo::Straggler:
        return stragglerCaption(state, step);
    case Demo::Hang:
        return hangCaption(state, step);
    case Demo::Debug:
        return debugCaption(state);
    case Demo::Collective:
        break;
    }
    return {tr("Eight ranks measure the network between each two of them, and then their collectives."),
            DemoView::Collectives};
}

} // namespace rankdeck
