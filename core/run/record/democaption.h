#pragma once

#include "base/tr.h"

namespace rankdeck
{

struct RunState;

/// A view of the ranks that a demo wants to be seen.
enum class DemoView { Log, Curves, Devices, Collectives, Terminals };

/// What is to be seen in a built-in demo.
struct DemoCaption {
    QString text; ///< A sentence; empty for any other run.
    DemoView view = DemoView::Log;
};

/// Returns what is to be seen now.
/// @param step that the furthest rank has done; 0 before the first.
DemoCaption demoCaption(const RunState &state, qint64 step);

} // namespace rankdeck
