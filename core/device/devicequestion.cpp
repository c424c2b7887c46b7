#include "device/devicequestion.h"

#include <QProcessEnvironment>

#include <csignal>
#include <utility>

#include <sys/prctl.h>
#include <unistd.h>

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
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    environment.remove(
        QStringLiteral("ASCEND_RT_VISIBLE_DEVICES")); // The driver's tools do not work with it.
    m_process->setProcessEnvironment(environment);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL); // A program that hangs does not outlive who asked.
    });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &DeviceQuestion::readOutput);
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
    if (m_process->state() == QProcess::NotRunning) {
        m_process->deleteLater();
        return;
    }
    // Its destructor would wait for the end, which may never come.
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    kill();
}

void DeviceQuestion::kill()
{
    // Not yet waited for, so that nobody else can have the pid.
    const auto pid = static_cast<pid_t>(m_process->processId());
    if (pid > 0 && ::kill(-pid, SIGKILL) != 0)
        m_process->kill(); // It has not come to its own group yet.
}

void DeviceQuestion::readOutput()
{
    const QByteArray output = m_process->readAllStandardOutput();
    if (m_isGivenUp)
        return;
    m_output += output;
    if (m_output.size() > mostOutput)
        giveUp(tr("prints without an end"));
}

void DeviceQuestion::cancel()
{
    m_isGivenUp = true;
    m_output.clear();
    kill();
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
        const QByteArray output = m_output.trimmed().isEmpty() ? m_process->readAllStandardError() : m_output;
        if (status != QProcess::NormalExit)
            Q_EMIT failed({tr("was ended by signal %1").arg(code), m_program, {}});
        else
            Q_EMIT answered(output.left(mostOutput), code);
    }
    Q_EMIT ended();
}

} // namespace rankdeck
