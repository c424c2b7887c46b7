#pragma once

#include "run/runstate.h"

namespace rankdeck
{

/// What can be asked of a run as it is now. One rule for the header's buttons and the menu.
struct RunAbilities {
    bool stop = false;
    bool kill = false;
    bool runAgain = false;
    bool showError = false;

    static RunAbilities of(const RunState &state)
    {
        const bool live = state.plan && isLive(state.phase);
        return {live && state.phase != RunPhase::Stopping, live, state.spec != nullptr,
                state.failure.has_value()};
    }
};

} // namespace rankdeck
