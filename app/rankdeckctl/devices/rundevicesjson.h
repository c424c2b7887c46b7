#pragma once

#include "run/record/runstate.h"
#include "run/samples/nodesample.h"

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

/// Returns a node of a run as JSON: {"node", "time" (of the sample), "processes", "problem" (why the NPUs
/// cannot be read, or null)}, and where NPUs were read what `rankdeckctl devices --json` says of a machine,
/// "time" being "devices_time" there. Each process has "role", "rank" (null: no worker), "device_index" (in
/// "devices", or null) and "load" (of its tree, or null); each one on an NPU has "role" and "rank" if it is
/// the run's.
nlohmann::json toJson(const NodeSample &sample, const RunState &state);

} // namespace rankdeck
