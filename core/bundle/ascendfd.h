#pragma once

#include "bundle/writebundle.h"

namespace rankdeck
{

struct RunState;

/// Writes the logs of a run or a log directory into one .tar.gz as MindCluster's ascend-fd takes them, with
/// secrets masked: a folder for each node, and in it rank-<N>.log with what the rank printed (its standard
/// error, where that is a file of its own, follows), process_log/{debug,run}/plog/ with its plogs, and
/// process_log/{debug,run}/device-<N>/ with those of its devices. Plogs are those on this machine. Blocks.
/// Fails, leaving no file, if it cannot be written, was cancelled, or there is no log of a rank.
/// Source: MindCluster 7.3, Ascend FaultDiag, log collection directory structure.
Result<WrittenBundle> writeForAscendFd(const RunState &state, const QString &path,
                                       const BundleOptions &options = {});

} // namespace rankdeck
