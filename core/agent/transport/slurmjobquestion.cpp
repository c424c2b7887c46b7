#include "agent/transport/slurmjobquestion.h"

#include "base/program.h"

namespace rankdeck
{

constexpr std::chrono::seconds slurmAnswerLimit{5};
constexpr std::chrono::milliseconds betweenQuestions{200};
/// A job that ends with a script of its own, in which this process may be, ends after this process.
constexpr int mostQuestions = 10;

SlurmJobQuestion::SlurmJobQuestion()
{
    m_squeue.setProcessEnvironment(withoutLibraries());
    connect(&m_again, &QTimer::timeout, this, &SlurmJobQuestion::start);
    connect(&m_limit, &QTimer::timeout, &m_squeue, &QProcess::kill);
    connect(&m_squeue, &QProcess::finished, this, &SlurmJobQuestion::take);
    connect(
        &m_squeue, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                take();
        },
        Qt::QueuedConnection);
}

SlurmJobQuestion::~SlurmJobQuestion()
{
    m_squeue.disconnect(this);
    m_squeue.kill();
    m_squeue.waitForFinished();
}

void SlurmJobQuestion::ask()
{
    if (std::exchange(m_isAsking, true))
        return;
    m_job = qEnvironmentVariable("SLURM_JOB_ID");
    start();
}

void SlurmJobQuestion::askForEnd()
{
    m_tries = mostQuestions;
    ask();
}

void SlurmJobQuestion::start()
{
    m_limit.start(slurmAnswerLimit);
    m_squeue.start(systemTool(u"squeue"_s),
                   {u"--noheader"_s, u"--states=all"_s, u"--format=%T"_s, u"--jobs="_s + m_job});
}

void SlurmJobQuestion::take()
{
    m_limit.stop();
    const QString state = QString::fromUtf8(m_squeue.readAllStandardOutput()).simplified();
    if (state == "COMPLETING"_L1 && m_tries-- > 0) {
        m_again.start(betweenQuestions);
        return;
    }
    m_tries = 0;
    m_isAsking = false;
    Q_EMIT answered(m_job, state);
}

} // namespace rankdeck
