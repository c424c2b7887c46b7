#pragma once

#include "agent/agenttransport.h"

#include <QProcess>

namespace rankdeck
{

/// An agent of another node, behind a program that carries its standard input and output there (ssh, srun).
/// What that program says of itself, and the node's login shell with it, is kept to explain an end.
class RemoteTransport : public AgentTransport
{
    Q_OBJECT

public:
    explicit RemoteTransport(QStringList command, QObject *parent = nullptr);

    void start() override;
    void write(const QByteArray &bytes) override;
    void abort() override;
    qint64 localPid() const override { return m_process.processId(); }

private:
    QString howItEnded(int code, QProcess::ExitStatus how) const;

    QStringList m_command;
    QProcess m_process;
    QByteArray m_words; ///< The end of its standard error.
};

} // namespace rankdeck
