#pragma once

#include "base/ranks.h"
#include "debugger/promptreader.h"

#include <QTimer>

#include <vector>

namespace rankdeck
{

/// What one or several ranks have answered to a command, word for word the same.
struct RankAnswer {
    QList<int> processes; ///< By index in the plan, ascending.
    QString text;         ///< Plain lines, without the command and the prompt; at most mostAnswerBytes.
    bool isWhole = false; ///< The prompt is there again. Else they are still at it, or have ended.

    bool operator==(const RankAnswer &) const = default;
};

/// Of one rank's answer so much is kept: its beginning.
inline constexpr qsizetype mostAnswerBytes = 16 * 1024;

/// Collects what ranks with terminals print after a command was typed into them, from their logs, until each
/// is at its prompt again. Reads files: lives in a thread where that may take its time.
class RankAnswers : public QObject
{
    Q_OBJECT

public:
    /// The terminal of one rank.
    struct Source {
        int process = -1; ///< By index in the plan.
        QString logFile;
    };

    /// @param promptPattern see PromptReader.
    explicit RankAnswers(const QString &promptPattern, QObject *parent = nullptr);

    /// `command` is about to be typed into these: what they print after its echo is their answer. Whatever
    /// the last command was still waited for is forgotten. Emits begun(), then changed().
    void begin(const QString &command, const QList<Source> &sources);
    /// This process has ended: there is no more to come from it.
    void end(int process);
    /// Of those that are still at it, by index in the plan.
    QList<int> awaited() const;
    /// Same answers together, in the order of their first ranks.
    QList<RankAnswer> answers() const;
    /// Nobody is still at it.
    bool isDone() const { return awaited().isEmpty(); }

Q_SIGNALS:
    /// Now the command may be typed.
    void begun();
    /// More of the answers is known.
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

    PromptReader m_prompt; ///< That of each rank begins as.
    QString m_echo;        ///< What shows that the command has been echoed; empty for an empty one.
    std::vector<Rank> m_ranks;
    QTimer m_timer;
};

} // namespace rankdeck
