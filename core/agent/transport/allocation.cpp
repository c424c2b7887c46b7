#include "agent/transport/allocation.h"

#include "base/program.h"
#include "launch/text/commandline.h"
#include "run/process/exitstatus.h"

#include <QRegularExpression>

#include <sys/prctl.h>

namespace rankdeck
{

constexpr int firstInquiryMs = 1000;
constexpr int inquiryMs = 10000;
constexpr int endMs = 10000; ///< Limit for salloc to report its exit to Slurm.
constexpr qsizetype keptOutput = 4096;
constexpr char grantWord[] = "rankdeck-granted ";

Allocation::Allocation(AllocationRequest request, NodeOptions options)
    : m_request(std::move(request))
    , m_options(std::move(options))
{
    for (QProcess *process : {&m_salloc, &m_squeue, &m_scancel})
        process->setProcessEnvironment(withoutLibraries());
    m_salloc.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
    connect(&m_salloc, &QProcess::started, this, [this] { Q_EMIT identified(m_salloc.processId(), m_job); });
    connect(&m_salloc, &QProcess::readyReadStandardError, this, &Allocation::readWords);
    connect(&m_salloc, &QProcess::readyReadStandardOutput, this, &Allocation::readGrant);
    connect(&m_salloc, &QProcess::finished, this, &Allocation::sallocEnded);
    onFailedStart(m_salloc, this, [this] { sallocEnded(); });
    connect(&m_inquiry, &QTimer::timeout, this, &Allocation::askHowItGoes);
    connect(&m_squeue, &QProcess::finished, this, [this] {
        const QString state = QString::fromUtf8(m_squeue.readAllStandardOutput()).simplified();
        const QString word = state.section(' '_L1, 0, 0);
        if (!isWaiting())
            return;
        const Sentence note = Sentence::tr("Waiting for Slurm: job %1 is %2.")
                                  .arg(m_job, word.toLower() + state.mid(word.size()));
        if (!state.isEmpty() && std::exchange(m_lastNote, note) != note)
            Q_EMIT noted(note);
        m_inquiry.start(inquiryMs);
    });
    connect(&m_limit, &QTimer::timeout, this, [this] {
        if (m_isReleased) {
            m_salloc.kill();
            return;
        }
        m_isTooLate = true;
        release();
    });
    connect(&m_scancel, &QProcess::finished, this, &Allocation::conclude);
    onFailedStart(m_scancel, this, [this] { conclude(); });
}

Allocation::~Allocation()
{
    for (QProcess *process : {&m_salloc, &m_squeue, &m_scancel}) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished();
    }
}

QStringList Allocation::arguments() const
{
    QStringList arguments = splitCommandLine(m_options.slurmOptions).value();
    arguments << u"--nodes=%1"_s.arg(m_request.nodes);
    if (!m_request.names.isEmpty())
        arguments << u"--nodelist="_s + m_request.names.join(','_L1);
    // salloc's command prints that the nodes are ready, and runs until its standard input ends.
    return arguments << u"/bin/sh"_s << u"-c"_s
                     << u"echo %1$SLURM_JOB_ID $SLURM_JOB_NODELIST; exec /bin/cat >/dev/null"_s.arg(
                            QLatin1String(grantWord));
}

void Allocation::start()
{
    m_isOpen = true;
    Q_EMIT noted(
        Sentence::tr("Requesting %n nodes from Slurm.", "Requesting a node from Slurm.", m_request.nodes));
    m_limit.start(std::chrono::seconds(m_options.slurmWaitSeconds));
    m_inquiry.start(firstInquiryMs);
    m_salloc.start(systemTool(u"salloc"_s), arguments());
}

void Allocation::readWords()
{
    m_words = (m_words + m_salloc.readAllStandardError()).right(keptOutput);
    static const QRegularExpression job(u"job allocation (\\d+)"_s);
    const auto match = job.match(QString::fromUtf8(m_words));
    if (!m_job.isEmpty() || !match.hasMatch())
        return;
    m_job = match.captured(1);
    Q_EMIT identified(m_salloc.processId(), m_job);
}

void Allocation::readGrant()
{
    m_output = (m_output + m_salloc.readAllStandardOutput()).right(keptOutput);
    const auto at = m_output.indexOf(grantWord);
    const auto end = m_output.indexOf('\n', at);
    if (m_isGranted || m_isReleased || at < 0 || end < 0)
        return;
    const QStringList words = QString::fromUtf8(m_output.mid(at, end - at)).split(' '_L1);
    m_isGranted = true;
    m_limit.stop();
    m_inquiry.stop();
    m_job = words.value(1);
    qputenv("SLURM_JOB_ID", m_job.toLatin1());
    Q_EMIT identified(m_salloc.processId(), m_job);
    Q_EMIT noted(Sentence::tr("Slurm allocated %1 to this run: job %2.").arg(words.value(2), m_job));
    Q_EMIT granted(words.value(2));
}

void Allocation::askHowItGoes()
{
    if (m_job.isEmpty())
        m_inquiry.start(firstInquiryMs);
    else
        m_squeue.start(systemTool(u"squeue"_s),
                       {u"--noheader"_s, u"--format=%T (%r)"_s, u"--jobs="_s + m_job});
}

void Allocation::release()
{
    if (!m_isOpen || std::exchange(m_isReleased, true))
        return;
    m_inquiry.stop();
    if (m_salloc.state() == QProcess::NotRunning) { // Another process has killed salloc.
        m_scancel.start(systemTool(u"scancel"_s), {m_job});
        return;
    }
    m_limit.start(endMs);
    m_salloc.closeWriteChannel();
    if (!m_isGranted)
        m_salloc.terminate();
}

void Allocation::sallocEnded()
{
    m_limit.stop();
    m_inquiry.stop();
    readWords();
    const QString words = QString::fromUtf8(m_words).simplified();
    const bool isKilled = m_salloc.exitStatus() == QProcess::CrashExit;
    if (m_isTooLate)
        Q_EMIT refused({tr("Slurm did not allocate the nodes within %1 s").arg(m_options.slurmWaitSeconds),
                        u"--slurm-wait"_s, tr("Wait longer, or request less.")});
    else if (!m_isGranted && !m_isReleased)
        Q_EMIT refused({m_salloc.error() == QProcess::FailedToStart
                            ? tr("salloc cannot be started: %1").arg(problemOf(m_salloc))
                            : tr("Slurm allocates no nodes: %1").arg(words),
                        QString(), tr("Check --slurm-options, and the output of sinfo.")});
    else if (m_isGranted && !m_isReleased)
        Q_EMIT noted(isKilled
                         ? Sentence::tr("salloc was killed. Job %1 is released when the run ends.").arg(m_job)
                         : Sentence::tr("Slurm has ended job %1: %2").arg(m_job, words));
    // Slurm has heard it from salloc, unless that was killed.
    if (m_job.isEmpty() || !isKilled)
        conclude();
    else if (m_isReleased || !m_isGranted)
        m_scancel.start(systemTool(u"scancel"_s), {m_job});
}

void Allocation::conclude()
{
    if (std::exchange(m_isOpen, false))
        Q_EMIT ended();
}

void cancelSlurmJob(const QString &job)
{
    QProcess scancel;
    scancel.setProcessEnvironment(withoutLibraries());
    scancel.setStandardOutputFile(QProcess::nullDevice());
    scancel.setStandardErrorFile(QProcess::nullDevice());
    scancel.start(systemTool(u"scancel"_s), {job});
    if (!scancel.waitForFinished(endMs))
        scancel.kill();
}

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
    onFailedStart(
        m_squeue, this, [this] { take(); }, Qt::QueuedConnection);
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
