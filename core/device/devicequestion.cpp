#include "device/devicequestion.h"

#include "device/toolprocess.h"

#include <utility>

namespace rankdeck
{

namespace
{

/// 64 cards print a tenth of that.
constexpr qsizetype mostOutput = 1024 * 1024;
constexpr std::chrono::milliseconds killingTime{2000};

} // namespace

DeviceQuestion::DeviceQuestion(QString program, const QStringList &arguments, std::chrono::milliseconds limit)
    : m_program(std::move(program))
    , m_limit(limit)
    , m_process(new QProcess)
{
    prepareTool(*m_process);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &DeviceQuestion::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &DeviceQuestion::readOutput);
    connect(m_process, &QProcess::finished, this, &DeviceQuestion::finish);
    // From the event loop also where starting fails at once.
    connect(
        m_process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart)
                return;
            m_patience.stop();
            Q_EMIT failed({tr("cannot be started: %1").arg(m_process->errorString()), m_program, {}});
            Q_EMIT ended();
        },
        Qt::QueuedConnection);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &DeviceQuestion::complain);
    m_patience.start(limit);
    m_process->start(m_program, arguments);
}

DeviceQuestion::~DeviceQuestion()
{
    m_process->disconnect(this);
    abandonTool(m_process); // Its destructor would wait for the end, which may never come.
}

void DeviceQuestion::readOutput()
{
    take(m_output, m_process->readAllStandardOutput());
    take(m_complaints, m_process->readAllStandardError());
}

void DeviceQuestion::take(QByteArray &kept, const QByteArray &output)
{
    if (m_isGivenUp)
        return;
    kept += output;
    if (kept.size() > mostOutput)
        giveUp(tr("prints without an end"));
}

void DeviceQuestion::cancel()
{
    m_isGivenUp = true;
    m_output.clear();
    m_complaints.clear();
    killTool(*m_process);
    m_patience.start(killingTime);
}

void DeviceQuestion::giveUp(const QString &why)
{
    cancel();
    Q_EMIT failed({why, m_program, {}});
}

void DeviceQuestion::complain()
{
    if (!m_isGivenUp) {
        giveUp(
            tr("did not answer within %1 s and was killed").arg(static_cast<double>(m_limit.count()) / 1000));
        return;
    }
    Q_EMIT failed(
        {tr("cannot be killed: it hangs in the kernel (pid %1)").arg(m_process->processId()), m_program,
         tr("It is not asked again before that one has ended; the driver's messages in dmesg may say "
            "why.")});
}

void DeviceQuestion::finish(int code, QProcess::ExitStatus status)
{
    m_patience.stop();
    readOutput();
    if (!m_isGivenUp) {
        const QByteArray output = m_output.trimmed().isEmpty() ? m_complaints : m_output;
        if (status != QProcess::NormalExit)
            Q_EMIT failed({tr("was ended by signal %1").arg(code), m_program, {}});
        else
            Q_EMIT answered(output.left(mostOutput), code);
    }
    Q_EMIT ended();
}

} // namespace rankdeck
