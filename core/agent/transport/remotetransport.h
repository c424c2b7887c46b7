#pragma once

#include "agent/transport/agenttransport.h"

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
    ~RemoteTransport() override;

    void start() override;
    void write(const QByteArray &bytes) override;
    void abort() override;
    qint64 localPid() const override { return m_process.processId(); }
    /// Bytes that have been written here and not been taken yet.
    qint64 waiting() const { return m_process.bytesToWrite(); }
    /// Once it has ended, by itself; else -1.
    int exitCode() const;
    bool mayHaveLeftAgent() const override;

Q_SIGNALS:
    /// Some of what waited has been taken.
    void sent();

private:
    QString howItEnded(int code, QProcess::ExitStatus how) const;

    QStringList m_command;
    QProcess m_process;
    QByteArray m_words; ///< The end of its standard error.
};

} // namespace rankdeck
