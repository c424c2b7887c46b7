#pragma once

#include "agent/transport/agenttransport.h"

#include <QProcess>

namespace rankdeck
{

/// The agent of this node: a child process, `rankdeckctl agent`.
class LocalTransport : public AgentTransport
{
    Q_OBJECT

public:
    /// @param program path of rankdeckctl.
    explicit LocalTransport(QString program, QObject *parent = nullptr);

    void start() override;
    void write(const QByteArray &bytes) override;
    void abort() override;
    qint64 localPid() const override { return m_process.processId(); }

private:
    QString m_program;
    QProcess m_process;
};

} // namespace rankdeck
