#pragma once

#include "base/tr.h"

#include <chrono>
#include <functional>
#include <vector>

namespace rankdeck
{

struct RunState;
struct LaunchPlan;

/// versions.txt: of Rankdeck, Qt and the kernel of this machine, of the launch's python3, and what the files
/// of CANN and of the driver say. Asks the interpreter, which takes a moment. Blocks.
QByteArray versionsText(const RunState &state);

/// npu-smi.txt: what `npu-smi info` prints on this machine now, or a sentence on why it does not. Blocks for
/// at most `limit`.
QByteArray npuSmiText(std::chrono::milliseconds limit, const std::function<bool()> &isCancelled = {});

/// environment.txt: the variables that the launch sets for its processes; those of all come first.
/// @param plan its values are masked already.
QByteArray environmentText(const LaunchPlan &plan);

/// A file of a run that belongs into its bundle.
struct BundleFile {
    QString path;
    QString name; ///< In the bundle, "logs/worker_0.log": letters, digits and "._-/".
    qint64 bytes = 0;
    qint64 most = 0; ///< How many of them are taken.
    bool isOfFirstFailure = false;
};

/// A name for a file in a bundle, wherever it will be unpacked: letters, digits and "._-" of `name`, with '_'
/// for all else, and no dot in front.
QString plainName(const QString &name);

/// Logs and error files of all processes and hooks, the plogs of its processes on this machine, the stacks
/// that were dumped, and the histories of samples, as far as they are there; each once. `failed`: index of
/// the process that failed first, or -1.
std::vector<BundleFile> bundleFiles(const RunState &state, int failed);

/// Say how much of each is taken: at most 1 MiB, and together at most `room`. The files of the first failure
/// take what they want of a half of it; of the rest all may take the same.
void divideRoom(std::vector<BundleFile> &files, qint64 room);

} // namespace rankdeck
