#pragma once

#include "base/tr.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// torchrun's options as its variables give them: PET_NNODES is --nnodes.
struct TorchrunVariables {
    QStringList words; ///< "--nnodes=2", "--standalone".
    QStringList names; ///< The variable of each word.

    /// Takes out an option without a value.
    void drop(const QString &word);
    /// Says in a sentence which variables are taken; empty if there are none.
    QString note() const;
};

/// Returns what the PET_* variables of `environment` say; a switch is on with a number but 0. Variables that
/// are empty or no option of torchrun are passed over.
/// Source: torch.distributed.argparse_util.env and check_env.
TorchrunVariables torchrunVariables(const QProcessEnvironment &environment);

} // namespace rankdeck
