#pragma once

#include "agent/stacks/stackjob.h"
#include "run/runevent.h"

#include <QObject>

#include <deque>
#include <memory>
#include <vector>

namespace rankdeck
{

/// Takes the stacks of ranks of this node, a few at a time.
class StackDumper : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Of one that is being asked already nothing more is asked.
    void dump(const std::vector<StackJob::Rank> &ranks, int dumpSignal);

Q_SIGNALS:
    /// StacksDumped, once for each rank.
    void happened(const rankdeck::RunEvent &event);
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);

private:
    void startSome();
    void finish(StackJob *job, const QString &stacks, const QString &problem);

    std::deque<std::unique_ptr<StackJob>> m_waiting;
    std::vector<std::unique_ptr<StackJob>> m_running;
};

} // namespace rankdeck
