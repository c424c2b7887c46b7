#pragma once

#include "base/oneshottimer.h"
#include "base/tr.h"

#include <QProcess>

namespace rankdeck
{

/// Asks Slurm for the state of the job that a run is in: an agent that ends or is silent may be Slurm's
/// doing.
class SlurmJobQuestion : public QObject
{
    Q_OBJECT

public:
    /// The job is that of SLURM_JOB_ID when it asks.
    SlurmJobQuestion();
    ~SlurmJobQuestion() override;

    /// Asks, unless it is asking already. answered() is never emitted before this returns.
    void ask();
    /// The same, and waits some seconds for the end of the job if that is ending.
    void askForEnd();
    bool isAsking() const { return m_isAsking; }

Q_SIGNALS:
    /// @param state a word of squeue(1): "RUNNING", "SUSPENDED", "CANCELLED". Empty: there is no answer.
    void answered(const QString &job, const QString &state);

private:
    void start();
    void take();

    QProcess m_squeue;
    OneShotTimer m_again;
    OneShotTimer m_limit;
    QString m_job;
    int m_tries = 0; ///< That are left while the job is ending.
    bool m_isAsking = false;
};

} // namespace rankdeck
