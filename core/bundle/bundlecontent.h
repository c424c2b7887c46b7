#pragma once

#include "run/runstate.h"

#include <QString>

#include <vector>

namespace rankdeck
{

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
