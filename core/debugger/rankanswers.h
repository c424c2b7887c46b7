#pragma once

#include "base/oneshottimer.h"
#include "base/ranks.h"
#include "debugger/promptreader.h"

#include <vector>

namespace rankdeck
{

/// An answer to a command, the same word for word from one or several ranks.
struct RankAnswer {
    QList<int> processes; ///< By index in the plan, ascending.
    QString text;
    bool isWhole = false; ///< The prompt is back; if false, the ranks still work on it, or have exited.

    bool operator==(const RankAnswer &) const = default;
};

/// Longest part of a rank's answer that is kept, from its beginning.
inline constexpr qsizetype mostAnswerBytes = 16 * 1024;

/// Collects what ranks with terminals print after a command was typed into them, from their logs, until each
/// is at its prompt again. Reads files: lives in a thread where that may take its time.
class RankAnswers : public QObject
{
    Q_OBJECT

public:
    struct Source {
        int process = -1; ///< By index in the plan.
        QString logFile;
    };

    explicit RankAnswers(const QString &promptPattern);

    /// Begins to collect the answers to `command`, about to be typed into these terminals: all that is
    /// printed after its echo. Drops unfinished answers to the last one. Emits begun(), then changed().
    void begin(const QString &command, const QList<Source> &sources);
    /// Handles the exit of a process: it has nothing more to print.
    void end(int process);
    /// Returns the processes that still work on the command, by index in the plan.
    QList<int> awaited() const;
    /// Returns the answers, equal ones together, in the order of their first ranks.
    QList<RankAnswer> answers() const;
    bool isDone() const { return awaited().isEmpty(); }

Q_SIGNALS:
    void begun(); ///< Now the command may be typed.
    void changed(const QList<rankdeck::RankAnswer> &answers);

private:
    struct Rank {
        Source source;
        qint64 offset = 0; ///< Read up to here.
        QByteArray printed;
        PromptReader prompt;
        bool hasLine = false; ///< An end of a line has come.
        bool isWhole = false;
        bool hasEnded = false;
    };

    void look();
    bool readMore(Rank &rank) const;

    PromptReader m_prompt; ///< Each rank's reader begins as a copy.
    QString m_echo;        ///< Text that shows the echo of the command; empty for an empty command.
    std::vector<Rank> m_ranks;
    OneShotTimer m_timer;
};

} // namespace rankdeck
