#pragma once

#include <QDateTime>
#include <QString>

namespace rankdeck
{

/// A rank with a terminal waits for somebody to type. What it says of itself is the program's own text: data.
struct RankPrompt {
    QString word; ///< "(Pdb)", ">>>", or what the launch's own pattern has matched; at most 64 characters.
    QString file; ///< Where the program stands, as the debugger names it; empty: it does not say.
    int line = 0; ///< Of `file`, from 1; 0: not known.
    QString function; ///< "forward", "<module>"; empty: not known.
    QDateTime since;  ///< When it came to this place, UTC.
    int arrival = 0;  ///< Which of all that came to a prompt in this attempt, from 1; 0: not counted.

    /// "train.py:12", without folders; empty where the place is not known.
    QString place() const
    {
        return file.isEmpty() ? QString()
                              : file.mid(file.lastIndexOf(QLatin1Char('/')) + 1) + QLatin1Char(':') +
                                    QString::number(line);
    }
    /// Whether it is a prompt of the same kind at the same place.
    bool isSamePlace(const RankPrompt &other) const
    {
        return word == other.word && file == other.file && line == other.line && function == other.function;
    }
    bool operator==(const RankPrompt &) const = default;
};

} // namespace rankdeck
