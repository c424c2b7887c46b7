#pragma once

#include "base/result.h"
#include "base/sentence.h"

#include <optional>

class QIODevice;

namespace rankdeck
{

struct RunState;
struct LaunchPlan;

/// Writes the history of samples of the nodes of these processes as comma-separated values with a heading, a
/// row for each chip and moment, and then a row for each process tree and moment: node, rank (empty for a
/// scheduler and for a chip without a rank), and the values of DeviceHistory::csvRow() and
/// LoadHistory::csvValues(); those of the other kind are empty. Blocks. Fails if there is no such history.
std::optional<Error> writeSampleCsv(QIODevice &out, const QString &runDirectory, const LaunchPlan &plan,
                                    const QList<int> &processes);

/// Summarizes a run's history of samples: a line for each of up to 16 devices that its ranks were on (all
/// devices if that is unknown), or without devices for each of up to 16 processes; if there are more, one
/// line for all: "Device 3 (rank 3): at most 59189 of 65536 MB of its memory, AICore 97 % on average". Of a
/// run on many nodes that of the first 16. Empty if there is no history. Blocks for reading it, a megabyte at
/// most for each node and kind.
QList<Sentence> sampleSummary(const RunState &state);

} // namespace rankdeck
