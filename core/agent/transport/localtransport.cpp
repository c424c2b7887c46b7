#include "agent/transport/localtransport.h"

#include "run/exitstatus.h"

namespace rankdeck
{

LocalTransport::LocalTransport(QString program, QObject *parent)
    : AgentTransport(parent)
    , m_program(std::move(program))
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        const ExitStatus status{
            how == QProcess::NormalExit ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code};
        Q_EMIT ended(tr("the agent ended with %1").arg(status.text()));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(tr("the agent could not be started: %1").arg(m_process.errorString()));
    });
}

void LocalTransport::start()
{
    m_process.start(m_program, {QStringLiteral("agent")});
}

void LocalTransport::write(const QByteArray &bytes)
{
    m_process.write(bytes);
}

void LocalTransport::abort()
{
    m_process.kill();
}

} // namespace rankdeck
