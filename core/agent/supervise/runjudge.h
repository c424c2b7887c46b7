#pragma once

#include "background/inbackground.h"

#include <QTimer>

namespace rankdeck
{

/// Finds the verdict on a run of which all processes have ended, and keeps it in the run directory, in a
/// thread of its own. The end of the run waits for it, but not for long: what takes longer is left to the
/// first reader.
class RunJudge : public QObject
{
    Q_OBJECT

public:
    explicit RunJudge(QObject *parent = nullptr);

    /// @param runDirectory of a run whose failure is recorded.
    void start(const QString &runDirectory);

    /// Returns the process that the verdict names, by index in the plan, once it is done; -1: none.
    int process() const { return m_process; }

Q_SIGNALS:
    /// The verdict is kept, or will not be. Emitted once.
    void done();

private:
    void finish();

    NewestWins<int> m_work;
    int m_process = -1;
    QTimer m_limit;
    bool m_isDone = false;
};

} // namespace rankdeck
