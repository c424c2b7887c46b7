#pragma once

#include <QLocalServer>
#include <QString>

#include <string_view>

namespace rankdeck
{

/// What an agent is started with that only leads to one that is alive already.
inline constexpr std::string_view rejoinOption = "--rejoin";

/// Where an agent waits for a head that has lost the stream to it: a socket on the agent's node, for this
/// user alone, to which rejoinAgent() leads.
class RejoinSocket : public QLocalServer
{
    Q_OBJECT

public:
    explicit RejoinSocket(QObject *parent = nullptr);

    /// False: it cannot be made; then nobody will come back.
    bool listenFor(const QString &id);

Q_SIGNALS:
    /// Somebody of this user has come; the descriptor is the receiver's to close.
    void joined(int descriptor);

protected:
    void incomingConnection(quintptr descriptor) override;
};

/// `rankdeckctl agent --rejoin ID`: carries standard input and output to the agent that waits as `id` on this
/// node, until either ends; says noAgentLine when there is none. Blocks; returns the exit code.
int rejoinAgent(const QString &id);

} // namespace rankdeck
