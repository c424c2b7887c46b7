#pragma once

#include "run/runstate.h"

#include <QStringList>

namespace rankdeck
{

/// What a run's history of samples comes to, a line each for up to 16 devices that its ranks were on (where
/// that is not known of any, for all), and where it has none for up to 16 processes, else one for all:
/// "Device 3 (rank 3): at most 59189 of 65536 MB of its memory, AICore 97 % on average". Of a run on many
/// nodes that of the first 16. Empty where there is no history. Blocks for reading it, a megabyte at most for
/// each node and kind.
QStringList sampleSummary(const RunState &state);

} // namespace rankdeck
