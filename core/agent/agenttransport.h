#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

namespace rankdeck
{

/// How a supervisor reaches an agent: a byte stream both ways, whatever carries it.
class AgentTransport : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    virtual void start() = 0;
    virtual void write(const QByteArray &bytes) = 0;
    /// Cut the stream and, where that is possible, kill the agent.
    virtual void abort() = 0;
    /// Processes of this machine that the transport itself waits for.
    virtual qint64 localPid() const = 0;

Q_SIGNALS:
    void received(const QByteArray &bytes);
    /// The stream has ended; `how` is a sentence for the journal. Emitted once.
    void ended(const QString &how);
};

} // namespace rankdeck
