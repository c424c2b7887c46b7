#include "agent/transport/remotetransport.h"

#include "run/exitstatus.h"

namespace rankdeck
{

namespace
{

/// As much of what was said explains an end.
constexpr qsizetype keptBytes = 4096;

} // namespace

RemoteTransport::RemoteTransport(QStringList command, QObject *parent)
    : AgentTransport(parent)
    , m_command(std::move(command))
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_words = (m_words + m_process.readAllStandardError()).right(keptBytes); });
    connect(&m_process, &QProcess::bytesWritten, this, &RemoteTransport::sent);
    connect(&m_process, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus how) { Q_EMIT ended(howItEnded(code, how)); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(tr("%1 cannot be started: %2").arg(m_command.first(), m_process.errorString()));
    });
}

RemoteTransport::~RemoteTransport()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void RemoteTransport::start()
{
    m_process.start(m_command.first(), m_command.mid(1));
}

void RemoteTransport::write(const QByteArray &bytes)
{
    m_process.write(bytes);
}

void RemoteTransport::abort()
{
    m_process.kill();
}

int RemoteTransport::exitCode() const
{
    const bool hasEnded = m_process.state() == QProcess::NotRunning;
    return hasEnded && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool RemoteTransport::mayHaveLeftAgent() const
{
    // ssh's exit code when not what runs there has ended, but ssh.
    constexpr int lostConnection = 255;
    return exitCode() == -1 || exitCode() == lostConnection;
}

QString RemoteTransport::howItEnded(int code, QProcess::ExitStatus how) const
{
    const ExitStatus status{
        how == QProcess::NormalExit ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code};
    const QString end = tr("%1 ended with %2").arg(m_command.first(), status.text());
    const QString words = QString::fromUtf8(m_words).simplified();
    return words.isEmpty() ? end : tr("%1 and said \"%2\"").arg(end, words);
}

} // namespace rankdeck
