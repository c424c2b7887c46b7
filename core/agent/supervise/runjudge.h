#pragma once

#include "background/inbackground.h"
#include "run/record/failure.h"

#include <QTimer>

namespace rankdeck
{

/// What a RunJudge has found.
struct Judgement {
    int process = -1;               ///< That the verdict names, by index in the plan; -1: none.
    std::optional<Failure> failure; ///< Of the run; of one that was adopted as far as anything tells it.
};

/// Finds the verdict on a run of which all processes have ended, and keeps it in the run directory, in a
/// thread of its own. The end of the run waits for it, but not for long: what takes longer is left to the
/// first reader.
class RunJudge : public QObject
{
    Q_OBJECT

public:
    explicit RunJudge(QObject *parent = nullptr);

    /// @param runDirectory of a run whose failure is recorded, or that was adopted.
    void start(const QString &runDirectory);

    /// Returns what was found, once it is done.
    const Judgement &judgement() const { return m_judgement; }

Q_SIGNALS:
    /// The verdict is kept, or will not be. Emitted once.
    void done();

private:
    void finish();

    NewestWins<Judgement> m_work;
    Judgement m_judgement;
    QTimer m_limit;
    bool m_isDone = false;
};

} // namespace rankdeck
