#include "run/record/democaption.h"

#include "launch/spec/demolaunch.h"

namespace rankdeck
{

// The steps are those at which demoSpec() has something happen.

static QString trainingCaption(const RunState &state, qint64 step)
{
    constexpr qint64 forCurves = 60;
    constexpr qint64 forDevices = 200;
    constexpr qint64 forEnd = 400;
    if (state.phase == RunPhase::Succeeded)
        return tr(
            "All ranks ended with exit code 0: the run has succeeded, and is kept in the list of runs.");
    if (step >= forEnd)
        return tr("The bar over the grid says how many steps are done, and how long the rest will take.");
    if (step >= forDevices)
        return tr("The tab NPUs shows the cards: these are invented, and follow the work of their ranks.");
    if (step >= forCurves)
        return tr("The tab Curves shows the loss and the time of each step, for the ranks that are chosen.");
    if (step > 0)
        return tr("The ranks train: each cell shows the last step of its rank, and its log is below.");
    return tr("Eight ranks start, one for each NPU of the rank table; each has a cell in the grid.");
}

static QString firstCaption(const RunState &state, qint64 step)
{
    return step > 0 ? trainingCaption(state, step)
                    : tr("The rank table is checked and converted before any rank starts; the ranks get the "
                         "converted one.");
}

static QString nodesCaption(const RunState &state, qint64 step)
{
    constexpr qint64 backAt = 380;
    if (state.phase == RunPhase::Succeeded)
        return tr("The run has succeeded on both nodes, although the link was cut for a while.");
    if (!state.unreached.isEmpty())
        return tr("The link to one node is cut: its ranks go on, and Rankdeck tries to reach it again.");
    if (step >= backAt)
        return tr("The link is back: no rank was lost, and the logs have caught up.");
    return tr("Eight ranks train on two nodes; the link to one of them will be cut.");
}

static QString manyCaption(const RunState &state)
{
    if (state.failure)
        return tr("One of 1,024 ranks failed: the grid shows it first, and the error names it.");
    return tr("1,024 ranks, simulated, each a tile of the grid: type a number to go to a rank.");
}

static QString failCaption(const RunState &state, qint64 step)
{
    if (state.failure)
        return tr("Rank 5 failed first, and Rankdeck ended the others: the error says why, and what to do.");
    if (step > 0)
        return tr("All ranks train; nobody knows yet that the memory of one card is broken.");
    return tr("Eight ranks start; one of them will fail.");
}

static QString stragglerCaption(const RunState &state, qint64 step)
{
    constexpr qint64 slowFrom = 150;
    constexpr qint64 found = 220;
    if (state.phase == RunPhase::Succeeded)
        return tr("The run has succeeded; the rank on the slow card was the last to end.");
    if (step >= found)
        return tr("Curves shows that the steps of rank 3 take longer, and NPUs that its card is hot.");
    if (step >= slowFrom)
        return tr("From now on one card gets hot, and the steps of its rank take twice as long.");
    return tr("Eight ranks train; all are equally fast so far.");
}

static QString hangCaption(const RunState &state, qint64 step)
{
    constexpr qint64 silentFrom = 249; // The last step that all have done.
    if (state.failure)
        return tr("The others gave up at their time limit; the error names rank 6, which never came.");
    if (state.stall)
        return tr("Rankdeck noticed the silence, and names who is waited for; Dump stacks shows where.");
    if (step >= silentFrom)
        return tr("One rank does not come to a collective, and the others wait for it: nothing moves.");
    return tr("Eight ranks train; one of them will not come to a collective.");
}

static QString debugCaption(const RunState &state)
{
    if (state.prompts == 0)
        return tr("Eight ranks start, each in a terminal of its own.");
    return tr("The ranks stop in Python's debugger: type a command once for all, and compare the answers.");
}

QString demoCaption(const RunState &state, qint64 step)
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
    return tr("Eight ranks measure the network between each two of them, and then their collectives.");
}

} // namespace rankdeck
