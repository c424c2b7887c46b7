#pragma once

#include "agent/head/processrequests.h"
#include "agent/supervise/runbook.h"
#include "background/inbackground.h"
#include "base/oneshottimer.h"

#include <QSet>

namespace rankdeck
{

struct RunState;
struct RunEvent;
struct Failure;

/// Returns the running processes whose stacks may explain why `failure` happened: those that its last lines
/// name, else those that have been silent, the longest first. Looks at the times of logs.
/// @param now ms since 1970, UTC.
QList<int> worthALook(const RunState &state, const Failure &failure, qint64 now);

/// Holds back the end of a failed run until evidence is taken that a signal would destroy: the stacks of some
/// ranks, and the dumps of the flight recorders of all. Waits two seconds for stacks, five for dumps. What
/// was asked for and is not there by then is missed.
class EvidenceBeforeEnd : public QObject
{
    Q_OBJECT

public:
    EvidenceBeforeEnd();

    /// How long recorders are given.
    static constexpr std::chrono::seconds recorderLimit = ProcessRequests::recorderLimit;

    /// Waits for the dumps of `nodes`, which have been asked for them, and for the stacks of `processes`,
    /// which it asks for. With neither nothing happens, and it returns false.
    bool start(const QList<int> &processes, const QStringList &nodes);
    /// Returns true until the end may come.
    bool isWaiting() const { return m_limit.isActive(); }
    /// Takes what happened: stacks, dumps, and ends of processes and nodes.
    void take(const RunEvent &event);
    /// The end comes for another reason. done() will not be emitted.
    void cancel();

Q_SIGNALS:
    void wanted(const QList<int> &processes);
    /// The run may be ended now. Emitted once for each start().
    void done();

private:
    void finish();

    QSet<int> m_processes;
    QSet<QString> m_nodes;
    OneShotTimer m_limit;
};

/// Gathers evidence when ranks of a run begin to stall: dumps of the flight recorders of all ranks, which it
/// reads, and stacks of some. Writes the findings from the dumps into the book.
class StallEvidence : public QObject
{
    Q_OBJECT

public:
    /// @param book, requests must live as long as this object does.
    StallEvidence(RunBook &book, ProcessRequests &requests);

    /// Handles an event in the book: the begin of a stall, and dumps.
    void take(const RunEvent &event);

Q_SIGNALS:
    /// A stall has begun.
    void began();

private:
    void ask();
    void read();

    RunBook &m_book;
    ProcessRequests &m_requests;
    bool m_isStalled = false;
    QSet<QString> m_nodes;
    OneShotTimer m_limit{6000};
    NewestWins<QList<Sentence>> m_reader;
};

} // namespace rankdeck
