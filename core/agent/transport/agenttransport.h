#pragma once

#include "result.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <optional>

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
    /// Of a stream that has ended: why there was no agent, where the transport knows it better than `how`.
    virtual std::optional<Error> problem() const { return std::nullopt; }
    /// Of one that only tries its node: so many bytes a launch would copy there first; 0: none.
    virtual qint64 wantedCopy() const { return 0; }
    /// Of a stream that has ended: the agent may be alive all the same.
    virtual bool mayHaveLeftAgent() const { return false; }
    /// Of another node whose agent has spoken: the program there that it is.
    virtual QString program() const { return {}; }

Q_SIGNALS:
    /// Nothing, sometimes: the other side is there, but has not said anything.
    void received(const QByteArray &bytes);
    /// What the user may want to know of the way to the agent: a sentence.
    void noted(const QString &sentence);
    /// The stream has ended; `how` is a sentence for the journal. Emitted once.
    void ended(const QString &how);
};

} // namespace rankdeck
