#pragma once

#include "base/result.h"

#include <QMap>

#include <optional>

namespace rankdeck
{

/// A command line as the line of the launcher that it would run.
struct LauncherLine {
    QStringList words;
    QMap<QString, QString> variables; ///< Variables of the launch.
    QStringList notes;                ///< Further effects of the line, one sentence each.
    /// Why the package's own launcher has to start the ranks, a sentence for each word; then there are no
    /// words.
    QStringList unread = {};
};

/// Returns the msrun or torchrun line that a training package's own command would run: mindformers'
/// msrun_launcher.sh with its 1, 2, 6 or 9 arguments, and `llamafactory-cli train` with its variables
/// (NNODES, NODE_RANK, NPROC_PER_NODE, MASTER_ADDR, MASTER_PORT, MAX_RESTARTS, RDZV_ID …), `swift` with
/// NPROC_PER_NODE, deepspeed, `accelerate launch` and mpirun on one node, and the msrun of mindnlp with
/// --nproc_per_node. Nothing for other commands. Fails if arguments are missing or malformed; the error names
/// the word. Options that are not read are told in `unread`. Source: mindformers, scripts/msrun_launcher.sh;
/// LLaMA-Factory, src/llamafactory/launcher.py.
/// @param variables those in front of the command.
Result<std::optional<LauncherLine>> launcherLineOfPackage(const QStringList &words,
                                                          const QMap<QString, QString> &variables);

} // namespace rankdeck
