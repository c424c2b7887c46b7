#pragma once

#include "base/tr.h"

#include <chrono>
#include <functional>
#include <vector>

namespace rankdeck
{

struct RunState;
struct LaunchPlan;

/// Returns versions.txt: versions of Rankdeck, Qt and this machine's kernel, of the launch's python3, and
/// those in the files of CANN and of the driver. Asks the interpreter, which takes a moment. Blocks.
QByteArray versionsText(const RunState &state);

/// npu-smi.txt: what `npu-smi info` prints on this machine now, or why not. Blocks for `limit` at most.
QByteArray npuSmiText(std::chrono::milliseconds limit, const std::function<bool()> &isCancelled = {});

/// environment.txt: the variables that the launch sets for its processes; those of all come first.
/// @param plan its values are masked already.
QByteArray environmentText(const LaunchPlan &plan);

/// A file of a run that belongs into its bundle.
struct BundleFile {
    QString path;
    QString name; ///< In the bundle, "logs/worker_0.log": letters, digits and "._-/".
    qint64 bytes = 0;
    qint64 most = 0; ///< Bytes of the file to include.
    bool isOfFirstFailure = false;
};

/// A file's name in a bundle: letters, digits and "._-" of `name`, '_' for all else, no dot in front.
QString plainName(const QString &name);

/// Returns the existing logs and error files of all processes and hooks, plogs on this machine, dumped
/// stacks, and histories of samples; each once. `failed`: the process that failed first, or -1.
std::vector<BundleFile> bundleFiles(const RunState &state, int failed);

/// Sets how much of each file is included: at most 1 MiB, and together at most `room`. The files of the first
/// failure share one half; all others get equal parts of the rest.
void divideRoom(std::vector<BundleFile> &files, qint64 room);

} // namespace rankdeck
