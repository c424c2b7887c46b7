#pragma once

#include "agent/head/processrequests.h"
#include "agent/supervise/runbook.h"
#include "background/inbackground.h"
#include "base/oneshottimer.h"

#include <QSet>

namespace rankdeck
{

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
