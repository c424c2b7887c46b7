#pragma once

#include "run/record/runstate.h"

#include <QSet>
#include <QTimer>

namespace rankdeck
{

/// Returns the running processes whose stacks may explain why `failure` happened: those that its last lines
/// name, else those that have been silent, the longest first. Looks at the times of logs.
/// @param now ms since 1970, UTC.
QList<int> worthALook(const RunState &state, const Failure &failure, qint64 now);

/// Holds back the end of a failed run until the stacks of such ranks are taken, since a signal would destroy
/// them; two seconds at most. What was asked for and is not there by then is missed.
class StacksBeforeEnd : public QObject
{
    Q_OBJECT

public:
    explicit StacksBeforeEnd(QObject *parent = nullptr);

    /// Asks for the stacks of `processes`. With none nothing happens.
    void start(const QList<int> &processes);
    /// Returns true until the end may come.
    bool isWaiting() const { return m_limit.isActive(); }
    /// Takes what happened to processes: their stacks, or their ends.
    void take(const RunEvent &event);
    /// The end comes for another reason. done() will not be emitted.
    void cancel();

Q_SIGNALS:
    void wanted(const QList<int> &processes);
    /// The run may be ended now. Emitted once for each start().
    void done();

private:
    void finish();

    QSet<int> m_due;
    QTimer m_limit;
};

} // namespace rankdeck
