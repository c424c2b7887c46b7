#pragma once

#include "base/oneshottimer.h"
#include "debugger/rankanswers.h"
#include "rankdeckctl/runs/runchoice.h"

namespace rankdeck
{

/// `rankdeckctl attach --rank LIST --fold`: sends every line of standard input to all of these ranks, and
/// prints equal answers once. The next line waits until the answers are complete.
class FoldedConsole : public QObject
{
    Q_OBJECT

public:
    /// @param ranks empty: all.
    FoldedConsole(const QString &runDirectory, std::vector<int> ranks);

    /// Runs the event loop until standard input or the run has ended. Returns 0, or the run's exit code once
    /// that has ended; unusableInput when no rank can be typed to.
    int watch() { return watchRun(m_client); }

private:
    void take(const RunState &state);
    void begin();
    void readInput();
    void sendNext();
    void takeAnswers(const QList<RankAnswer> &answers);
    void printAnswers(const QList<RankAnswer> &answers) const;
    void end(int code);

    std::vector<int> m_ranks;
    RunClient m_client;
    QSocketNotifier m_input;
    LineBuffer m_lines;
    RunState m_state;
    QList<RankAnswers::Source> m_sources; ///< Sources of the ranks with a terminal.
    std::unique_ptr<RankAnswers> m_answers;
    OneShotTimer m_patience{2000}; ///< Time until a message names the ranks that have not answered yet.
    bool m_isAnswering = false;
    bool m_inputHasEnded = false;
};

} // namespace rankdeck
