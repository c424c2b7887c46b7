#pragma once

#include "agent/supervise/runbook.h"
#include "background/inbackground.h"

#include <QSet>
#include <QTimer>

namespace rankdeck
{

/// Takes evidence when ranks of a run begin to stall: dumps of the flight recorders of all ranks, which it
/// reads, and stacks of some. Writes what the dumps say into the book.
class StallEvidence : public QObject
{
    Q_OBJECT

public:
    /// @param book must live as long as this object does.
    explicit StallEvidence(RunBook &book, QObject *parent = nullptr);

    /// Takes what has been written: the begin of a stall, and dumps.
    void take(const RunEvent &event);
    /// The dumps of these nodes are on their way.
    void await(const QStringList &nodes);

Q_SIGNALS:
    /// A stall has begun: the recorders are to be asked, and the stacks of these processes to be taken.
    void wanted(const QList<int> &processes);

private:
    void read();

    RunBook &m_book;
    bool m_isStalled = false;
    QSet<QString> m_nodes;
    QTimer m_limit;
    NewestWins<QStringList> m_reader;
};

} // namespace rankdeck
