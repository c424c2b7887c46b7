#pragma once

#include "result.h"
#include "run/runstate.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// Whom a command is for, as the user chooses or writes it: some words, or ranks such as 0-3,7.
class CommandTargets
{
public:
    /// What the words stand for now.
    struct Now {
        int current = -1; ///< The terminal that has the focus or had it last; -1: none.
        QList<int> shown; ///< The terminals side by side.
    };

    /// All that can be chosen of `state`, the first by default: all ranks, those at a prompt, the current
    /// terminal, those shown, and each node where there are several.
    static QStringList words(const RunState &state);
    /// The processes, ascending, that have a terminal and run. Error: `text` names no ranks, or none of those
    /// it names can be typed to.
    static Result<QList<int>> read(const QString &text, const RunState &state, const Now &now);
};

} // namespace rankdeck
