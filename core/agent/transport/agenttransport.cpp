#include "agent/transport/agenttransport.h"

namespace rankdeck
{

namespace
{

/// This much of the end of standard error is kept: enough to explain an end.
constexpr qsizetype keptBytes = 4096;

} // namespace

ProcessTransport::ProcessTransport(QStringList command, QObject *parent)
    : AgentTransport(parent)
    , m_command(std::move(command))
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        const bool hasExited = how == QProcess::NormalExit;
        Q_EMIT ended(textOfEnd({hasExited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code}));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(textOfFailedStart());
    });
}

ProcessTransport::~ProcessTransport()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

LocalTransport::LocalTransport(const QString &program, QObject *parent)
    : ProcessTransport({program, QStringLiteral("agent")}, parent)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
}

QString LocalTransport::textOfEnd(const ExitStatus &status) const
{
    return tr("the agent ended with %1").arg(status.text());
}

QString LocalTransport::textOfFailedStart() const
{
    return tr("the agent could not be started: %1").arg(m_process.errorString());
}

RemoteTransport::RemoteTransport(QStringList command, QObject *parent)
    : ProcessTransport(std::move(command), parent)
{
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_words = (m_words + m_process.readAllStandardError()).right(keptBytes); });
    connect(&m_process, &QProcess::bytesWritten, this, &RemoteTransport::sent);
}

int RemoteTransport::exitCode() const
{
    const bool hasEnded = m_process.state() == QProcess::NotRunning;
    return hasEnded && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool RemoteTransport::mayHaveLeftAgent() const
{
    // ssh exits with this when the connection broke, rather than with the code of the remote command.
    constexpr int lostConnection = 255;
    return exitCode() == -1 || exitCode() == lostConnection;
}

QString RemoteTransport::textOfEnd(const ExitStatus &status) const
{
    const QString end = tr("%1 ended with %2").arg(m_command.first(), status.text());
    const QString words = QString::fromUtf8(m_words).simplified();
    return words.isEmpty() ? end : tr("%1 and said \"%2\"").arg(end, words);
}

QString RemoteTransport::textOfFailedStart() const
{
    return tr("%1 cannot be started: %2").arg(m_command.first(), m_process.errorString());
}

} // namespace rankdeck
