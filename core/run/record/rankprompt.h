#pragma once

#include "base/tr.h"

#include <QDateTime>

namespace rankdeck
{

/// A prompt at which a rank with a terminal waits for input. All texts come from the program: they are data.
struct RankPrompt {
    QString word; ///< "(Pdb)", ">>>", or what the launch's own pattern has matched; at most 64 characters.
    QString file; ///< Source file as the debugger names it; empty: unknown.
    int line = 0; ///< Line in `file`, from 1; 0: unknown.
    QString function; ///< "forward", "<module>"; empty: unknown.
    QDateTime since;  ///< When it came to this place, UTC.
    int arrival = 0;  ///< Number of this arrival at a prompt in this attempt, from 1; 0: not counted.

    /// Returns "train.py:12", without folders; empty if the place is unknown.
    QString place() const
    {
        return file.isEmpty() ? QString()
                              : file.mid(file.lastIndexOf('/'_L1) + 1) + ':'_L1 + QString::number(line);
    }
    /// Returns true for a prompt of the same kind at the same place.
    bool isSamePlace(const RankPrompt &other) const
    {
        return word == other.word && file == other.file && line == other.line && function == other.function;
    }
    bool operator==(const RankPrompt &) const = default;
};

} // namespace rankdeck
