#pragma once

#include "base/tr.h"

namespace rankdeck
{

struct RunState;

/// A view of the ranks that a demo wants to be seen.
enum class DemoView { Log, Curves, Devices, Collectives, Terminals };

/// The present scene of a built-in demo.
struct DemoCaption {
    QString text; ///< A sentence; empty for any other run.
    DemoView view = DemoView::Log;
};

/// Returns the caption for the present state.
/// @param step done by the furthest rank; 0 before the first.
DemoCaption demoCaption(const RunState &state, qint64 step);

} // namespace rankdeck
